# riscv64_clang.cmake — riscv64.cmake, and a clang that has the intrinsics of vectors, which Debian 12's gcc lacks; the linker and
# the C library stay those of the cross compiler.
include("${CMAKE_CURRENT_LIST_DIR}/riscv64.cmake")
set(CMAKE_C_COMPILER clang-19 --target=riscv64-linux-gnu)
