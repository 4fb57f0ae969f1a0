// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What this host permits, found out by doing it (never by version number), each thing at most once and only when
// somebody asks: a tool with tracepoints alone does not wait for an fentry to be attached.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace strata {

enum class Need : uint8_t {
  kBtf,              // the kernel's types, /sys/kernel/btf/vmlinux
  kRingBuffer,       // BPF_MAP_TYPE_RINGBUF
  kRawTracepoint,    // raw_tp
  kTypedTracepoint,  // tp_btf
  kTracepoint,       // the classic kind, by tracefs
  kFentry,           // fentry and fexit, loaded and attached
  kKprobe,           // kprobe and kretprobe, loaded and attached
  kUprobe,
  kPerfEvent,
  kIterator,  // of tasks
  kTailCall,  // from a program that has functions of its own
};
inline constexpr size_t kNeeds = 11;

std::string_view name_of(Need need);  // "raw_tp", "fentry", ... as -v and doctor print it

// STRATA_DENY=tp_btf,block_rq_complete takes away what this host permits, to see and to test how a poorer host fares:
// kinds of programs, and hooks, whose programs are loaded but never run, as on a host that skips them.
bool denied(std::string_view name);

struct Check {
  bool ok = false;
  int err = 0;            // errno of the refusal
  std::string_view step;  // what was refused: "load", "attach", "read"
};

class Host {
 public:
  Host();  // this machine; reads text files only, probes nothing yet
  explicit Host(const std::map<Need, Check> &checks,
                bool memlock_counts = false);  // for tests: everything else is refused

  const Check &check(Need need) const;  // tries it the first time
  bool has(Need need) const { return check(need).ok; }

  // One sentence without a full stop: what is refused, why, and what to do; empty when it is permitted.
  std::string missing(Need need) const;
  // Why the kernel said `err` to loading or attaching, and what to do: capabilities, lockdown, memory limit, verifier
  std::string diagnose(int err) const;

  // What it takes to load and attach such programs here without being root: "cap_bpf", "cap_perfmon" and, if so,
  // others.
  std::set<std::string_view> capabilities_for(Need need) const;
  bool has_capability(int capability) const;  // in the effective set
  bool privileged() const;                    // may load tracing programs: CAP_BPF and CAP_PERFMON, or CAP_SYS_ADMIN
  // What BPF takes counts towards memlock_bytes (before 5.11), which strata may not raise; tries it the first time.
  bool memlock_counts() const;

  std::string release, machine;
  uint64_t capabilities = 0;   // CapEff
  std::string lockdown;        // "none", "integrity", "confidentiality"; "" if unknown
  bool tracefs = false;        // mounted
  uint64_t memlock_bytes = 0;  // RLIMIT_MEMLOCK; UINT64_MAX without a limit
  std::optional<int> unprivileged_bpf_disabled, perf_event_paranoid;
  bool call_refused = false;  // bpf(2), whatever it is to do

 private:
  bool loads_any() const;
  bool wants_admin(Need need) const;  // CAP_SYS_ADMIN, whatever else is there

  mutable std::array<std::optional<Check>, kNeeds> checks_;
  mutable std::optional<bool> memlock_counts_;
};

const Host &host();

}  // namespace strata
