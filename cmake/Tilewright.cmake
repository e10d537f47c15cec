# The few CMake functions every folder uses. Libraries that include MLIR share one precompiled header;
# libraries that do not (layouts, package, runtime) stay free of it.

# tw_precompiled_header(): the object library that owns the shared precompiled header.
function(tw_precompiled_header)
  file(WRITE ${CMAKE_BINARY_DIR}/pch/Pch.cpp "// Carries the shared precompiled header.\n")
  add_library(TilewrightPch OBJECT ${CMAKE_BINARY_DIR}/pch/Pch.cpp)
  tw_mlir_flags(TilewrightPch)
  target_precompile_headers(TilewrightPch PRIVATE ${PROJECT_SOURCE_DIR}/cmake/Pch.h)
endfunction()

# tw_mlir_flags(target): the flags of code that includes MLIR headers.
function(tw_mlir_flags target)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL EXECUTABLE) # -fPIC, not CMake's -fPIE: the precompiled header wants equal flags
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
  separate_arguments(definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
  target_compile_options(${target} PRIVATE ${definitions} -fno-exceptions -fvisibility-inlines-hidden
    -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers)
  target_include_directories(${target} SYSTEM PRIVATE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
endfunction()

# tw_add_library(name SOURCES… [DEPENDS…] [LINK…]): a library that includes MLIR.
function(tw_add_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  tw_mlir_flags(${name})
  target_precompile_headers(${name} REUSE_FROM TilewrightPch)
  target_link_libraries(${name} PUBLIC ${ARG_LINK} TilewrightMLIR)
  if(TARGET TilewrightGenerated)
    add_dependencies(${name} TilewrightGenerated)
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# tw_add_plain_library(name SOURCES… [LINK…]): a library without MLIR or LLVM.
function(tw_add_plain_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_compile_options(${name} PRIVATE -fno-exceptions -Wall -Wextra)
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
endfunction()

# tw_add_tool(name SOURCES… [LINK…]): an executable on MLIR, in bin/; in the static build a part of the multi-call
# binary.
function(tw_add_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  if(TILEWRIGHT_STATIC)
    tw_multicall_tool(${name} SOURCES ${ARG_SOURCES} LINK ${ARG_LINK} TilewrightMLIR)
    tw_mlir_flags(${name})
    return()
  endif()
  add_executable(${name} ${ARG_SOURCES})
  tw_mlir_flags(${name})
  target_precompile_headers(${name} REUSE_FROM TilewrightPch)
  target_link_libraries(${name} PRIVATE ${ARG_LINK} TilewrightMLIR)
endfunction()

# tw_add_unit_test(name SOURCES… [LINK…]): a GoogleTest program, registered with CTest under its own name.
# Name it <Folder>Tests. It uses no MLIR unless MLIR is among LINK.
function(tw_add_unit_test name)
  cmake_parse_arguments(ARG "MLIR" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  if(ARG_MLIR)
    tw_mlir_flags(${name})
    target_precompile_headers(${name} REUSE_FROM TilewrightPch)
    target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest GTest::gtest_main TilewrightMLIR)
  else()
    target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest GTest::gtest_main)
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test/Unit)
  set_property(GLOBAL APPEND PROPERTY TILEWRIGHT_UNIT_TESTS ${name})
  add_test(NAME Unit.${name} COMMAND ${name})
endfunction()

# tw_tablegen(td out flags…): runs mlir-tblgen on a file of include/Tilewright, named from include/Tilewright's
# folder of the caller, into the mirrored binary folder.
macro(tw_tablegen td out)
  set(LLVM_TARGET_DEFINITIONS ${td})
  mlir_tablegen(${out} ${ARGN} EXTRA_INCLUDES ${PROJECT_SOURCE_DIR}/include)
endmacro()
