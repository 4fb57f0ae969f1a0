// The shape of a follow: hops of sampled procedures become samples and a summary, live or from a recording.
#pragma once

#include <cstdint>

struct bpf_object_skeleton;

namespace strata {

class Object;
class Recording;
class Session;
class Values;

// What a followed run shares with its BPF object.
struct FollowState {
  bpf_object_skeleton *skeleton;
  volatile uint32_t *sampling;          // open or closed; set by the run
  const unsigned long long *n_sampled;  // in all
  const unsigned long long *n_submits;  // of writes that are not seen
};
// Takes the options --via, --limit, --min-latency, --window, --every-window; `set_constants` the others. The exit
// status.
int run_follow(const Values &values, Session &session, const FollowState &state,
               void (*set_constants)(const Values &values, Object &object));

int replay_follow(Recording &recording, Session &session);

}  // namespace strata
