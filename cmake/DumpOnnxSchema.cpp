// Writes the descriptors of ONNX's schema, as the shared library holds them, as a file for `protoc
// --descriptor_set_in`.
#define ONNX_ML 1
#define ONNX_NAMESPACE onnx
#include <google/protobuf/descriptor.pb.h>
#include <onnx/onnx_pb.h>

#include <fstream>

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  google::protobuf::FileDescriptorSet set;
  onnx::ModelProto::descriptor()->file()->CopyTo(set.add_file());
  std::ofstream out(argv[1], std::ios::binary);
  return set.SerializeToOstream(&out) ? 0 : 1;
}
