// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The shape of a follow: hops of sampled procedures become samples and a summary, live or from a recording.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "cli/option.h"
#include "model/sample.h"

struct bpf_object_skeleton;

namespace strata {

struct Chain;
class Object;
class Recording;
class Session;
class Values;

// Which calls become samples, and by which hooks.
inline constexpr Option kFollowOptions[] = {
    {.name = "sample",
     .value = "1/N",
     .kind = OptionKind::kOneIn,
     .help = "take one in N, at random",
     .low = 1,
     .high = 1'000'000'000,
     .default_value = "1/1000"},
    {.name = "every",
     .value = "N",
     .kind = OptionKind::kNumber,
     .help = "take the N-th, 2N-th, ... instead, for tests",
     .low = 1,
     .high = 1'000'000'000},
    {.name = "window",
     .value = "SECONDS",
     .kind = OptionKind::kDuration,
     .help = "take samples only for so long out of every --every-window",
     .low = 1'000'000'000},
    {.name = "every-window",
     .value = "SECONDS",
     .kind = OptionKind::kDuration,
     .help = "between the beginnings of windows",
     .low = 2'000'000'000,
     .default_value = "10s"},
    choice_option({.name = "via",
                   .value = "auto|functions|tracepoints",
                   .help = "which hooks; auto takes functions where the host permits them",
                   .default_value = "auto"}),
};
// Which samples are shown, of a run and of its replay: --limit counts those. Rejected: to limit those that are taken,
// as without a threshold, for a slow one in a million would never be among them.
// Recordings have all of them.
inline constexpr Option kThresholdOptions[] = {
    {.name = "min-latency",
     .value = "TIME",
     .kind = OptionKind::kTime,
     .help = "show samples whose call took at least TIME (10ms)",
     .high = kHourNs},
    {.name = "min-total",
     .value = "TIME",
     .kind = OptionKind::kTime,
     .help = "the same, from a sample's first hop to its last",
     .high = kHourNs},
};
// Of a procedure whose samples may have a label.
inline constexpr Option kLabelOptions[] = {
    {.name = "label", .help = "of query: say what each asks for, and sum up by it"},
    {.name = "text", .help = "of query: the same with values"},
};
Thresholds thresholds_of(const Values &values);

// What a followed run shares with its BPF object.
struct FollowState {
  bpf_object_skeleton *skeleton;
  volatile uint32_t *sampling;                     // open or closed; set by the run
  const unsigned long long *n_sampled;             // in all
  const unsigned long long *n_submits = nullptr;   // of writes that are not seen
  volatile unsigned long long *n_ended = nullptr;  // samples that are waited for no longer; set by the run
};
// Takes the options above, --limit, and kLabelOptions if the procedure has labels; `set_constants` those that are the
// chain's own, if it has any. The exit status.
int run_follow(const Chain &chain, const Values &values, Session &session, const FollowState &state,
               void (*set_constants)(const Session &session, Object &object));

// The one of this name, which is that of a Followed (run/tool.h); the first if none has it.
const Chain &chain_named(std::span<const Chain *const> chains, std::string_view name);

// Of the chain that the recorded run's operand names; of the first if that is not known.
int replay_follow(std::span<const Chain *const> chains, Recording &recording, Session &session);

}  // namespace strata
