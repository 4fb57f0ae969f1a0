// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/host.h"

#include <bpf/bpf.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/fd.h"
#include "base/lines.h"
#include "bpf/log.h"
#include "bpf/trial.h"
#include "bpf/uprobe.h"
#include "btf/kernel_types.h"
#include "kern/errno.h"
#include "kern/proc.h"

namespace strata {

namespace {

std::string locked_down(const std::string &err) {
  return "kernel lockdown is at 'confidentiality' (" + err +
         "), where no program may read the kernel's memory; boot with lockdown=integrity or lower";
}

constexpr Check kOk = {.ok = true, .err = 0, .step = ""};

Check refused(std::string_view step, int err = errno) { return {.ok = false, .err = err, .step = step}; }

Check check_load(bpf_prog_type type) { return load_nothing(type) ? kOk : refused("load"); }

Fd load_tracing(bpf_attach_type kind, const TypeId &target) {
  if (target.number == 0) {
    errno = ENOENT;
    return Fd();
  }
  LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = kind, .attach_btf_id = target.number);
  return load_nothing(BPF_PROG_TYPE_TRACING, &options);
}

Check check_iterator() { return load_tracing(BPF_TRACE_ITER, typed_function("bpf_iter_task")) ? kOk : refused("load"); }

Check check_typed_tracepoint() {
  return load_tracing(BPF_TRACE_RAW_TP, typed_tracepoint("sched_switch")) ? kOk : refused("load");
}

// A function that the kernel has for such tests, so nothing else is touched.
constexpr const char *kTestFunction = "bpf_fentry_test1";

// A kernel for a machine that cannot attach such programs (Arm before 6.4) lacks the function by which they are
// attached.
bool attaches_to_functions() {
  return has_typed_function("register_ftrace_direct") || has_typed_function("register_ftrace_direct_multi");
}

// To attach for a trial takes two grace periods of RCU tasks, 0.1 to 0.4 s: only where the kernel's types do not tell
// (those of 5.10 lack the function even where it is).
Check check_fentry() {
  Fd program = load_tracing(BPF_TRACE_FENTRY, typed_function(kTestFunction));
  if (!program) return refused("load");
  if (attaches_to_functions()) return kOk;
  int link = bpf_raw_tracepoint_open(nullptr, program.get());
  if (link < 0) return refused("attach", -link);
  Fd(link).reset();
  return kOk;
}

// The number of a perf event source such as "kprobe", -1 if the kernel has none.
int perf_source(const std::string &name) {
  return number_in<int>("/sys/bus/event_source/devices/" + name + "/type").value_or(-1);
}

Check attach_to_perf(const Fd &program, perf_event_attr &attributes, pid_t pid) {
  attributes.size = sizeof(attributes);
  attributes.disabled = 1;
  Fd event(
      static_cast<int>(syscall(SYS_perf_event_open, &attributes, pid, pid < 0 ? 0 : -1, -1, PERF_FLAG_FD_CLOEXEC)));
  if (!event || ioctl(event.get(), PERF_EVENT_IOC_SET_BPF, program.get()) != 0) return refused("attach");
  return kOk;
}

Check check_kprobe() {
  Fd program = load_nothing(BPF_PROG_TYPE_KPROBE);
  if (!program) return refused("load");
  int type = perf_source("kprobe");
  if (type < 0) return refused("attach", ENOENT);
  perf_event_attr attributes = {};
  attributes.type = static_cast<uint32_t>(type);
  attributes.config1 = reinterpret_cast<uint64_t>(kTestFunction);
  return attach_to_perf(program, attributes, -1);
}

// By a link of many, which does not ask for CAP_SYS_ADMIN, or as an event of perf: who may place one is told that there
// cannot be such a file. One in a file that there is takes 0.1 s to remove.
Check check_uprobe() {
  if (has_uprobe_multi()) return kOk;
  Fd program = load_nothing(BPF_PROG_TYPE_KPROBE);
  if (!program) return refused("load");
  int type = perf_source("uprobe");
  if (type < 0) return refused("attach", ENOENT);
  perf_event_attr attributes = {};
  attributes.type = static_cast<uint32_t>(type);
  attributes.config1 = reinterpret_cast<uint64_t>("/proc/self/exe/below-a-file");
  const Check attached = attach_to_perf(program, attributes, 0);
  return attached.err == ENOTDIR ? kOk : attached;
}

Check check_perf_event() {
  Fd program = load_nothing(BPF_PROG_TYPE_PERF_EVENT);
  if (!program) return refused("load");
  perf_event_attr attributes = {};
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_CPU_CLOCK;
  attributes.sample_period = 1'000'000'000;
  // An event of a task makes each switch of the whole machine dearer until a second after it was closed.
  const Check of_cpu = attach_to_perf(program, attributes, -1);
  return of_cpu.ok ? of_cpu : attach_to_perf(program, attributes, 0);
}

// The call itself, whatever it is to do: what no flag can mean is EINVAL to all who may use it. Of a command that there
// is not Linux 7.3 says E2BIG to root.
bool bpf_call_is_refused() {
  bpf_attr attributes = {};
  attributes.file_flags = ~0U;
  return syscall(SYS_bpf, BPF_OBJ_GET, &attributes, sizeof(attributes)) < 0 && errno != EINVAL;
}

Check check_tail_call() {
  const Fd programs(
      bpf_map_create(BPF_MAP_TYPE_PROG_ARRAY, "strata_probe", sizeof(uint32_t), sizeof(uint32_t), 1, nullptr));
  if (!programs) return refused("create");
  return load_tail_call(programs) ? kOk : refused("load");
}

Check check_ring_buffer() {
  int fd = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "strata_probe", 0, 0, static_cast<uint32_t>(getpagesize()), nullptr);
  if (fd < 0) return refused("create", -fd);
  Fd(fd).reset();
  return kOk;
}

Check check_btf() {
  errno = 0;
  if (has_kernel_types()) return kOk;
  const Fd file(open("/sys/kernel/btf/vmlinux", O_RDONLY | O_CLOEXEC));
  if (!file) return refused("read");
  return refused("read", EINVAL);
}

Check probe(Need need) {
  capture_libbpf_log();
  switch (need) {
    case Need::kBtf:
      return check_btf();
    case Need::kRingBuffer:
      return check_ring_buffer();
    case Need::kRawTracepoint:
      return check_load(BPF_PROG_TYPE_RAW_TRACEPOINT);
    case Need::kTypedTracepoint:
      return check_typed_tracepoint();
    case Need::kTracepoint:
      return check_load(BPF_PROG_TYPE_TRACEPOINT);
    case Need::kFentry:
      return check_fentry();
    case Need::kKprobe:
      return check_kprobe();
    case Need::kUprobe:
      return check_uprobe();
    case Need::kPerfEvent:
      return check_perf_event();
    case Need::kIterator:
      return check_iterator();
    case Need::kTailCall:
      return check_tail_call();
  }
  return refused("probe", EINVAL);
}

uint64_t own_capabilities() {
  Lines file("/proc/self/status");
  return effective_capabilities(file);
}

std::string lockdown_state() { return chosen_word(first_line("/sys/kernel/security/lockdown")); }

bool tracefs_at(const char *path) {
  struct statfs status = {};
  return statfs(path, &status) == 0 && status.f_type == TRACEFS_MAGIC;
}

// Its folders are root's alone unless they are mounted or changed to be others'.
bool all_may_read_tracefs() {
  struct stat status = {};
  const char *path =
      tracefs_at("/sys/kernel/tracing") ? "/sys/kernel/tracing/events" : "/sys/kernel/debug/tracing/events";
  return stat(path, &status) == 0 && (status.st_mode & S_IXOTH) != 0;
}

uint64_t memlock_limit() {
  rlimit limit = {};
  if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
  return limit.rlim_cur;
}

// Creating a trie allocates no nodes, but before 5.11 it charges all of them to RLIMIT_MEMLOCK. Who may create none is
// told so before its size is looked at, and who may that a trie of no nodes is invalid.
bool counts_towards(uint64_t memlock_bytes) {
  constexpr uint32_t kKey = 8, kValue = 2048;
  const auto create = [](uint64_t nodes) {
    bpf_map_create_opts options = {.sz = sizeof(options), .map_flags = BPF_F_NO_PREALLOC};
    const auto most = static_cast<uint32_t>(std::min<uint64_t>(nodes, UINT32_MAX));
    return Fd(bpf_map_create(BPF_MAP_TYPE_LPM_TRIE, "strata_probe", kKey, kValue, most, &options)).get();
  };
  return create(0) == -EINVAL && create(memlock_bytes / kValue + 1) == -EPERM;
}

// What the kernel lacks when it refuses a privileged user, and the one thing to change.
std::string_view remedy(Need need) {
  switch (need) {
    case Need::kBtf:
      return "use a kernel built with CONFIG_DEBUG_INFO_BTF=y, or say where its types are: --btf FILE, made of its "
             "vmlinux with debug information (pahole -J vmlinux)";
    case Need::kRingBuffer:
      return "use a kernel of 5.8 or later";
    case Need::kRawTracepoint:
    case Need::kTypedTracepoint:
      return "use a kernel built with CONFIG_BPF_EVENTS=y and CONFIG_DEBUG_INFO_BTF=y";
    case Need::kTracepoint:
      return "use a kernel built with CONFIG_BPF_EVENTS=y";
    case Need::kFentry:
      return "use a kernel built with CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS=y and net.core.bpf_jit_enable=1";
    case Need::kKprobe:
      return "use a kernel built with CONFIG_KPROBE_EVENTS=y";
    case Need::kUprobe:
      return "use a kernel built with CONFIG_UPROBE_EVENTS=y";
    case Need::kPerfEvent:
      return "use a kernel built with CONFIG_PERF_EVENTS=y";
    case Need::kIterator:
      return "use a kernel of 5.8 or later, built with CONFIG_BPF_EVENTS=y and CONFIG_DEBUG_INFO_BTF=y";
    case Need::kTailCall:
      return "use a kernel of 6.0 or later, and net.core.bpf_jit_enable=1";
  }
  return "";
}

// The kernel is told by the number of a type what such a program is for.
bool attaches_by_type(Need need) {
  return need == Need::kTypedTracepoint || need == Need::kFentry || need == Need::kIterator;
}

}  // namespace

std::string_view name_of(Need need) {
  switch (need) {
    case Need::kBtf:
      return "btf";
    case Need::kRingBuffer:
      return "ring_buffer";
    case Need::kRawTracepoint:
      return "raw_tp";
    case Need::kTypedTracepoint:
      return "tp_btf";
    case Need::kTracepoint:
      return "tracepoint";
    case Need::kFentry:
      return "fentry";
    case Need::kKprobe:
      return "kprobe";
    case Need::kUprobe:
      return "uprobe";
    case Need::kPerfEvent:
      return "perf_event";
    case Need::kIterator:
      return "iterator";
    case Need::kTailCall:
      return "tail_call";
  }
  return "";
}

Host::Host()
    : capabilities(own_capabilities()),
      lockdown(lockdown_state()),
      tracefs(tracefs_at("/sys/kernel/tracing") || tracefs_at("/sys/kernel/debug/tracing")),
      memlock_bytes(memlock_limit()),
      unprivileged_bpf_disabled(number_in<int>("/proc/sys/kernel/unprivileged_bpf_disabled")),
      perf_event_paranoid(number_in<int>("/proc/sys/kernel/perf_event_paranoid")),
      call_refused(bpf_call_is_refused()) {
  utsname names = {};
  uname(&names);
  release = names.release;
  machine = names.machine;
}

Host::Host(const std::map<Need, Check> &checks, bool memlock_counts)
    : capabilities(UINT64_MAX), tracefs(true), memlock_bytes(UINT64_MAX), memlock_counts_(memlock_counts) {
  checks_.fill(refused("load", EINVAL));
  for (const auto &[need, check] : checks) checks_[static_cast<size_t>(need)] = check;
}

bool denied(std::string_view name) {
  const char *text = getenv("STRATA_DENY");
  const std::string list = "," + std::string(text ? text : "") + ",";
  return list.find("," + std::string(name) + ",") != std::string::npos;
}

const Check &Host::check(Need need) const {
  std::optional<Check> &slot = checks_[static_cast<size_t>(need)];
  if (!slot) slot = denied(name_of(need)) ? Check{.ok = false, .err = EPERM, .step = "STRATA_DENY"} : probe(need);
  return *slot;
}

// Debian's kernels have a third level of kernel.perf_event_paranoid, which keeps perf events from all but
// CAP_SYS_ADMIN.
bool Host::wants_admin(Need need) const {
  const bool by_event = need == Need::kPerfEvent || need == Need::kKprobe;
  return (need == Need::kUprobe && !has_uprobe_multi()) || (by_event && perf_event_paranoid.value_or(0) >= 3);
}

std::set<std::string_view> Host::capabilities_for(Need need) const {
  std::set<std::string_view> names = {"cap_bpf", "cap_perfmon"};
  if (wants_admin(need)) names.insert("cap_sys_admin");
  if (need == Need::kTracepoint && !all_may_read_tracefs()) names.insert("cap_dac_read_search");
  return names;
}

bool Host::has_capability(int capability) const { return (capabilities >> capability & 1) != 0; }

bool Host::privileged() const {
  return has_capability(CAP_SYS_ADMIN) || (has_capability(CAP_BPF) && has_capability(CAP_PERFMON));
}

bool Host::memlock_counts() const {
  if (!memlock_counts_)
    memlock_counts_ = memlock_bytes != UINT64_MAX && !has_capability(CAP_SYS_RESOURCE) && counts_towards(memlock_bytes);
  return *memlock_counts_;
}

std::string Host::missing(Need need) const {
  const Check &result = check(need);
  if (need == Need::kTracepoint && result.ok && !tracefs) {
    return "tracefs is not mounted; run: mount -t tracefs nodev /sys/kernel/tracing";
  }
  if (result.ok) return "";
  if (result.err == EMFILE || result.err == ENFILE || result.err == ENOMEM) return diagnose(result.err);
  if (need == Need::kBtf && result.err == ENOENT && access("/sys/kernel", F_OK) != 0)
    return "sysfs is not mounted, so the kernel's types cannot be read; run: mount -t sysfs nodev /sys";
  const bool forbidden = result.err == EPERM || result.err == EACCES;
  if (forbidden && (need == Need::kUprobe || wants_admin(need)) && !has_capability(CAP_SYS_ADMIN) && privileged())
    return (need == Need::kUprobe ? "uprobes" : std::string(name_of(need)) + " programs") +
           " need CAP_SYS_ADMIN besides CAP_BPF and CAP_PERFMON on this kernel (" + errno_name(result.err) + ")";
  if (privileged() && call_refused) return diagnose(result.err);
  if (attaches_by_type(need) && has(Need::kBtf) && !kernel_has_types())
    return std::string(name_of(need)) + " programs need types in the kernel itself, not in a file";
  const bool locked = privileged() && lockdown == "confidentiality";
  if (forbidden && need != Need::kBtf && (locked || !(privileged() && loads_any()))) return diagnose(result.err);
  if (forbidden && need == Need::kRingBuffer && memlock_counts()) return diagnose(result.err);
  std::string what = "this kernel permits no " + std::string(name_of(need)) + " programs";
  if (need == Need::kBtf) what = "this kernel gives no BTF type information in /sys/kernel/btf/vmlinux";
  if (need == Need::kRingBuffer) what = "this kernel has no BPF ring buffer";
  if (need == Need::kTailCall) what = "this kernel permits no tail call in a program that has functions";
  return what + " (" + std::string(result.step) + ": " + errno_name(result.err) + "); " +
         (forbidden && need != Need::kBtf ? "a security module, a container or the kernel's maker forbids them"
                                          : std::string(remedy(need)));
}

// A host that loads some BPF does not refuse the rest for lack of rights or memory.
bool Host::loads_any() const { return check(Need::kRawTracepoint).ok || check(Need::kTracepoint).ok; }

std::string Host::diagnose(int err) const {
  const std::string name = errno_name(err);
  if (privileged() && call_refused) {
    return "the system call bpf(2) is refused (" + name +
           ") even to this user, as by the seccomp filter or the user "
           "namespace of a container; run strata outside of it";
  }
  switch (err < 0 ? -err : err) {
    case EPERM:
    case EACCES:
      if (!privileged()) return "BPF needs root, or CAP_BPF and CAP_PERFMON (" + name + "); run it with sudo";
      if (lockdown == "confidentiality") return locked_down(name);
      if (err == EACCES || err == -EACCES) return "the kernel's verifier refuses it (EACCES); -v shows its account";
      if (memlock_counts())
        return "the kernel refuses it (EPERM), perhaps for the limit of locked memory; in what starts it, run: ulimit "
               "-l unlimited";
      return "the kernel refuses it (EPERM) even to this user; a security module or a container forbids BPF, run it "
             "outside of the container";
    case ENOMEM:
      return "out of memory for BPF maps (ENOMEM); free some, or raise the memory limit of the cgroup";
    case EINVAL:  // also of a program with a helper that it may not have
      if (lockdown == "confidentiality") return locked_down(name);
      [[fallthrough]];
    case E2BIG:
    case EFAULT:
    case ENOSPC:
      return "the kernel's verifier refuses it (" + name + "); -v shows its account";
    case ENOENT:
    case ESRCH:
      return "this kernel lacks something that it refers to (" + name + "); -v shows what";
    case EMFILE:
      return "too many open files (EMFILE); raise the limit, run: ulimit -n 1024";
    case ENFILE:
      return "too many open files on this host (ENFILE); raise fs.file-max";
    case EBUSY:
      return "the function is in use by another kind of tracing (EBUSY); end that first";
    default:
      return "the kernel refuses it (" + name + "); -v shows more";
  }
}

const Host &host() {
  static const Host here;
  return here;
}

}  // namespace strata
