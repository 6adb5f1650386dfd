# Debian packages: `cpack --config BUILD/CPackConfig.cmake` writes nplab_VERSION_ARCHITECTURE.deb, the command with its data,
# manual page and completions, and nplab-dev, the libraries for programs that link them (docs/library.md). Dependencies on
# libraries are those that dpkg-shlibdeps finds in the program.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)   # cpack takes what is built and does not build the tests
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME nplab)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "laboratory for network-processor programs")
set(CPACK_PACKAGE_DESCRIPTION "nplab compiles packet-processing algorithms written in microengine C, places them on a model of an
IXP1200-like network processor as a declarative mapping file says, simulates every engine cycle, checks every packet
against a reference classifier, and reports where the cycles went.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL command library)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The nplab authors <nplab@invalid>")
set(CPACK_DEBIAN_PACKAGE_SECTION science)

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME nplab)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME nplab-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "laboratory for network-processor programs, libraries and headers")
# clang-19 has ClangConfig.cmake.
string(CONCAT CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS "nplab (= ${PROJECT_VERSION}), llvm-19-dev, libclang-19-dev, "
       "libclang-cpp19-dev, clang-19, libsystemc-dev, libboost-graph-dev, libgraphviz-dev, libyaml-cpp-dev, nlohmann-json3-dev, "
       "libfmt-dev, libpcap-dev, liblzma-dev, libzip-dev, libssl-dev, zlib1g-dev, pkg-config")

# Debian's copyright file has the licence indented, with a dot in each empty line.
file(READ ${PROJECT_SOURCE_DIR}/LICENSE nplab_licence)
string(REGEX REPLACE "\n" "\n " nplab_licence " ${nplab_licence}")
string(REGEX REPLACE "\n [ \t]*(\n|$)" "\n .\\1" nplab_licence "${nplab_licence}")
string(REGEX REPLACE "\n [ \t]*(\n|$)" "\n .\\1" nplab_licence "${nplab_licence}")   # two empty lines in sequence
configure_file(${CMAKE_CURRENT_LIST_DIR}/package/copyright.in ${PROJECT_BINARY_DIR}/package/copyright @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/copyright DESTINATION share/doc/nplab COMPONENT command)
install(FILES ${PROJECT_BINARY_DIR}/package/copyright DESTINATION share/doc/nplab-dev COMPONENT library)
install(FILES ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION share/doc/nplab RENAME changelog COMPONENT command)
install(FILES ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION share/doc/nplab-dev RENAME changelog COMPONENT library)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/package/compress_documents.cmake)
include(CPack)
