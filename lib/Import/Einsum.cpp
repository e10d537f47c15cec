// Einsum without ellipses and diagonals: operands are joined from left to right, each time as a batched
// matrix product whose rows, columns, depth and batch are the flattened subscripts of that kind.

#include "NodeImport.h"

#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::onnx;
using Dims = NodeImport::Dims;

namespace {
/// A tensor and the subscript of each of its dimensions.
struct Subscripted {
  Value value;
  std::string subscripts;
};

/// Subscripts with the product of their sizes.
struct Group {
  std::string subscripts;
  int64_t size = 1;
};
} // namespace

static int64_t sizeOf(NodeImport &n, const Subscripted &x, char subscript) {
  return n.shapeOf(x.value)[x.subscripts.find(subscript)];
}

/// `x` with its dimensions in the order of `subscripts`, which are its own.
static Subscripted ordered(NodeImport &n, const Subscripted &x, const std::string &subscripts) {
  if (x.subscripts == subscripts)
    return x;
  Dims permutation;
  for (char subscript : subscripts)
    permutation.push_back((int64_t)x.subscripts.find(subscript));
  return {n.transpose(x.value, permutation), subscripts};
}

/// `x` summed over the subscripts that are not in `wanted`.
static Subscripted summed(NodeImport &n, const Subscripted &x, const std::string &wanted) {
  Dims dims;
  std::string kept;
  for (auto [d, subscript] : llvm::enumerate(x.subscripts)) {
    if (wanted.find(subscript) == std::string::npos)
      dims.push_back((int64_t)d);
    else
      kept.push_back(subscript);
  }
  Value wide = dims.empty() ? x.value : n.widen(x.value);
  return {n.castTo(n.reduce(graph::ReduceKind::Sum, wide, dims, /*keepDims=*/false), n.elementOf(x.value)),
          kept};
}

/// The product of `a` and `b`, summed over the subscripts that are not in `wanted`.
static Subscripted joined(NodeImport &n, Subscripted a, Subscripted b, const std::string &wanted) {
  a = summed(n, a, wanted + b.subscripts);
  b = summed(n, b, wanted + a.subscripts);
  Group batch, rows, depth, columns;
  auto put = [&](Group &group, const Subscripted &x, char subscript) {
    group.subscripts.push_back(subscript);
    group.size *= sizeOf(n, x, subscript);
  };
  for (char subscript : a.subscripts) {
    bool shared = b.subscripts.find(subscript) != std::string::npos;
    bool kept = wanted.find(subscript) != std::string::npos;
    put(!shared ? rows : (kept ? batch : depth), a, subscript);
  }
  for (char subscript : b.subscripts)
    if (a.subscripts.find(subscript) == std::string::npos)
      put(columns, b, subscript);
  Dims shape;
  std::string result = batch.subscripts + rows.subscripts + columns.subscripts;
  for (char subscript : result)
    shape.push_back(sizeOf(n, a.subscripts.find(subscript) != std::string::npos ? a : b, subscript));
  Value left = ordered(n, a, batch.subscripts + rows.subscripts + depth.subscripts).value;
  Value right = ordered(n, b, batch.subscripts + depth.subscripts + columns.subscripts).value;
  Dims leftShape = {rows.size, depth.size}, rightShape = {depth.size, columns.size};
  if (!batch.subscripts.empty()) {
    leftShape.insert(leftShape.begin(), batch.size);
    rightShape.insert(rightShape.begin(), batch.size);
  }
  Value product = n.matmul(n.reshape(left, leftShape), n.reshape(right, rightShape));
  return {n.reshape(product, shape), result};
}

static LogicalResult importEinsum(NodeImport &n) {
  std::string equation = n.stringAttribute("equation", "");
  equation.erase(std::remove(equation.begin(), equation.end(), ' '), equation.end());
  auto [inputs, output] = StringRef(equation).split("->");
  SmallVector<StringRef> terms;
  inputs.split(terms, ',');
  if (terms.size() != n.numOperands())
    return n.fail("its equation '" + equation + "' names " + Twine(terms.size()) + " operands, it has " +
                  Twine(n.numOperands()));
  std::map<char, std::pair<int64_t, int>> subscripts; // size, and how many operands have it
  std::vector<Subscripted> operands;
  for (auto [i, term] : llvm::enumerate(terms)) {
    Value x = n.operand(i);
    if (!n.has(i) || failed(n.expectSameElements(n.operand(0), x)) || n.isBool(x))
      return n.fail("operand #" + Twine(i) + " is missing or boolean");
    if ((int64_t)term.size() != n.rankOf(x) || !llvm::all_of(term, llvm::isAlpha))
      return n.fail("'" + term + "' in its equation '" + equation + "' is not a letter for each of " +
                    Twine(n.rankOf(x)) + " dimensions");
    for (auto [d, subscript] : llvm::enumerate(term)) {
      if (term.count(subscript) > 1)
        return n.fail("the diagonal '" + term + "' in its equation '" + equation + "' is not supported");
      auto [known, isNew] = subscripts.try_emplace(subscript, n.shapeOf(x)[d], 0);
      ++known->second.second;
      if (known->second.first != n.shapeOf(x)[d])
        return n.fail("subscript '" + Twine(subscript) + "' of its equation '" + equation + "' has sizes " +
                      Twine(known->second.first) + " and " + Twine(n.shapeOf(x)[d]));
    }
    operands.push_back({x, term.str()});
  }
  // Without an arrow, the result has the subscripts that occur once, in alphabetical order.
  std::string wanted = output.str();
  if (!StringRef(equation).contains("->"))
    for (auto [subscript, known] : subscripts)
      if (known.second == 1)
        wanted.push_back(subscript);
  if (wanted.size() > subscripts.size())
    return n.fail("its equation '" + equation + "' has a result of unknown or repeated subscripts");
  for (char subscript : wanted)
    if (!subscripts.count(subscript) || llvm::count(wanted, subscript) > 1)
      return n.fail("its equation '" + equation + "' has a result of unknown or repeated subscripts");
  Subscripted total = operands.front();
  for (size_t i = 1; i < operands.size(); ++i) {
    std::string later = wanted;
    for (size_t k = i + 1; k < operands.size(); ++k)
      later += operands[k].subscripts;
    total = joined(n, total, operands[i], later);
  }
  return n.yield(ordered(n, summed(n, total, wanted), wanted).value);
}

void tilewright::onnx::addEinsum(OperatorTable &table) { table["Einsum"] = {importEinsum, 1, kVariadic}; }
