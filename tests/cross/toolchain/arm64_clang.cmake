# arm64_clang.cmake — arm64.cmake, and clang; the linker and the C library stay those of the cross compiler.
include("${CMAKE_CURRENT_LIST_DIR}/arm64.cmake")
set(CMAKE_C_COMPILER clang --target=aarch64-linux-gnu)
