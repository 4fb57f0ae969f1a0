// The shape of a follow: hops of sampled procedures become samples and a summary, live or from a recording.
#pragma once

#include <cstdint>
#include <span>

#include "cli/option.h"
#include "model/sample.h"

struct bpf_object_skeleton;

namespace strata {

struct Chain;
class Object;
class Recording;
class Session;
class Values;

// Which samples are shown, of a run and of its replay: --limit counts those. Rejected: to limit those that are taken,
// as without a threshold, for a slow one in a million would never be among them.
inline constexpr Option kThresholdOptions[] = {
    {.name = "min-latency",
     .value = "TIME",
     .kind = OptionKind::kTime,
     .help = "show only samples whose system call took at least TIME (5us, 10ms, 2s)",
     .high = kHourNs},
    {.name = "min-total",
     .value = "TIME",
     .kind = OptionKind::kTime,
     .help = "the same, from a sample's first hop to its last",
     .high = kHourNs},
};
Thresholds thresholds_of(const Values &values);
uint64_t most_taken(const Values &values);  // samples; 0: no limit, as with a threshold

// What a followed run shares with its BPF object.
struct FollowState {
  bpf_object_skeleton *skeleton;
  volatile uint32_t *sampling;                // open or closed; set by the run
  const unsigned long long *n_sampled;        // in all
  const unsigned long long *n_submits;        // of writes that are not seen; nullptr: there are none
  volatile unsigned long long *n_ended;       // samples that user space waits for no longer; nullptr: nobody asks
};
// Takes the options --via, --limit, --window, --every-window and the thresholds; `set_constants` the others. The exit
// status.
int run_follow(const Chain &chain, const Values &values, Session &session, const FollowState &state,
               void (*set_constants)(const Values &values, Object &object));

// Of the chain that the recorded run's operand names; of the first if that is not known.
int replay_follow(std::span<const Chain *const> chains, Recording &recording, Session &session);

}  // namespace strata
