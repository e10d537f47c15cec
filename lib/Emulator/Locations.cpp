// Locations as readers know them.
#include "HostModule.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

std::string tilewright::emulator::describeLocation(Location location) {
  return llvm::TypeSwitch<Location, std::string>(location)
      .Case([](NameLoc loc) {
        std::string name = "\"" + loc.getName().str() + "\"";
        return isa<UnknownLoc>(loc.getChildLoc()) ? name
                                                  : name + " (" + describeLocation(loc.getChildLoc()) + ")";
      })
      .Case([](FileLineColLoc loc) {
        return loc.getFilename().str() + ":" + std::to_string(loc.getLine()) + ":" +
               std::to_string(loc.getColumn());
      })
      .Case([](CallSiteLoc loc) {
        return describeLocation(loc.getCallee()) + " called from " + describeLocation(loc.getCaller());
      })
      .Case([](FusedLoc loc) {
        std::string all;
        for (Location part : loc.getLocations())
          if (!isa<UnknownLoc>(part))
            all += (all.empty() ? "" : " and ") + describeLocation(part);
        return all.empty() ? std::string("unknown") : all;
      })
      .Case([](OpaqueLoc loc) { return describeLocation(loc.getFallbackLocation()); })
      .Default([](Location) { return std::string("unknown"); });
}
