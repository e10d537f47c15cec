// The attention operators of opset 23, in terms of graph.attention and arithmetic.

#include "NodeImport.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::onnx;

void tilewright::onnx::addAttention(OperatorTable &table) {}
