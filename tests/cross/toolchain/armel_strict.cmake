# armel_strict.cmake — armel.cmake, and misaligned accesses trap.
include("${CMAKE_CURRENT_LIST_DIR}/armel.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/strict.cmake")
