// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/privileges.h"

#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>
#include <string_view>

#include "base/error.h"
#include "base/fd.h"
#include "base/text.h"

namespace strata {
namespace {

using Set = uint64_t;  // of capabilities, by their numbers

constexpr Set set_of(std::initializer_list<int> capabilities) {
  Set set = 0;
  for (const int capability : capabilities) set |= Set{1} << capability;
  return set;
}

constexpr Set kBpf = set_of({CAP_BPF}), kAdmin = set_of({CAP_SYS_ADMIN});

// CAP_SYS_ADMIN stands for CAP_BPF, CAP_PERFMON and CAP_CHECKPOINT_RESTORE where a container has only that.
constexpr struct {
  Needs needs;
  Set set;
  bool or_admin;
} kSets[] = {{kToAttach, set_of({CAP_BPF, CAP_PERFMON}), true},
             {kToSeeProcesses, set_of({CAP_SYS_PTRACE, CAP_DAC_READ_SEARCH, CAP_CHECKPOINT_RESTORE}), false},
             {kToEnterNetns, kAdmin, false},
             {kToReadSymbols, set_of({CAP_SYSLOG}), false},
             {kToSignal, set_of({CAP_KILL}), false},
             {kToReplaceFiles, set_of({CAP_DAC_OVERRIDE, CAP_CHOWN}), false}};

// By their numbers (linux/capability.h).
constexpr std::string_view kNames =
    "CHOWN,DAC_OVERRIDE,DAC_READ_SEARCH,FOWNER,FSETID,KILL,SETGID,SETUID,SETPCAP,LINUX_IMMUTABLE,NET_BIND_SERVICE,"
    "NET_BROADCAST,NET_ADMIN,NET_RAW,IPC_LOCK,IPC_OWNER,SYS_MODULE,SYS_RAWIO,SYS_CHROOT,SYS_PTRACE,SYS_PACCT,"
    "SYS_ADMIN,SYS_BOOT,SYS_NICE,SYS_RESOURCE,SYS_TIME,SYS_TTY_CONFIG,MKNOD,LEASE,AUDIT_WRITE,AUDIT_CONTROL,SETFCAP,"
    "MAC_OVERRIDE,MAC_ADMIN,SYSLOG,WAKE_ALARM,BLOCK_SUSPEND,AUDIT_READ,PERFMON,BPF,CHECKPOINT_RESTORE";

struct Sets {
  Set effective, permitted, inheritable;
};

__user_cap_header_struct own_header() { return {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0}; }

Set permitted() {
  __user_cap_header_struct header = own_header();
  __user_cap_data_struct data[2] = {};
  if (syscall(SYS_capget, &header, data) != 0) throw system_error("cannot read the own capabilities");
  return Set{data[1].permitted} << 32 | data[0].permitted;
}

void set_all(const Sets &sets) {
  __user_cap_header_struct header = own_header();
  __user_cap_data_struct data[2] = {};
  for (int half = 0; half < 2; half++) {
    data[half].effective = static_cast<uint32_t>(sets.effective >> 32 * half);
    data[half].permitted = static_cast<uint32_t>(sets.permitted >> 32 * half);
    data[half].inheritable = static_cast<uint32_t>(sets.inheritable >> 32 * half);
  }
  if (syscall(SYS_capset, &header, data) != 0) throw system_error("cannot give up capabilities");
}

// A kernel that does not mind says that there is no such map.
bool may_read_maps() {
  bpf_attr attributes = {};
  attributes.map_fd = static_cast<uint32_t>(-1);
  return syscall(SYS_bpf, BPF_MAP_LOOKUP_ELEM, &attributes, sizeof(attributes)) == 0 || errno != EPERM;
}

// Debian's kernels ask for CAP_SYS_ADMIN where perf_event_paranoid is 3, which is usual there.
bool may_open_perf_events() {
  perf_event_attr attributes = {};
  attributes.size = sizeof(attributes);
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_CPU_CLOCK;
  attributes.disabled = 1;
  const Fd event(static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC)));
  return static_cast<bool>(event);
}

Set one_of(Set wanted, Set had) { return (wanted & ~had) == 0 ? wanted : (wanted | kAdmin) & had; }

}  // namespace

std::string give_up_privileges(Needs needs) {
  if (needs & kToRunAgain) return "all, to run again";
  const Set had = permitted();
  Set kept = 0;
  for (const auto &one : kSets)
    if (needs & one.needs) kept |= one.or_admin ? one_of(one.set, had) : one.set & had;

  // The bounding set is not the superuser's to change without CAP_SETPCAP: then it stays, of which no exec makes use.
  const Set to_drop = had & set_of({CAP_SETPCAP});
  set_all({.effective = kept | to_drop, .permitted = had, .inheritable = 0});
  if (!may_read_maps()) kept |= one_of(kBpf, had);
  if ((needs & kToAttach) && !may_open_perf_events()) kept |= kAdmin & had;
  for (int capability = 0; prctl(PR_CAPBSET_READ, capability) >= 0; capability++)
    if (to_drop != 0 && !(kept >> capability & 1)) prctl(PR_CAPBSET_DROP, capability);
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  set_all({.effective = kept, .permitted = kept, .inheritable = 0});

  std::string text;
  const auto names = split_commas(kNames);
  for (size_t i = 0; i < names.size(); i++)
    if (kept >> i & 1) text.append(text.empty() ? "CAP_" : " CAP_").append(names[i]);
  return text;
}

}  // namespace strata
