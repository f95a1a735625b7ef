# strict.cmake — to be included last: compiled code traps on a misaligned access.
#
# Some Arm CPUs refuse or garble such an access; qemu-user makes it as if nothing were wrong.
string(APPEND CMAKE_C_FLAGS_INIT " -fsanitize=alignment -fsanitize-undefined-trap-on-error")
