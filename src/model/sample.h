// One followed procedure and the account of many: what the spans shape collects and every format renders.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/field.h"
#include "model/histogram.h"

namespace strata {

// A point that the sample passed. The time between two hops is charged to the layer of the later one.
struct Hop {
  std::string_view layer;  // "syscall", "page cache", "block", "device", ...
  std::string name;        // the event in the field's words: "enter write", "dirty", "queue bio", "issue", ...
  uint64_t ts_ns = 0;      // CLOCK_MONOTONIC
  uint32_t cpu = 0;
  uint32_t tid = 0;
  std::string comm;         // raw bytes of the kernel's comm, at most 15; renderers sanitise
  bool background = false;  // happened behind the application's back: outside of the system call that it waited for
  std::vector<NamedValue> fields;
};

enum class Outcome : uint8_t { kCompleted, kPending, kTruncated, kFailed, kLost };

struct Sample {
  uint64_t id = 0;
  Outcome outcome = Outcome::kPending;
  std::string reason;     // for kFailed the errno's name, for kLost why; for others what is unusual, if anything
  uint64_t start_ns = 0;  // CLOCK_MONOTONIC
  uint64_t seen_ns = 0;   // what the application waited for
  uint64_t total_ns = 0;  // from the start to the last hop
  std::vector<NamedValue> fields;  // file, offset, bytes, ...
  std::vector<Hop> hops;           // in order of time
};

// Where the time of all samples went, layer by layer.
struct LayerTimes {
  std::string layer;
  bool background = false;
  Histogram ns;  // one entry per visit of a sample to the layer
};

// sampled = completed + pending + truncated + failed + lost, always.
struct Account {
  uint64_t sampled = 0;
  uint64_t completed = 0;
  uint64_t pending = 0;                                  // not written back when the run ended
  uint64_t truncated = 0;                                // truncated or unlinked before writeback
  std::vector<std::pair<std::string, uint64_t>> failed;  // by errno name
  std::vector<std::pair<std::string, uint64_t>> lost;    // by reason
};

struct Summary {
  std::string attach_mode;  // how the samples were taken, e.g. "tracepoints: system call to request completion"
  std::vector<LayerTimes> layers;
  Account account;
};

std::string_view name_of(Outcome outcome);  // "completed", "not written back", "truncated", "failed", "lost"

}  // namespace strata
