// Einsum: operands are joined from left to right, each time as a batched matrix product whose rows, columns,
// depth and batch are the flattened subscripts of that kind; without a depth, as a product of elements.
// Dimensions under an ellipsis get the digits as subscripts, and are broadcast; repeated subscripts are
// replaced by the diagonal before.

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
  left = n.reshape(left, leftShape);
  right = n.reshape(right, rightShape);
  if (rows.size != 1 || columns.size != 1 ? !depth.subscripts.empty() : depth.size == 0)
    return {n.reshape(n.matmul(left, right), shape), result};
  // Nothing is summed, or each sum is of two vectors.
  Dims wide = leftShape;
  wide.back() = rightShape.back();
  if (rows.size == 1 && columns.size == 1) {
    wide.back() = depth.size;
    right = n.reshape(right, wide);
  }
  Value product = n.mul(n.broadcast(n.widen(left), wide), n.broadcast(n.widen(right), wide));
  if (rows.size == 1 && columns.size == 1)
    product = n.reduce(graph::ReduceKind::Sum, product, {(int64_t)wide.size() - 1}, /*keepDims=*/true);
  return {n.reshape(n.castTo(product, n.elementOf(left)), shape), result};
}

/// `x` with every repeated subscript replaced by one: the diagonal of its dimensions.
static Subscripted diagonal(NodeImport &n, Subscripted x) {
  for (size_t first = 0; first < x.subscripts.size(); ++first) {
    size_t second = x.subscripts.find(x.subscripts[first], first + 1);
    if (second == std::string::npos)
      continue;
    // The two dimensions go last and become one, of which every (size + 1)-th element is kept.
    Dims permutation, shape;
    std::string kept;
    for (size_t d = 0; d < x.subscripts.size(); ++d)
      if (d != first && d != second) {
        permutation.push_back(d);
        shape.push_back(n.shapeOf(x.value)[d]);
        kept.push_back(x.subscripts[d]);
      }
    int64_t size = n.shapeOf(x.value)[first], last = shape.size();
    llvm::append_values(permutation, (int64_t)first, (int64_t)second);
    shape.push_back(size * size);
    kept.push_back(x.subscripts[first]);
    Value flat = n.reshape(n.transpose(x.value, permutation), shape);
    return diagonal(n, {n.sliceDim(flat, last, 0, size, size + 1), kept});
  }
  return x;
}

/// A term with its ellipsis, if any, spelled as the last `dims` of `all` digits.
static std::string spelled(StringRef term, int64_t dims, int64_t all) {
  size_t at = term.find("...");
  if (at == StringRef::npos)
    return term.str();
  std::string digits;
  for (int64_t d = all - dims; d < all; ++d)
    digits.push_back(char('0' + d));
  return term.take_front(at).str() + digits + term.drop_front(at + 3).str();
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
  std::map<char, std::pair<int64_t, int>> subscripts; // size, and how often it occurs
  std::vector<Subscripted> operands;
  int64_t ellipsis = 0; // the most dimensions that an ellipsis stands for
  for (auto [i, term] : llvm::enumerate(terms))
    if (n.has(i) && term.contains("..."))
      ellipsis = std::max(ellipsis, n.rankOf(n.operand(i)) - (int64_t)term.size() + 3);
  if (ellipsis > 9)
    return n.fail("an ellipsis of its equation '" + equation + "' stands for " + Twine(ellipsis) +
                  " dimensions");
  for (auto [i, given] : llvm::enumerate(terms)) {
    Value x = n.operand(i);
    std::string term = n.has(i) ? spelled(given, n.rankOf(x) - (int64_t)given.size() + 3, ellipsis) : "";
    auto isSubscript = [&](char c) { return llvm::isAlpha(c) || ('0' <= c && c < '0' + ellipsis); };
    if (!n.has(i) || failed(n.expectSameElements(n.operand(0), x)) || n.isBool(x))
      return n.fail("operand #" + Twine(i) + " is missing or boolean");
    if ((int64_t)term.size() != n.rankOf(x) || !llvm::all_of(term, isSubscript))
      return n.fail("'" + given + "' in its equation '" + equation + "' is not a letter for each of " +
                    Twine(n.rankOf(x)) + " dimensions");
    for (auto [d, subscript] : llvm::enumerate(term)) {
      auto [known, isNew] = subscripts.try_emplace(subscript, n.shapeOf(x)[d], 0);
      ++known->second.second;
      if (llvm::isDigit(subscript) && known->second.first == 1)
        known->second.first = n.shapeOf(x)[d];
      if (known->second.first != n.shapeOf(x)[d] && !(llvm::isDigit(subscript) && n.shapeOf(x)[d] == 1))
        return n.fail("subscript '" + Twine(subscript) + "' of its equation '" + equation + "' has sizes " +
                      Twine(known->second.first) + " and " + Twine(n.shapeOf(x)[d]));
    }
    operands.push_back(diagonal(n, {x, term}));
  }
  for (Subscripted &operand : operands) { // dimensions of size 1 under an ellipsis
    Dims dims, shape;
    for (auto [d, subscript] : llvm::enumerate(operand.subscripts)) {
      dims.push_back(d);
      shape.push_back(subscripts[subscript].first);
    }
    if (n.shapeOf(operand.value) != NodeImport::Shape(shape))
      operand.value = n.broadcastDims(operand.value, dims, shape);
  }
  // Without an arrow, the result has the dimensions of the ellipsis and the subscripts that occur once, in
  // alphabetical order; digits come first.
  std::string wanted = spelled(output, ellipsis, ellipsis);
  if (!StringRef(equation).contains("->"))
    for (auto [subscript, known] : subscripts)
      if (known.second == 1 || llvm::isDigit(subscript))
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

void tilewright::onnx::addEinsum(OperatorTable &table) {
  table["Einsum"] = {importEinsum, 1, kVariadic, Signedness::SameBits};
}
