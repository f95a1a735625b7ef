# loongarch64.cmake — 64-bit LoongArch: clang, programs run by qemu-user. Debian 12 has no gcc for it, and no C library, which comes from
# a later Debian, unpacked (../run.py).
#
# The emulated CPU is qemu's default, or the one that the environment variable QEMU_CPU names.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR loongarch64)
set(root "${CMAKE_CURRENT_LIST_DIR}/../../../build/cross/debian/trixie/root")
set(CMAKE_SYSROOT "${root}")
set(CMAKE_C_COMPILER clang-19 --target=loongarch64-linux-gnu)
# Programs are compiled without vectors of the compiler's own: qemu 10.0 chooses wrongly by vbitsel.v where one side is all ones.
set(CMAKE_C_FLAGS_INIT -mno-lsx)
set(CMAKE_EXE_LINKER_FLAGS_INIT -fuse-ld=lld-19)
set(CMAKE_SHARED_LINKER_FLAGS_INIT -fuse-ld=lld-19)
set(CMAKE_MODULE_LINKER_FLAGS_INIT -fuse-ld=lld-19)
set(XORCORE_HAS_STATIC_PIE FALSE) # lld 19 links one that crashes before it begins

set(CMAKE_CROSSCOMPILING_EMULATOR qemu-loongarch64;-L;${root}/usr/loongarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH "${root}/usr/loongarch64-linux-gnu")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
