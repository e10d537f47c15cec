# The static build (TILEWRIGHT_STATIC): archives of LLVM, MLIR and the other libraries instead of shared ones, for
# programs that run on any x86-64 Linux with a glibc as new as the build's. utils/pack is its user.
#
# The distribution's CMake targets of MLIR name libLLVM.so, so they cannot be used: all archives are given to the
# linker, which takes what is referred to and drops what no one reaches.
file(GLOB archives ${LLVM_LIBRARY_DIRS}/libMLIR*.a ${LLVM_LIBRARY_DIRS}/libLLVM*.a)
list(FILTER archives EXCLUDE REGEX "/lib(MLIRTest|MLIRCAPI|LLVMTest)")
set(Boost_USE_STATIC_LIBS ON)

add_library(TilewrightMLIR INTERFACE)
target_link_libraries(TilewrightMLIR INTERFACE ${archives} libzstd.a libz.a ${CMAKE_DL_LIBS} pthread m)

# The distribution has ONNX's schema as a shared library only. Its descriptor is read from there, and protoc makes
# the sources again, so the archive is of the same version as the header.
set(onnx_folder ${PROJECT_BINARY_DIR}/onnx)
file(MAKE_DIRECTORY ${onnx_folder})
find_program(TILEWRIGHT_PROTOC protoc REQUIRED)
add_executable(dump-onnx-schema ${PROJECT_SOURCE_DIR}/cmake/DumpOnnxSchema.cpp)
target_link_libraries(dump-onnx-schema PRIVATE onnx_proto protobuf)
set_target_properties(dump-onnx-schema PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${onnx_folder})
add_custom_command(OUTPUT ${onnx_folder}/onnx/onnx-ml.pb.cc
  COMMAND dump-onnx-schema ${onnx_folder}/onnx.descriptors
  COMMAND ${TILEWRIGHT_PROTOC} --descriptor_set_in=${onnx_folder}/onnx.descriptors
    --cpp_out=dllexport_decl=ONNX_API:${onnx_folder} onnx/onnx-ml.proto
  DEPENDS dump-onnx-schema
  COMMENT "Making onnx-ml.pb.cc"
  VERBATIM)
add_library(TilewrightOnnxSchema STATIC ${onnx_folder}/onnx/onnx-ml.pb.cc)
target_compile_options(TilewrightOnnxSchema PRIVATE -include onnx/onnx_pb.h)
target_compile_definitions(TilewrightOnnxSchema PRIVATE ONNX_ML=1 ONNX_NAMESPACE=onnx)
target_link_libraries(TilewrightOnnxSchema PUBLIC libprotobuf.a)

# tw_multicall_tool(name SOURCES… [LINK…]): a tool as a part of the multi-call binary: its main gets a name of its own.
function(tw_multicall_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} OBJECT ${ARG_SOURCES})
  string(REPLACE "-" "_" main ${name})
  target_compile_definitions(${name} PRIVATE main=${main}_main)
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  set_property(GLOBAL APPEND PROPERTY TILEWRIGHT_MULTICALL_TOOLS ${name})
endfunction()
