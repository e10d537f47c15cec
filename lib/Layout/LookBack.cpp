// The words of a line of pieces, level by level.
#include "Tilewright/Layout/LookBack.h"

using namespace tilewright::layout;

LookBackPlan tilewright::layout::lookBackPlan(int64_t pieces) {
  LookBackPlan plan;
  for (int64_t count = pieces; count > 1; count = (count + LookBackPlan::kFan - 1) / LookBackPlan::kFan) {
    plan.levels.push_back({plan.words, count});
    plan.words += count;
  }
  return plan;
}
