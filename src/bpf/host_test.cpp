// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/host.h"

#include <cerrno>
#include <map>

#include "base/test.h"

namespace strata {

namespace {

constexpr Check kPermitted = {.ok = true, .err = 0, .step = ""};

Check refusal(int err) { return {.ok = false, .err = err, .step = "load"}; }

bool contains(const std::string &text, const char *part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("nothing is missing where it is permitted") {
  const Host host({{Need::kFentry, kPermitted}});
  CHECK(host.missing(Need::kFentry).empty());
  CHECK_FALSE(host.missing(Need::kKprobe).empty());
}

TEST_CASE("without privileges the sentence names them, whatever was asked") {
  Host host({{Need::kRawTracepoint, refusal(EPERM)}});
  host.capabilities = 0;
  CHECK_FALSE(host.privileged());
  CHECK(contains(host.missing(Need::kRawTracepoint), "CAP_BPF and CAP_PERFMON"));
}

TEST_CASE("CAP_BPF and CAP_PERFMON together are enough") {
  Host host(std::map<Need, Check>{});
  host.capabilities = 1ULL << 39;
  CHECK_FALSE(host.privileged());
  host.capabilities |= 1ULL << 38;
  CHECK(host.privileged());
}

TEST_CASE("tail calls that a kernel has in programs without functions alone") {
  const Host host({{Need::kRawTracepoint, kPermitted}, {Need::kTailCall, refusal(EINVAL)}});
  CHECK(host.missing(Need::kTailCall) ==
        "this kernel permits no tail call in a program that has functions (load: EINVAL); use a kernel of 6.0 or "
        "later, and net.core.bpf_jit_enable=1");
}

TEST_CASE("lockdown is named before memory and modules") {
  Host host({{Need::kRawTracepoint, refusal(EPERM)}, {Need::kTracepoint, refusal(EPERM)}});
  host.lockdown = "confidentiality";
  CHECK(contains(host.diagnose(EPERM), "lockdown=integrity"));
  CHECK(contains(host.diagnose(EINVAL), "lockdown=integrity"));
  Host loads({{Need::kRawTracepoint, kPermitted}, {Need::kKprobe, refusal(EPERM)}});
  CHECK_FALSE(contains(loads.missing(Need::kKprobe), "lockdown"));
  loads.lockdown = "confidentiality";
  CHECK(contains(loads.missing(Need::kKprobe), "lockdown=integrity"));
}

TEST_CASE("a refused system call is named before memory and modules") {
  Host host({{Need::kRawTracepoint, refusal(EPERM)}});
  host.call_refused = true;
  host.memlock_bytes = 65536;
  CHECK(contains(host.missing(Need::kRawTracepoint), "bpf(2) is refused"));
  host.capabilities = 0;
  CHECK(contains(host.missing(Need::kRawTracepoint), "CAP_BPF and CAP_PERFMON"));
}

TEST_CASE("uprobes as events of perf ask for one capability more") {
  Host host({{Need::kRawTracepoint, kPermitted}, {Need::kUprobe, refusal(EACCES)}});
  host.capabilities = 1ULL << 38 | 1ULL << 39;
  CHECK(contains(host.missing(Need::kUprobe), "CAP_SYS_ADMIN"));
}

TEST_CASE("so do perf events at the level that Debian's kernels have") {
  Host host({{Need::kRawTracepoint, kPermitted}, {Need::kPerfEvent, refusal(EACCES)}});
  host.capabilities = 1ULL << 38 | 1ULL << 39;
  host.perf_event_paranoid = 3;
  CHECK(contains(host.missing(Need::kPerfEvent), "perf_event programs need CAP_SYS_ADMIN"));
  CHECK(host.capabilities_for(Need::kPerfEvent).contains("cap_sys_admin"));
  host.perf_event_paranoid = 2;
  CHECK_FALSE(contains(host.missing(Need::kPerfEvent), "CAP_SYS_ADMIN"));
  CHECK_FALSE(host.capabilities_for(Need::kPerfEvent).contains("cap_sys_admin"));
}

TEST_CASE("the limit of locked memory is blamed only where BPF's counts, and not for one kind of program") {
  const std::map<Need, Check> checks = {
      {Need::kRawTracepoint, kPermitted}, {Need::kFentry, refusal(EPERM)}, {Need::kRingBuffer, refusal(EPERM)}};
  CHECK_FALSE(contains(Host(checks).diagnose(EPERM), "ulimit"));
  CHECK_FALSE(contains(Host(checks).missing(Need::kRingBuffer), "ulimit"));
  const Host host(checks, true);
  CHECK(contains(host.diagnose(EPERM), "ulimit -l"));
  CHECK(contains(host.missing(Need::kRingBuffer), "ulimit -l"));
  CHECK_FALSE(contains(host.missing(Need::kFentry), "ulimit"));
  CHECK(contains(host.missing(Need::kFentry), "fentry"));
}

TEST_CASE("a lack of memory or files is no lack of the kernel") {
  const Host host({{Need::kRingBuffer, refusal(ENOMEM)}, {Need::kRawTracepoint, refusal(ENFILE)}});
  CHECK(contains(host.missing(Need::kRingBuffer), "out of memory"));
  CHECK(contains(host.missing(Need::kRawTracepoint), "fs.file-max"));
}

TEST_CASE("classic tracepoints also need tracefs") {
  Host host({{Need::kTracepoint, kPermitted}});
  CHECK(host.missing(Need::kTracepoint).empty());
  host.tracefs = false;
  CHECK(contains(host.missing(Need::kTracepoint), "mount -t tracefs"));
}

TEST_CASE("each need has a name and this host has an answer to it") {
  for (size_t i = 0; i < kNeeds; ++i) {
    const Need need = static_cast<Need>(i);
    CHECK_FALSE(name_of(need).empty());
    if (!host().has(need)) CHECK_FALSE(host().missing(need).empty());
  }
}

}  // namespace strata
