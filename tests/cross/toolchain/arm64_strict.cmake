# arm64_strict.cmake — arm64.cmake, and misaligned accesses trap.
include("${CMAKE_CURRENT_LIST_DIR}/arm64.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/strict.cmake")
