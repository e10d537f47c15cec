// What a package holds, as text or JSON.
#ifndef TILEWRIGHT_TOOLS_TWRUN_LISTING_H
#define TILEWRIGHT_TOOLS_TWRUN_LISTING_H

#include "Run.h"

#include <nlohmann/json.hpp>

namespace tilewright::run {

nlohmann::ordered_json listing(const twrt_package *package);
void printListing(const nlohmann::ordered_json &list);

} // namespace tilewright::run

#endif // TILEWRIGHT_TOOLS_TWRUN_LISTING_H
