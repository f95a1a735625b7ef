# armhf_clang.cmake — armhf.cmake, and clang; the linker and the C library stay those of the cross compiler.
include("${CMAKE_CURRENT_LIST_DIR}/armhf.cmake")
set(CMAKE_C_COMPILER clang --target=arm-linux-gnueabihf)
