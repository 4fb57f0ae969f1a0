// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A program that runs so many times a second on each CPU, by the kernel's own timer (perf's software event cpu-clock),
// or by another event: one for each CPU that is online, and their owner.
#pragma once

#include <bpf/libbpf.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "bpf/host.h"
#include "bpf/sample_event.h"

namespace strata {

class Sampling {
 public:
  explicit Sampling(const Host &on) : host_(on) {}
  void set_rate(uint64_t hz) { hz_ = hz; }
  void set_event(const SampleEvent &event) { event_ = event; }
  void set_period(uint64_t events) { period_ = events; }                  // instead of a rate: at each so many events
  void set_cpus(std::vector<uint32_t> cpus) { cpus_ = std::move(cpus); }  // in their order; none: all

  // After load(). Throws Error: the rate is above the kernel's limit, the host does not have the event, or perf events
  // of a CPU are refused.
  void attach(bpf_program *program);
  // A CPU that was taken offline loses its event for good: call this now and then, for CPUs that came and that left.
  void follow_cpus();
  void detach();
  [[nodiscard]] bool attached() const { return !links_.empty(); }

 private:
  struct Unlink {
    void operator()(bpf_link *link) const { bpf_link__destroy(link); }
  };
  using Link = std::unique_ptr<bpf_link, Unlink>;  // owns the event, too

  [[nodiscard]] Fd open_event(uint32_t cpu) const;
  Link link_to(uint32_t cpu);  // none: the CPU has just gone offline
  [[nodiscard]] std::string refusal(uint32_t cpu, int err) const;

  const Host &host_;
  SampleEvent event_ = clock_event();
  uint64_t hz_ = 99, period_ = 0;
  std::vector<uint32_t> cpus_;
  bpf_program *program_ = nullptr;
  std::map<uint32_t, Link> links_;  // by CPU
  Fd online_;                       // the kernel's list of CPUs, and what it was when it was read last
  std::string list_;
};

}  // namespace strata
