# arm_strict.cmake — arm.cmake, and compiled code that traps on a misaligned access.
#
# Old arm CPUs refuse or garble such an access; qemu-user makes it as if nothing were wrong.
include("${CMAKE_CURRENT_LIST_DIR}/arm.cmake")
string(APPEND CMAKE_C_FLAGS_INIT " -fsanitize=alignment -fsanitize-undefined-trap-on-error")
