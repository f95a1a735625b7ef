# armhf.cmake — 32-bit arm from ARMv7 on, with a floating-point unit: Debian's cross compiler, programs run by qemu-user.
#
# Such a CPU need not have NEON: without a kernel's own flags the compiler has 16 registers of the unit and no vectors.
#
# The emulated CPU is qemu's default, or the one that the environment variable QEMU_CPU names.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-linux-gnueabihf-gcc)
set(CMAKE_C_FLAGS_INIT "-march=armv7-a -mfpu=vfpv3-d16")

# The C library of the cross compiler's own package is the root that the emulated program sees.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-arm;-L;/usr/arm-linux-gnueabihf)
set(CMAKE_FIND_ROOT_PATH /usr/arm-linux-gnueabihf)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
