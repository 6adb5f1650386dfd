# What `cmake --install` installs besides the command: the libraries as the package nplab, with which programs outside of
# this checkout link nplab::experiments (docs/library.md).
include(CMakePackageConfigHelpers)

set(package_folder lib/cmake/nplab)
foreach(layer support isa workloads mappings simulator compiler reports experiments)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${layer} DESTINATION include/nplab COMPONENT library FILES_MATCHING PATTERN "*.h")
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/isa/operations.gen.h DESTINATION include/nplab/isa COMPONENT library)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/simulator/systemc/include/ DESTINATION include COMPONENT library)   # <nplab/systemc/chip.h>
install(EXPORT nplab-targets NAMESPACE nplab:: DESTINATION ${package_folder} COMPONENT library)

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/package/nplab-config.cmake.in
  ${PROJECT_BINARY_DIR}/package/nplab-config.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/nplab-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/nplab-config.cmake ${PROJECT_BINARY_DIR}/package/nplab-config-version.cmake
              ${CMAKE_CURRENT_LIST_DIR}/package/data_directory.cpp DESTINATION ${package_folder} COMPONENT library)
