# What `cmake --install` puts where: tools, runtime, emulator, header and the CMake package, as the component
# `tilewright`. The static build has one binary and links to it.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Tilewright)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/TilewrightConfigVersion.cmake COMPATIBILITY SameMinorVersion)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/TilewrightConfig.cmake.in
  ${PROJECT_BINARY_DIR}/TilewrightConfig.cmake INSTALL_DESTINATION ${package_folder}
  PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
install(FILES ${PROJECT_BINARY_DIR}/TilewrightConfig.cmake ${PROJECT_BINARY_DIR}/TilewrightConfigVersion.cmake
  DESTINATION ${package_folder} COMPONENT tilewright)
install(FILES ${PROJECT_SOURCE_DIR}/include/Tilewright/Runtime/tilewright_runtime.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT tilewright)
install(TARGETS TilewrightRuntime ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT tilewright)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT tilewright)
if(TARGET TilewrightEmulator)
  install(TARGETS TilewrightEmulator LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT tilewright)
endif()

if(TILEWRIGHT_STATIC)
  install(TARGETS tilewright RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tilewright)
  get_property(links GLOBAL PROPERTY TILEWRIGHT_MULTICALL_TOOLS)
  install(CODE "
    foreach(link ${links})
      file(CREATE_LINK tilewright \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/\${link}\" SYMBOLIC)
    endforeach()" COMPONENT tilewright)
else()
  foreach(tool tw-run tw-tune tw-compile tw-opt tw-translate tw-reduce tw-lsp-server)
    if(TARGET ${tool})
      install(TARGETS ${tool} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tilewright)
    endif()
  endforeach()
endif()
