# install.cmake — what `cmake --install` lays down, in three components: Runtime, Development, Tools.
#
# The tree that comes out can be moved: the pkg-config file and the CMake package find their prefix by
# where they stand. An absolute CMAKE_INSTALL_LIBDIR or CMAKE_INSTALL_INCLUDEDIR is taken as it is.

include(CMakePackageConfigHelpers)

set(XC_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/xorcore")

install(TARGETS xorcore EXPORT xorcore-targets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT Runtime NAMELINK_COMPONENT Development)
install(TARGETS xorcore_static EXPORT xorcore-targets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT Development)
install(FILES include/xorcore.h DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT Development)

# CMake: find_package(xorcore) -> xorcore::xorcore, xorcore::xorcore_static.
configure_package_config_file(xorcore-config.cmake.in xorcore-config.cmake INSTALL_DESTINATION "${XC_PACKAGE_DIR}")
write_basic_package_version_file(xorcore-config-version.cmake COMPATIBILITY SameMajorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/xorcore-config.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/xorcore-config-version.cmake"
  DESTINATION "${XC_PACKAGE_DIR}" COMPONENT Development)
install(EXPORT xorcore-targets NAMESPACE xorcore:: DESTINATION "${XC_PACKAGE_DIR}" COMPONENT Development)

# pkg-config.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(XC_PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
  set(XC_PC_LIBDIR "${CMAKE_INSTALL_LIBDIR}")
else()
  file(RELATIVE_PATH up "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
  string(REGEX REPLACE "/$" "" up "${up}")
  set(XC_PC_PREFIX "\${pcfiledir}/${up}")
  set(XC_PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
if(IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(XC_PC_INCLUDEDIR "${CMAKE_INSTALL_INCLUDEDIR}")
else()
  set(XC_PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
configure_file(xorcore.pc.in xorcore.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/xorcore.pc"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT Development)

# `cpack -G DEB` or `-G TGZ`: one package for each component.
set(CPACK_PACKAGE_NAME xorcore)
set(CPACK_PACKAGE_VENDOR "the libxorcore authors")
set(CPACK_PACKAGE_CONTACT "the libxorcore authors <xorcore@xorcore.example>")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL Runtime Development Tools)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME "libxorcore${PROJECT_VERSION_MAJOR}")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS libc6)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libxorcore-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libxorcore${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME xorcore-tools)
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS "libxorcore${PROJECT_VERSION_MAJOR} (>= ${PROJECT_VERSION})")
include(CPack)
