# armhf_strict.cmake — armhf.cmake, and misaligned accesses trap.
include("${CMAKE_CURRENT_LIST_DIR}/armhf.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/strict.cmake")
