// Latency, throughput, and each kernel by itself, beside what the package's model said.
#ifndef TILEWRIGHT_TOOLS_TWRUN_BENCHMARK_H
#define TILEWRIGHT_TOOLS_TWRUN_BENCHMARK_H

#include "Run.h"

#include <nlohmann/json.hpp>

namespace tilewright::run {

/// Host latency of whole runs on host tensors (copies and the wait included), device time of back-to-back
/// graph launches between events, and runs a second with two submissions in flight. Times in microseconds.
nlohmann::ordered_json benchmark(const twrt_package *package, twrt_session *session, Inputs &inputs,
                                 double seconds);

/// For every kernel the entry launches: median time of one launch by itself (chains of launches between
/// events, data warm in cache), its share, bandwidth, arithmetic rate, and the modelled time; and copies and
/// memsets.
nlohmann::ordered_json profile(const twrt_package *package, twrt_session *session, Inputs &inputs,
                               bool emulated);

void printBenchmark(const nlohmann::ordered_json &result);
void printProfile(const nlohmann::ordered_json &result);

} // namespace tilewright::run

#endif // TILEWRIGHT_TOOLS_TWRUN_BENCHMARK_H
