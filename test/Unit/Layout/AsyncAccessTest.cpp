// Post-conditions of AsyncAccess.h by simulation: what the tensor memory accelerator writes by the boxes, and
// which elements a warpgroup product reads by its descriptors, element by element.
#include "Tilewright/Layout/AsyncAccess.h"
#include <gtest/gtest.h>
#include <map>

using namespace tilewright::layout;

/// The permutation of the hardware: address bits 4.. ^= bits 7.., for a span of 32, 64 or 128 bytes.
static int64_t permuted(int64_t address, int swizzleBytes) {
  int64_t mask = swizzleBytes ? swizzleBytes / 16 - 1 : 0;
  return address ^ (((address >> 7) & mask) << 4);
}

/// Runs all boxes: shared byte -> byte of the buffer, -1 where zeros were written.
static std::map<int64_t, int64_t> runBoxes(const TensorBoxes &boxes, const std::vector<int64_t> &index,
                                           int elemBytes) {
  std::map<int64_t, int64_t> shared;
  for (const TensorBox &box : boxes.boxes) {
    std::vector<int64_t> first;
    for (const MapCoordinate &coordinate : boxes.coordinates)
      first.push_back(coordinate.evaluate(index[coordinate.dim] + box.start[coordinate.dim]));
    int64_t count = 1;
    for (int64_t size : boxes.box)
      count *= size;
    for (int64_t i = 0; i < count; ++i) {
      int64_t rest = i, source = boxes.offsetBytes;
      bool inside = true;
      for (size_t d = 0; d < boxes.dims.size(); ++d) {
        int64_t at = first[d] + rest % boxes.box[d];
        rest /= boxes.box[d];
        inside &= at >= 0 && at < boxes.dims[d];
        source += at * (d ? boxes.strides[d - 1] : elemBytes);
      }
      int64_t place = permuted(box.sharedBytes + i * elemBytes, boxes.swizzleBytes);
      EXPECT_TRUE(shared.emplace(place, inside ? source : -1).second) << "written twice";
    }
  }
  return shared;
}

static void checkBoxes(const SharedLayout &shared, const StridedView &view,
                       const std::vector<int64_t> &divisors, const std::vector<std::vector<int64_t>> &starts,
                       int elemBits, int64_t parts = 1) {
  std::string why;
  auto boxes = tensorBoxes(shared, view, divisors, elemBits, &why, parts);
  ASSERT_TRUE(boxes) << why;
  EXPECT_EQ(boxes->parts, parts);
  // What the other blocks bring.
  for (size_t i = 0, own = boxes->boxes.size(); i < own; ++i)
    for (int64_t part = 1; part < parts; ++part) {
      TensorBox box = boxes->boxes[i];
      if (boxes->isOfFew(box) && part >= boxes->few)
        continue;
      box.start[boxes->partDim] += part * boxes->partElems;
      box.sharedBytes += part * boxes->partBytes;
      boxes->boxes.push_back(box);
    }
  int elemBytes = elemBits / 8;
  int64_t total = elemBytes;
  for (int64_t size : shared.shape())
    total *= size;
  EXPECT_EQ(boxes->bytes, total);
  for (const std::vector<int64_t> &start : starts) {
    std::map<int64_t, int64_t> written = runBoxes(*boxes, start, elemBytes);
    EXPECT_EQ((int64_t)written.size() * elemBytes, total);
    for (int64_t e = 0; e < total / elemBytes; ++e) {
      Coord c(shared.rank());
      std::vector<int64_t> index(shared.rank());
      bool inside = true;
      int64_t rest = e;
      for (int d = shared.rank(); d-- > 0;) {
        c[d] = (int32_t)(rest % shared.shape()[d]);
        rest /= shared.shape()[d];
        index[d] = start[d] + c[d];
        inside &= index[d] < view.shape()[d];
      }
      auto offset = inside ? view.offsetOf(index) : std::nullopt;
      ASSERT_EQ(written.at(shared.offsetOf(c) * elemBytes), offset ? *offset * elemBytes : -1)
          << "element " << e << " of " << shared.toString() << " from " << view.toString();
    }
  }
}

TEST(TensorBoxes, RowMajorTilesOfEverySpan) {
  for (int64_t columns : {64, 32, 16, 128, 8}) {
    auto shared = SharedLayout::tma({32, columns}, 16, {1, 0});
    ASSERT_TRUE(shared);
    checkBoxes(*shared, StridedView::rowMajor({100, 200}), {32, columns}, {{0, 0}, {96, 128}, {64, 192}}, 16);
  }
  auto bytes = SharedLayout::tma({64, 128}, 8, {1, 0}), words = SharedLayout::tma({16, 64}, 32, {1, 0});
  checkBoxes(*bytes, StridedView::rowMajor({70, 144}), {64, 128}, {{0, 0}, {64, 128}}, 8);
  checkBoxes(*words, StridedView::rowMajor({70, 144}), {16, 64}, {{0, 0}, {64, 128}}, 32);
}

TEST(TensorBoxes, ColumnMajorAndTransposedViews) {
  auto shared = SharedLayout::tma({128, 64}, 16, {0, 1});
  checkBoxes(*shared, StridedView::rowMajor({96, 256}).transpose({1, 0}), {128, 64}, {{0, 0}, {128, 64}}, 16);
}

TEST(TensorBoxes, MoreThan256RowsAreSeveralBoxes) {
  auto shared = SharedLayout::tma({512, 64}, 16, {1, 0});
  auto boxes = tensorBoxes(*shared, StridedView::rowMajor({4096, 4096}), {512, 64}, 16);
  ASSERT_TRUE(boxes);
  EXPECT_EQ(boxes->boxes.size(), 2u);
  checkBoxes(*shared, StridedView::rowMajor({600, 64}), {512, 64}, {{0, 0}, {512, 0}}, 16);
}

TEST(TensorBoxes, BatchesSlicesPaddingAndNestedDims) {
  auto shared = SharedLayout::tma({1, 32, 64}, 16, {2, 1, 0});
  checkBoxes(*shared, StridedView::rowMajor({3, 40, 96}), {1, 32, 64}, {{0, 0, 0}, {2, 32, 64}}, 16);
  auto slice = StridedView::rowMajor({4, 64, 128}).slice({1, 8, 64}, {2, 20, 64}, {1, 2, 1});
  checkBoxes(*shared, *slice, {1, 32, 64}, {{0, 0, 0}, {1, 0, 0}}, 16);
  auto padded = StridedView::rowMajor({2, 30, 64}).pad({0, 3, 0}, {0, 5, 0});
  checkBoxes(*shared, *padded, {1, 32, 64}, {{0, 0, 0}, {1, 32, 0}}, 16);
  // Heads: [batch, row, head * 64 + column] seen as [batch * head, row, column].
  auto heads = StridedView::rowMajor({2, 48, 4, 64}).transpose({0, 2, 1, 3}).reshape({8, 48, 64});
  ASSERT_TRUE(heads);
  checkBoxes(*shared, *heads, {1, 32, 64}, {{0, 0, 0}, {5, 32, 0}, {7, 0, 0}}, 16);
}

TEST(TensorBoxes, OneRowOfManyInTheTile) {
  auto shared = SharedLayout::tma({64, 64}, 16, {1, 0});
  checkBoxes(*shared, StridedView::rowMajor({1, 200}), {64, 64}, {{0, 0}, {0, 192}}, 16);
  checkBoxes(*shared, StridedView::rowMajor({1, 200}).simplify(), {64, 64}, {{0, 0}, {0, 192}}, 16);
}

TEST(TensorBoxes, PartsOfBlocksMakeTheTile) {
  for (int64_t parts : {2, 4}) {
    // Rows are cut, in one span and in two; spans themselves where rows are the contiguous dimension.
    checkBoxes(*SharedLayout::tma({128, 64}, 16, {1, 0}), StridedView::rowMajor({300, 200}), {128, 64},
               {{0, 0}, {128, 64}, {256, 192}}, 16, parts);
    checkBoxes(*SharedLayout::tma({64, 128}, 16, {1, 0}), StridedView::rowMajor({300, 200}), {64, 128},
               {{0, 0}, {256, 128}}, 16, parts);
    checkBoxes(*SharedLayout::tma({256, 64}, 16, {0, 1}), StridedView::rowMajor({200, 304}).transpose({1, 0}),
               {256, 64}, {{0, 0}, {256, 128}}, 16, parts);
  }
  // Groups of 8 rows that are not divided evenly, in one span and in two, the last of them outside.
  for (int64_t parts : {2, 4, 8})
    for (int64_t rows : {72, 88, 120, 136, 216}) {
      checkBoxes(*SharedLayout::tma({rows, 64}, 16, {1, 0}), StridedView::rowMajor({300, 200}), {rows, 64},
                 {{0, 0}, {rows, 64}}, 16, parts);
      checkBoxes(*SharedLayout::tma({rows, 128}, 16, {1, 0}), StridedView::rowMajor({300, 200}), {rows, 128},
                 {{0, 0}, {rows, 128}}, 16, parts);
    }
  std::string why;
  EXPECT_FALSE(tensorBoxes(*SharedLayout::tma({24, 64}, 16, {1, 0}), StridedView::rowMajor({300, 200}),
                           {24, 64}, 16, &why, 4));
  EXPECT_EQ(why, "a box of 24 elements in dimension 0 is not cut in 4 parts of whole groups of 8");
}

TEST(TensorBoxes, SaysWhyThereIsNoMap) {
  std::string why;
  auto shared = *SharedLayout::tma({32, 64}, 16, {1, 0});
  EXPECT_FALSE(tensorBoxes(shared, StridedView::rowMajor({100, 100}), {32, 64}, 16, &why));
  EXPECT_NE(why.find("200 bytes"), std::string::npos) << why;
  EXPECT_FALSE(tensorBoxes(shared, StridedView::rowMajor({100, 128}).transpose({1, 0}), {32, 64}, 16, &why));
  EXPECT_NE(why.find("contiguous"), std::string::npos) << why;
  auto odd = StridedView::rowMajor({64, 128}).slice({0, 4}, {64, 64}, {1, 1});
  EXPECT_FALSE(tensorBoxes(shared, *odd, {32, 64}, 16, &why));
  EXPECT_NE(why.find("8 bytes into"), std::string::npos) << why;
  SharedLayout rows = SharedLayout::plain({32, 64}, {1, 0}, 8);
  EXPECT_FALSE(tensorBoxes(rows, StridedView::rowMajor({100, 128}), {32, 64}, 16, &why));
}

/// Which element a descriptor reads at row (column) i and element k: the canonical layouts of the PTX ISA.
static int64_t readAddress(const WgmmaOperand &operand, int64_t start, int64_t i, int64_t k) {
  int64_t bytes = operand.elemBits / 8, span = operand.swizzleBytes ? operand.swizzleBytes : 16;
  int64_t address;
  if (!operand.mnMajor && span == 16)
    address =
        i / 8 * operand.strideBytes + i % 8 * 16 + k * bytes / 16 * operand.leadingBytes + k * bytes % 16;
  else if (!operand.mnMajor)
    address = i / 8 * operand.strideBytes + i % 8 * span + k * bytes;
  else if (span == 16)
    address = i / 8 * operand.strideBytes + i % 8 * bytes + k / 8 * operand.leadingBytes + k % 8 * 16;
  else
    address = i * bytes / span * operand.leadingBytes + i * bytes % span + k / 8 * operand.strideBytes +
              k % 8 * span;
  return permuted(start + address, operand.swizzleBytes);
}

static void checkOperand(const Shape &shape, int elemBits, const std::vector<int> &order, int64_t rows) {
  auto shared = SharedLayout::tma(shape, elemBits, order);
  ASSERT_TRUE(shared);
  std::string why;
  auto operand = wgmmaOperand(*shared, 0, 1, elemBits, &why);
  ASSERT_TRUE(operand) << why;
  EXPECT_EQ(operand->mnMajor, order[0] == 0);
  int64_t bytes = elemBits / 8, instructionK = 32 / bytes;
  for (int64_t mn = 0; mn + rows <= shape[0]; mn += rows)
    for (int64_t k = 0; k < shape[1]; k += instructionK) {
      ASSERT_EQ(mn % operand->mnStep, 0);
      int64_t start = operand->offsetBytes(mn, k);
      ASSERT_EQ(start % 16, 0);
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t kk = 0; kk < instructionK; ++kk)
          ASSERT_EQ(readAddress(*operand, start, i, kk),
                    shared->offsetOf({(int32_t)(mn + i), (int32_t)(k + kk)}) * bytes)
              << shared->toString() << " at " << mn << ", " << k << " + " << i << ", " << kk;
    }
}

TEST(SlotColumns, AreWholeSpansButForNarrowTiles) {
  for (auto [columns, expected] :
       {std::pair{8, 64}, {32, 32}, {64, 64}, {96, 96}, {112, 128}, {128, 128}, {160, 192}, {336, 384}})
    EXPECT_EQ(slotColumns(columns, 16), expected) << columns;
  // Those of other widths lie along K.
  EXPECT_EQ(slotColumns(112, 8), 112);
}

TEST(WgmmaOperand, ReadsEveryElementWithKContiguous) {
  for (int64_t k : {64, 32, 16, 128, 48})
    checkOperand({128, k}, 16, {1, 0}, 64);
  checkOperand({256, 64}, 16, {1, 0}, 256);
  checkOperand({96, 64}, 16, {1, 0}, 96);
  checkOperand({64, 128}, 8, {1, 0}, 64);
  checkOperand({64, 32}, 32, {1, 0}, 64);
}

TEST(WgmmaOperand, ReadsEveryElementWithRowsContiguous) {
  for (int64_t rows : {64, 128, 192})
    checkOperand({rows, 64}, 16, {0, 1}, 64);
  checkOperand({256, 32}, 16, {0, 1}, 256);
  checkOperand({32, 64}, 16, {0, 1}, 32);
  checkOperand({48, 16}, 16, {0, 1}, 48);
}

TEST(WgmmaOperand, BitsOfTheDescriptor) {
  // The values of the recipe: 0x40000040 above, leading offset field 1, or 512 for M contiguous.
  auto rows = wgmmaOperand(*SharedLayout::tma({128, 64}, 16, {1, 0}), 0, 1, 16);
  EXPECT_EQ(rows->bits(), uint64_t(0x40000040) << 32 | uint64_t(1) << 16);
  EXPECT_EQ(rows->offsetBytes(0, 16), 32);
  EXPECT_EQ(rows->offsetBytes(64, 0), 8192);
  auto columns = wgmmaOperand(*SharedLayout::tma({128, 64}, 16, {0, 1}), 0, 1, 16);
  EXPECT_EQ(columns->bits(), uint64_t(0x40000040) << 32 | uint64_t(512) << 16);
  EXPECT_EQ(columns->offsetBytes(0, 16), 2048);
  std::string why;
  EXPECT_FALSE(wgmmaOperand(*SharedLayout::tma({64, 32}, 8, {0, 1}), 0, 1, 8, &why));
  EXPECT_FALSE(wgmmaOperand(SharedLayout::plain({64, 64}, {1, 0}), 0, 1, 16, &why));
}
