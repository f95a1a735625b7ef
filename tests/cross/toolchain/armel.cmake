# armel.cmake — 32-bit arm down to ARMv5TE, soft float: Debian's cross compiler, programs run by qemu-user.
#
# Such a CPU has no NEON, no 128-bit integers and no misaligned access.
#
# The emulated CPU is qemu's default, or the one that the environment variable QEMU_CPU names.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-linux-gnueabi-gcc)
set(CMAKE_C_FLAGS_INIT "-march=armv5te")

# The C library of the cross compiler's own package is the root that the emulated program sees.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-arm;-L;/usr/arm-linux-gnueabi)
set(CMAKE_FIND_ROOT_PATH /usr/arm-linux-gnueabi)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
