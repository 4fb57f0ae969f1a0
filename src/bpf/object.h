// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// One tool's BPF object: of each hook the best variant that this host permits, loaded and attached, with owners for
// all of it and one clear sentence when it cannot be.
//
//   Object object("execsnoop", {.elf = execsnoop_bpf::elf_bytes, .hooks = kHooks});
//   object.set_constant("max_args", ...); filter.prepare(object);
//   object.load(); filter.fill(object); object.attach();
//
// A program's name is HOOK__VARIANT (btf, raw, tp, fentry, fexit, kprobe, kretprobe, uprobe, uretprobe, perf, iter); of
// the programs of a hook one or none is loaded. One of iter is run by iterator(). A program without a variant in its
// name is a hook of its own. A uprobe is attached where attach_uprobes() says.
#pragma once

#include <bpf/libbpf.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/fd.h"
#include "bpf/host.h"
#include "bpf/run_time.h"
#include "bpf/sampling.h"
#include "bpf/typed.h"
#include "bpf/uprobe.h"
#include "bpf/variant.h"
#include "lib/core/loss.h"
#include "model/loss.h"

namespace strata {

struct RelocatedTypes;

[[noreturn]] void throw_open_error(int err);

// Owner of an opened skeleton: for a tool that shares variables with its programs.
template <typename Skel>
class Skeleton {
 public:
  Skeleton() : skel_(Skel::open(open_options())) {
    if (!skel_) throw_open_error(errno);
  }
  Skel *operator->() const { return skel_.get(); }

 private:
  struct Destroy {
    void operator()(Skel *skel) const { Skel::destroy(skel); }
  };
  std::unique_ptr<Skel, Destroy> skel_;
};

void run_iterator(const Fd &iterator);  // of Object::iterator(); throws Error

class Object {
 public:
  // Opens the programs; throws Error. Their hooks may leave some out: such a hook is required.
  Object(std::string_view name, const Programs &programs, const Host &on = host());
  // The same of programs that are open. Both must live as long as the Object.
  Object(bpf_object_skeleton *skeleton, std::span<const Hook> hooks, const Host &on = host());
  Object(const Object &) = delete;
  Object &operator=(const Object &) = delete;

  // Before load(). A function hook whose program names no function is not used until a target is set.
  void enable(std::string_view hook, bool on);
  void enable(std::span<const std::string_view> hooks, bool on);
  void enable(std::initializer_list<std::string_view> hooks, bool on) {
    enable(std::span(hooks.begin(), hooks.size()), on);
  }
  void set_target(std::string_view hook, const std::string &function);  // of fentry, fexit, kprobe, kretprobe
  // Of raw and kprobe: at all of them, each with a cookie of its own, from `first` on.
  // One by one, where it comes to that, `progress` is told how many are done.
  using Progress = std::function<void(size_t done)>;
  void set_targets(std::string_view hook, std::vector<std::string> names, uint64_t first = 0, Progress progress = {});
  [[nodiscard]] const std::vector<std::string> &left_out() const { return left_out_; }  // which the kernel refused
  Sampling &sampling() { return sampling_; }  // of the programs for perf events
  void set_max_entries(std::string_view map, uint32_t entries);
  [[nodiscard]] RelocatedTypes types() const;  // of the kernel, that loading and attaching look for
  template <typename T>
  void set_constant(std::string_view name, const T &value) {  // a const volatile of the BPF side, by its name
    static_assert(std::is_trivially_copyable_v<T>);
    write_constant(name, &value, sizeof(value));
  }
  void set_number(std::string_view name, uint64_t number);  // the same, of whatever width it has; throws Error

  // The variant that load() takes, or took, for the hook; nullptr if none: not enabled, absent, or not permitted.
  // Asking before load() is how a tool decides between two ways.
  const char *variant(std::string_view hook);

  struct Cost {
    std::string program;
    std::optional<uint64_t> verified_insns;  // that the verifier processed, of a million; if the kernel says
  };
  void load();                       // throws Error: a required hook is missing, or the kernel refuses
  std::vector<Cost> load_counted();  // load(), and what each program cost the verifier, by its own account
  void attach();  // what is not attached; the first hook of the table last, so that nothing begins unwatched
  // A uprobe or uretprobe, at these places of a file; at others as well. Of all processes, or of one, which alone pays
  // for it then. 0, or the errno of a refusal.
  [[nodiscard]] int attach_uprobes(std::string_view hook, const std::string &path, std::span<const UprobePoint> points,
                                   uint32_t tgid = 0);
  void detach_uprobes(uint32_t tgid);  // those of this process alone
  // Once, with this as its first argument: a program that is loaded and attached nowhere (SEC("raw_tp")). Throws Error.
  void run(std::string_view hook, uint64_t argument) const;
  // A file whose reading to its end (run_iterator()) runs the program once for each task that this process sees, even
  // when it has given up its privileges; none if the hook is not used. Throws Error.
  [[nodiscard]] Fd iterator(std::string_view hook) const;
  void detach();                                         // costs nothing until attach() is called again
  void detach(std::span<const std::string_view> hooks);  // only these
  // At the end of a run, when nothing is read of it any more: the programs run on for up to seconds, until a process of
  // its own has closed the links (base/close_apart.h).
  void detach_apart();
  [[nodiscard]] bool samples() const;  // after load(): it has a program for perf events (bpf/sampling.h)
  void follow_cpus();                  // of these, now and then while attached

  [[nodiscard]] std::set<Need> needs();  // of what would be loaded, of the host

  static constexpr std::string_view kNotAskedFor = "not asked for";  // the `why` of what enable() turned off
  struct Choice {
    std::string hook, variant, target;  // the variant is empty if the hook is not used; then `why` says why
    std::string why;
    bool required = false;
  };
  const std::vector<Choice> &chosen();
  std::string refusal();  // the sentence that load() would throw before it asks the kernel; empty if there is none

  bpf_map *map(std::string_view name) const;  // throws Error
  int map_fd(std::string_view name) const;
  std::vector<std::byte> memory(std::string_view section) const;  // what ".bss" or ".data..." holds now; throws Error
  bpf_object *get() const { return object_; }

  // The counters of bpf/lib/core/emit.h above zero, and the runs of programs that the kernel skipped; `reasons` names
  // the tool's own, from LOSS_TOOL.
  std::vector<Loss> losses(std::span<const std::string_view> reasons = {}) const;
  [[nodiscard]] RunTime run_time() const;  // of all its programs, while the host counts it
  // One that no program counts. Not in their map: to write it would undo what another CPU adds at that moment.
  void add_loss(uint32_t loss) { ++own_losses_.at(loss); }

 private:
  struct Unlink {
    void operator()(bpf_link *link) const { bpf_link__destroy(link); }
  };
  using Link = std::unique_ptr<bpf_link, Unlink>;
  enum class Places : uint8_t { kNone, kEntries, kReturns };
  struct Attached {
    std::string hook;
    Link link;
    Fd fd;  // instead of a link, of a kind that libbpf does not know
    uint32_t tgid = 0;
    Places places = Places::kNone;  // of a file, all at once
  };
  struct Slot {  // a program of the object
    bpf_program *program;
    std::string hook;
    const Variant *variant;  // nullptr: stands for itself
    std::string target;
    bool taken = false;
    std::vector<std::string> targets = {};  // instead, of set_targets()
    uint64_t first_cookie = 0;
    Progress progress = {};
  };

  struct Close {
    void operator()(bpf_object *object) const { bpf_object__close(object); }
  };
  using Owner = std::unique_ptr<bpf_object, Close>;

  static Owner open(std::string_view name, const Programs &programs);
  void list_programs();
  void choose();
  Choice choose_hook(const Hook &hook);
  void prepare_targets();
  void drop(Slot &slot, const std::string &why);  // throws Error if its hook is required
  void attach_hook(const std::string &hook);
  bool attach_one(const Slot &slot);  // false, and errno
  void attach_each(Slot &slot);
  bool attach_target(const Slot &slot, size_t i);                       // false, and errno
  [[nodiscard]] std::span<char> constant(std::string_view name) const;  // throws Error
  void write_constant(std::string_view name, const void *value, size_t size);
  Hook hook_of(std::string_view name) const;
  void add_skipped(std::vector<Loss> &losses) const;

  Owner owner_;  // of an object without a skeleton
  bpf_object_skeleton *skeleton_ = nullptr;
  bpf_object *object_;
  std::span<const Hook> hooks_;
  const Host &host_;
  std::vector<Slot> slots_;
  std::array<uint64_t, LOSS_MAX> own_losses_{};  // that no program counts
  std::vector<std::string> order_;               // names of hooks: the table's, then others
  std::set<std::string, std::less<>> disabled_;
  std::vector<Choice> chosen_;
  bool stale_ = true;  // chosen_ must be made again
  std::vector<Attached> links_;
  std::vector<std::string> left_out_;
  Sampling sampling_;
};

}  // namespace strata
