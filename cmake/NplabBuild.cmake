# What every target of the project shares: language level, warnings, compiler cache, linker.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "build type" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2")     # assertions stay on: a broken invariant must say so

find_program(NPLAB_CCACHE ccache)
if(NPLAB_CCACHE)
  # Paths below the checkout are taken relative to it, so that two checkouts share what either compiled.
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${NPLAB_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
endif()
find_program(NPLAB_MOLD mold)
if(NPLAB_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# The wrapper's build joins files (-DCMAKE_UNITY_BUILD=ON): LLVM's headers are then read once for several of ours, and a
# clean build takes half the time. The presets build file by file, which is quicker to repeat. The files are joined here
# and not by CMake, which would name them by their place on this machine: no other checkout could use the cached object.
option(CMAKE_UNITY_BUILD "compile several sources as one" OFF)
set(NPLAB_JOIN_SOURCES ${CMAKE_UNITY_BUILD})
set(CMAKE_UNITY_BUILD OFF)
set(NPLAB_JOINED_SOURCES 14)   # at most so many

option(NPLAB_SANITIZE "build with the address and undefined-behaviour sanitizers" OFF)
if(NPLAB_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

option(NPLAB_FUZZ "instrument for libFuzzer (tests/fuzz/fuzz.sh; clang only)" OFF)
if(NPLAB_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# nplab_sources(VARIABLE FOLDER...): every C++ source of these folders, which are relative to the current one. Sources are
# found, not listed, so that adding one changes no build file; ninja looks again at each build (CONFIGURE_DEPENDS).
function(nplab_sources variable)
  set(found)
  foreach(folder ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${folder}/*.cpp)
    list(APPEND found ${sources})
  endforeach()
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

# nplab_join(VARIABLE NAME COUNT SOURCE...): files of the build tree, each of which includes at most COUNT of the sources
# by their paths from the root. Sources with SKIP_UNITY_BUILD_INCLUSION, and those of the build tree, stay as they are.
function(nplab_join variable name count)
  set(kept)
  set(lines)
  set(number 0)
  foreach(source ${ARGN} "")           # the empty one ends the last file
    get_source_file_property(single "${source}" SKIP_UNITY_BUILD_INCLUSION)
    list(LENGTH lines joined)
    if(lines AND (source STREQUAL "" OR joined EQUAL count))
      set(file ${CMAKE_CURRENT_BINARY_DIR}/joined/${name}_${number}.cxx)
      string(REPLACE ";" "" text "${lines}")
      file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
      list(APPEND kept ${file})
      math(EXPR number "${number} + 1")
      set(lines)
    endif()
    if(IS_ABSOLUTE "${source}" OR single)
      list(APPEND kept ${source})
    elseif(NOT source STREQUAL "")
      file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/${source})
      list(APPEND lines "#include \"${path}\"\n")
    endif()
  endforeach()
  set(${variable} ${kept} PARENT_SCOPE)
endfunction()

# nplab_library(NAME FOLDERS ... SOURCES ... LINKS ... [JOINED]): one static library, named nplab_NAME, of all sources of
# FOLDERS (relative to the current folder) and of SOURCES. Headers are included as "folder/header.h" from the root; LINKS
# are private to the library unless listed after PUBLIC_LINKS. A JOINED library is always compiled as one source.
function(nplab_library name)
  cmake_parse_arguments(ARG "JOINED" "" "FOLDERS;SOURCES;LINKS;PUBLIC_LINKS" ${ARGN})
  nplab_sources(found ${ARG_FOLDERS})
  list(APPEND found ${ARG_SOURCES})
  if(ARG_JOINED)
    nplab_join(found ${name} 1000 ${found})
  elseif(NPLAB_JOIN_SOURCES)
    nplab_join(found ${name} ${NPLAB_JOINED_SOURCES} ${found})
  endif()
  add_library(nplab_${name} STATIC ${found})
  target_include_directories(nplab_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                                  $<INSTALL_INTERFACE:include/nplab>)
  set_target_properties(nplab_${name} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS nplab_${name} EXPORT nplab-targets ARCHIVE DESTINATION lib/nplab)   # cmake/NplabPackage.cmake
  target_compile_options(nplab_${name} PRIVATE -Wall -Wextra)
  target_link_libraries(nplab_${name} PUBLIC ${ARG_PUBLIC_LINKS} PRIVATE ${ARG_LINKS})
endfunction()
