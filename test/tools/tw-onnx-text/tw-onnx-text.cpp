// tw-onnx-text: writes a model given in ONNX's text syntax (on standard input) as a binary file, so that
// tests of the importer need no Python. Nodes are named after their first output; --unnamed leaves them
// without a name. With --external FILE, initializers of 17 elements or more move to FILE, beside the model.

#define ONNX_ML 1
#define ONNX_NAMESPACE onnx
#include <onnx/defs/parser.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

/// Moves the data of large float initializers to the end of `file`, which is called `location` in the model.
static void moveOut(onnx::GraphProto &graph, std::ofstream &file, const std::string &location) {
  for (onnx::TensorProto &tensor : *graph.mutable_initializer()) {
    if (tensor.float_data_size() < 17)
      continue;
    auto add = [&](const std::string &key, const std::string &value) {
      onnx::StringStringEntryProto *entry = tensor.add_external_data();
      entry->set_key(key);
      entry->set_value(value);
    };
    size_t bytes = size_t(tensor.float_data_size()) * sizeof(float);
    add("location", location);
    add("offset", std::to_string(file.tellp()));
    add("length", std::to_string(bytes));
    file.write(reinterpret_cast<const char *>(tensor.float_data().data()), bytes);
    tensor.clear_float_data();
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  }
}

static void nameNodes(onnx::GraphProto &graph) {
  for (onnx::NodeProto &node : *graph.mutable_node()) {
    if (node.output_size() > 0)
      node.set_name(node.output(0));
    for (onnx::AttributeProto &attribute : *node.mutable_attribute())
      if (attribute.has_g())
        nameNodes(*attribute.mutable_g());
  }
}

int main(int argc, char **argv) {
  std::string output, external;
  bool named = true;
  for (int i = 1; i < argc; ++i) {
    std::string flag = argv[i];
    if (flag == "--unnamed")
      named = false;
    else if (flag == "-o" && i + 1 < argc)
      output = argv[++i];
    else if (flag == "--external" && i + 1 < argc)
      external = argv[++i];
    else
      return std::cerr << "usage: tw-onnx-text [--unnamed] [--external FILE] -o MODEL.onnx < MODEL.txt\n", 2;
  }
  std::string text((std::istreambuf_iterator<char>(std::cin)), std::istreambuf_iterator<char>());
  onnx::ModelProto model;
  auto status = onnx::OnnxParser::Parse(model, text.c_str());
  if (!status.IsOK())
    return std::cerr << status.ErrorMessage() << "\n", 1;
  if (named)
    nameNodes(*model.mutable_graph());
  if (!external.empty()) {
    std::ofstream file(external, std::ios::binary);
    size_t slash = external.rfind('/');
    moveOut(*model.mutable_graph(), file, slash == std::string::npos ? external : external.substr(slash + 1));
  }
  std::ofstream file(output, std::ios::binary);
  return model.SerializeToOstream(&file) ? 0 : 1;
}
