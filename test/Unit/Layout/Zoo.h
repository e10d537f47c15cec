// The layouts that tests run over: fragments, blocked, coalesced, projected; sizes that are no powers of two.
#ifndef TILEWRIGHT_TEST_LAYOUT_ZOO_H
#define TILEWRIGHT_TEST_LAYOUT_ZOO_H

#include "Tilewright/Layout/LinearLayout.h"
#include <functional>

namespace tilewright::layout {

struct Named {
  std::string name;
  LinearLayout layout;
};

/// Layouts of one matrix shape with four warps.
inline std::vector<Named> layoutsOf(const Shape &shape) {
  std::vector<Named> out;
  out.push_back({"acc 4x1", LinearLayout::mmaAccumulator(shape, 4, 1)});
  out.push_back({"acc 2x2", LinearLayout::mmaAccumulator(shape, 2, 2)});
  out.push_back({"A bf16 2x2", LinearLayout::mmaOperandA(shape, 16, 2, 2)});
  out.push_back({"A tf32 4x1", LinearLayout::mmaOperandA(shape, 32, 4, 1)});
  out.push_back({"A s8 2x2", LinearLayout::mmaOperandA(shape, 8, 2, 2)});
  out.push_back({"B bf16 2x2", LinearLayout::mmaOperandB(shape, 16, 2, 2)});
  out.push_back({"B tf32 1x4", LinearLayout::mmaOperandB(shape, 32, 1, 4)});
  out.push_back({"rows bf16", LinearLayout::coalesced(shape, 16, 4, {1, 0})});
  out.push_back({"rows f32", LinearLayout::coalesced(shape, 32, 4, {1, 0})});
  out.push_back({"columns f32", LinearLayout::coalesced(shape, 32, 4, {0, 1})});
  out.push_back({"blocked", LinearLayout::blocked(shape, {2, 2}, {8, 4}, {2, 2}, {1, 0})});
  out.push_back({"one lane per row", LinearLayout::blocked(shape, {1, 1}, {32, 1}, {4, 1}, {1, 0})});
  return out;
}

inline std::vector<Shape> matrixShapes() {
  return {{64, 176}, {192, 128}, {80, 96}, {96, 80}, {1, 384}, {16, 8},
          {16, 16},  {64, 64},   {1, 1},   {3, 5},   {8, 1},   {384, 2}};
}

/// All of the above, their projections, and a few of other ranks.
inline std::vector<Named> zoo() {
  std::vector<Named> out;
  for (const Shape &shape : matrixShapes())
    for (Named &named : layoutsOf(shape)) {
      std::string name = named.name + " " + std::to_string(shape[0]) + "x" + std::to_string(shape[1]);
      for (int dim : {0, 1})
        out.push_back({name + " projected " + std::to_string(dim), named.layout.project(dim).layout});
      out.push_back({name, std::move(named.layout)});
    }
  out.push_back({"scalar", LinearLayout()});
  out.push_back({"vector", LinearLayout::coalesced({384}, 16, 4, {0})});
  out.push_back({"batched acc", LinearLayout::mmaAccumulator({1, 3, 32, 48}, 2, 1)});
  out.push_back({"batched rows", LinearLayout::coalesced({6, 10, 24}, 32, 8, {2, 1, 0})});
  // One register bit and one lane bit move along both dims.
  out.push_back(
      {"sheared", *LinearLayout::parse(
                      "{shape=[8,8], register=[[0,4]], lane=[[1,1],[2,2],[4,0],[0,1],[0,2]], warp=[]}")});
  out.push_back(
      {"swapped", *LinearLayout::parse("{shape=[2,3], register=[[1,0]], lane=[], warp=[], repeat=[1,3]}")});
  return out;
}

/// Calls `f` with every coordinate of `shape`.
inline void forAll(const Shape &shape, const std::function<void(const Coord &)> &f) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  for (int64_t n = 0; n < count; ++n) {
    Coord c(shape.size());
    int64_t rest = n;
    for (size_t d = shape.size(); d-- > 0; rest /= shape[d])
      c[d] = static_cast<int32_t>(rest % shape[d]);
    f(c);
  }
}
/// Calls `f` with every point of the layout's hardware.
inline void forAllPoints(const LinearLayout &layout, const std::function<void(const HwCoord &)> &f) {
  for (int block = 0; block < layout.size(Hw::Block); ++block)
    for (int warp = 0; warp < layout.numWarps(); ++warp)
      for (int lane = 0; lane < layout.numLanes(); ++lane)
        for (int reg = 0; reg < layout.numRegisters(); ++reg)
          f({reg, lane, warp, block});
}
inline int64_t rowMajorIndex(const Coord &c, const Shape &shape) {
  int64_t n = 0;
  for (size_t d = 0; d < shape.size(); ++d)
    n = n * shape[d] + c[d];
  return n;
}

} // namespace tilewright::layout

#endif // TILEWRIGHT_TEST_LAYOUT_ZOO_H
