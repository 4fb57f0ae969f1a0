// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/sampling.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "base/error.h"
#include "base/lines.h"
#include "bpf/log.h"
#include "kern/cpus.h"

namespace strata {
namespace {

constexpr const char *kOnlineCpus = "/sys/devices/system/cpu/online";
constexpr const char *kLimit = "/proc/sys/kernel/perf_event_max_sample_rate";

void check_rate(uint64_t hz) {
  const uint64_t most = number_in<uint64_t>(kLimit).value_or(hz);
  if (hz <= most) return;
  const std::string text = std::to_string(most);
  throw Error("cannot take " + std::to_string(hz) + " samples a second: the kernel permits " + text +
              " (kernel.perf_event_max_sample_rate)");
}

}  // namespace

// Disabled until a program is attached. Of the clock the kernel makes a fixed period of the frequency, of other events
// one that it adapts.
Fd Sampling::open_event(uint32_t cpu) const {
  perf_event_attr attributes = {};
  attributes.size = sizeof(attributes);
  attributes.type = event_.type;
  attributes.config = event_.config;
  attributes.freq = period_ == 0;
  attributes.sample_freq = period_ == 0 ? hz_ : period_;  // a union with sample_period
  attributes.disabled = 1;
  attributes.exclude_user = !event_.user;
  attributes.exclude_kernel = !event_.kernel;
  return Fd(
      static_cast<int>(syscall(SYS_perf_event_open, &attributes, -1, static_cast<int>(cpu), -1, PERF_FLAG_FD_CLOEXEC)));
}

std::string Sampling::refusal(uint32_t cpu, int err) const {
  const std::string what = "cannot take samples of CPU " + std::to_string(cpu) + ": ";
  if (event_.type != PERF_TYPE_SOFTWARE && (err == ENOENT || err == EOPNOTSUPP || err == EINVAL))
    return what + "this processor, or the virtual machine that it is, does not count " + std::string(event_.name) +
           " (without -e samples are taken by the clock, which every host has)";
  if (err == EMFILE || err == ENFILE) return what + "too many open files, two for each CPU; run: ulimit -n 65536";
  if ((err == EACCES || err == EPERM) && host_.privileged())
    return what +
           "perf events of a CPU are refused even to this user; a container or a security module forbids "
           "perf_event_open, run it outside of the container";
  return what + host_.diagnose(err);
}

Sampling::Link Sampling::link_to(uint32_t cpu) {
  Fd event = open_event(cpu);
  if (!event && errno == ENODEV) return nullptr;
  if (!event) throw Error(refusal(cpu, errno));
  Link link(bpf_program__attach_perf_event(program_, event.get()));
  if (!link) {
    const int err = errno;
    print_libbpf_log();
    throw Error(refusal(cpu, err));
  }
  (void)event.release();  // the link closes it
  return link;
}

void Sampling::attach(bpf_program *program) {
  program_ = program;
  if (period_ == 0) check_rate(hz_);
  online_ = Fd(open(kOnlineCpus, O_RDONLY | O_CLOEXEC));
  follow_cpus();
  if (links_.empty())
    throw Error("cannot take samples: none of these CPUs is online (" + list_.substr(0, list_.find('\n')) + " are)");
}

void Sampling::detach() {
  links_.clear();
  list_.clear();
}

// Where nothing has changed, which is nearly always, it is a system call and a comparison.
void Sampling::follow_cpus() {
  char text[4096];
  const ssize_t length = pread(online_.get(), text, sizeof(text), 0);
  if (length <= 0) throw system_error(std::string("cannot read ") + kOnlineCpus);
  const std::string_view list(text, static_cast<size_t>(length));
  if (list == list_) return;
  list_ = list;
  std::vector<uint32_t> online = cpu_list(list);
  if (!cpus_.empty())
    std::erase_if(online, [this](uint32_t cpu) { return !std::binary_search(cpus_.begin(), cpus_.end(), cpu); });
  std::erase_if(links_,
                [&](const auto &link) { return !std::binary_search(online.begin(), online.end(), link.first); });
  for (const uint32_t cpu : online) {
    if (links_.count(cpu)) continue;
    if (Link link = link_to(cpu)) links_.emplace(cpu, std::move(link));
  }
}

}  // namespace strata
