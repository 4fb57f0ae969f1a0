// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/object.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "bpf/embedded.h"
#include "bpf/log.h"
#include "bpf/named_places.h"
#include "bpf/typed.h"
#include "btf/kernel_types.h"
#include "btf/subset.h"
#include "kern/errno.h"

namespace strata {

namespace {

std::string target_of_section(std::string_view section) {
  size_t slash = section.find('/');
  return slash == std::string_view::npos ? "" : std::string(section.substr(slash + 1));
}

bool target_exists(const Variant &variant, const std::string &target) {
  if (target.empty()) return true;  // comes later, with set_target()
  switch (variant.place) {
    case Place::kTracepoint:
      if (variant.need != Need::kTypedTracepoint) return has_tracepoint(target);
      return has_typed_tracepoint(target) && can_open_types(typed_tracepoint(target).module);
    case Place::kFunction:
      return variant.need == Need::kFentry ? loads_for(target) : has_function(target);
    case Place::kElsewhere:
      return true;
  }
  return true;
}

std::string absent(const Variant &variant, const std::string &target) {
  if (variant.place == Place::kTracepoint) return "this kernel has no tracepoint " + target;
  return "this kernel has no function " + target +
         " that can be traced (it may be inlined, or in a module that is not loaded)";
}

// libbpf has shared memory for the first value of .bss, of which each page that it reads is one more; of private memory
// none is. Nobody writes to .bss before it is loaded.
void save_zeros(const bpf_object *object) {
  bpf_map *map = nullptr;
  bpf_object__for_each_map(map, object) {
    size_t size = 0;
    void *zeros = const_cast<void *>(bpf_map__initial_value(map, &size));
    if (zeros == nullptr || !std::string_view(bpf_map__name(map)).ends_with(".bss")) continue;
    mmap(zeros, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  }
}

}  // namespace

// The programs write nothing. EAGAIN: there is more than the kernel does at once.
void run_iterator(const Fd &iterator) {
  char none = 0;
  while (read(iterator.get(), &none, sizeof(none)) != 0)
    if (errno != EAGAIN && errno != EINTR) throw system_error("cannot iterate over the tasks");
}

void throw_open_error(int err) {
  print_libbpf_log();
  throw Error("cannot open the embedded BPF object: " + errno_name(err));
}

Object::Object(std::string_view name, const Programs &programs, const Host &on)
    : owner_(open(name, programs)), object_(owner_.get()), hooks_(programs.hooks), host_(on), sampling_(on) {
  list_programs();
}

Object::Object(bpf_object_skeleton *skeleton, std::span<const Hook> hooks, const Host &on)
    : skeleton_(skeleton), object_(*skeleton->obj), hooks_(hooks), host_(on), sampling_(on) {
  list_programs();
}

Object::Owner Object::open(std::string_view name, const Programs &programs) {
  capture_libbpf_log();
  const std::string object_name(name);
  bpf_object_open_opts options = *open_options();
  options.object_name = object_name.c_str();
  size_t size = 0;
  const void *elf = programs.elf(&size);
  Owner object(bpf_object__open_mem(elf, size, &options));
  if (!object) throw_open_error(errno);
  return object;
}

void Object::list_programs() {
  free_inflated();
  for (const Hook &hook : hooks_) order_.emplace_back(hook.name);
  bpf_program *program = nullptr;
  bpf_object__for_each_program(program, object_) {
    auto [hook, variant] = split_program_name(bpf_program__name(program));
    slots_.push_back({.program = program,
                      .hook = std::string(hook),
                      .variant = variant,
                      .target = target_of_section(bpf_program__section_name(program))});
    if (std::find(order_.begin(), order_.end(), hook) == order_.end()) order_.emplace_back(hook);
  }
}

RelocatedTypes Object::types() const {
  RelocatedTypes wanted = types_to_relocate(bpf_object__btf(object_));
  for (const Slot &slot : slots_)
    if (slot.variant && slot.variant->place == Place::kTracepoint)
      wanted.names.insert(std::string(kTracepointPrefix) + slot.target);
  return wanted;
}

Hook Object::hook_of(std::string_view name) const {
  for (const Hook &hook : hooks_) {
    if (hook.name == name) return hook;
  }
  return {.name = name, .required = true, .lost_without = ""};
}

void Object::enable(std::string_view hook, bool on) {
  stale_ = true;
  if (on) {
    disabled_.erase(std::string(hook));
  } else {
    disabled_.emplace(hook);
  }
}

void Object::enable(std::span<const std::string_view> hooks, bool on) {
  for (const std::string_view hook : hooks) enable(hook, on);
}

void Object::set_target(std::string_view hook, const std::string &function) {
  stale_ = true;
  for (Slot &slot : slots_) {
    if (slot.hook == hook) slot.target = function;
  }
}

void Object::set_targets(std::string_view hook, std::vector<std::string> names, uint64_t first, Progress progress) {
  set_target(hook, names.front());
  for (Slot &slot : slots_) {
    if (slot.hook != hook) continue;
    slot.targets = names;
    slot.first_cookie = first;
    slot.progress = progress;
  }
}

void Object::set_max_entries(std::string_view name, uint32_t entries) {
  int err = bpf_map__set_max_entries(map(name), entries);
  if (err) throw system_error("cannot size the BPF map " + std::string(name), -err);
}

std::span<char> Object::constant(std::string_view name) const {
  bpf_map *constants = bpf_object__find_map_by_name(object_, ".rodata");
  const btf *types = bpf_object__btf(object_);
  const int32_t id = types ? btf__find_by_name_kind(types, ".rodata", BTF_KIND_DATASEC) : -1;
  if (!constants || id <= 0) throw Error("the BPF object has no constant " + std::string(name));
  size_t room = 0;
  char *start = static_cast<char *>(const_cast<void *>(bpf_map__initial_value(constants, &room)));
  const btf_type *section = btf__type_by_id(types, static_cast<uint32_t>(id));
  const btf_var_secinfo *variable = btf_var_secinfos(section);
  for (uint32_t i = 0; i < btf_vlen(section); ++i, ++variable) {
    const btf_type *type = btf__type_by_id(types, variable->type);
    if (name != btf__name_by_offset(types, type->name_off)) continue;
    if (variable->offset + variable->size <= room) return {start + variable->offset, variable->size};
  }
  throw Error("the BPF object has no constant " + std::string(name));
}

void Object::write_constant(std::string_view name, const void *value, size_t size) {
  const std::span<char> place = constant(name);
  if (place.size() != size)
    throw Error("the constant " + std::string(name) + " has " + std::to_string(place.size()) + " bytes, not " +
                std::to_string(size));
  memcpy(place.data(), value, size);
}

void Object::set_number(std::string_view name, uint64_t number) {
  const std::span<char> place = constant(name);
  const bool fits = place.size() == 8 || (place.size() < 8 && number >> (8 * place.size()) == 0);
  if (!fits) throw Error("the constant " + std::string(name) + " has no room for " + std::to_string(number));
  memcpy(place.data(), &number, place.size());  // of a little-endian machine
}

// Variants in the order of their rank; the first one whose target this kernel has and that this host permits.
Object::Choice Object::choose_hook(const Hook &hook) {
  Choice choice = {.hook = std::string(hook.name), .required = hook.required};
  std::vector<Slot *> candidates;
  for (Slot &slot : slots_) {
    slot.taken = slot.taken && slot.hook != hook.name;
    if (slot.hook == hook.name) candidates.push_back(&slot);
  }
  if (candidates.empty()) choice.why = "no program has this name";
  auto rank = [](const Slot *slot) { return slot->variant ? slot->variant->rank : 0; };
  std::stable_sort(candidates.begin(), candidates.end(), [&](auto *a, auto *b) { return rank(a) < rank(b); });
  if (disabled_.count(hook.name)) {
    choice.why = kNotAskedFor;
    choice.required = false;
    return choice;
  }
  for (Slot *slot : candidates) {
    choice.target = slot->target;
    if (slot->variant && !target_exists(*slot->variant, slot->target)) {
      // Without the kernel's types no tracepoint is found: then they are what is missing.
      if (choice.why.empty()) choice.why = host_.missing(Need::kBtf);
      if (choice.why.empty()) choice.why = absent(*slot->variant, slot->target);
      continue;
    }
    if (!hook.struct_needed.empty() && kernel_type(std::string(hook.struct_needed), BTF_KIND_STRUCT).file == nullptr) {
      choice.why = "struct " + std::string(hook.struct_needed) + " is in no BTF (modules have theirs since 5.11)";
      continue;
    }
    std::string missing = hook.need ? host_.missing(*hook.need) : "";
    if (missing.empty() && slot->variant) missing = host_.missing(slot->variant->need);
    if (!missing.empty()) {
      choice.why = std::move(missing);
      continue;
    }
    slot->taken = true;
    choice.variant = slot->variant ? slot->variant->suffix : "only";
    choice.why.clear();
    break;
  }
  return choice;
}

void Object::choose() {
  if (!stale_) return;
  chosen_.clear();
  for (const std::string &name : order_) chosen_.push_back(choose_hook(hook_of(name)));
  stale_ = false;
}

const std::vector<Object::Choice> &Object::chosen() {
  choose();
  return chosen_;
}

std::set<Need> Object::needs() {
  choose();
  std::set<Need> needs;
  for (const Slot &slot : slots_)
    if (slot.taken && slot.variant) needs.insert(slot.variant->need);
  return needs;
}

const char *Object::variant(std::string_view hook) {
  for (const Choice &choice : chosen()) {
    if (choice.hook == hook) return choice.variant.empty() ? nullptr : choice.variant.c_str();
  }
  return nullptr;
}

void Object::drop(Slot &slot, const std::string &why) {
  if (hook_of(slot.hook).required) throw Error("cannot trace " + slot.hook + ": " + why);
  slot.taken = false;
  bpf_program__set_autoload(slot.program, false);
  for (Choice &choice : chosen_) {
    if (choice.hook != slot.hook) continue;
    choice.variant.clear();
    choice.why = why;
  }
}

void Object::prepare_targets() {
  for (Slot &slot : slots_) {
    if (slot.taken && is_of(slot.variant, Need::kUprobe) && has_uprobe_multi()) {
      bpf_program__set_expected_attach_type(slot.program, static_cast<bpf_attach_type>(kUprobeMulti));
    }
    if (slot.taken && is_of(slot.variant, Need::kKprobe) && !slot.targets.empty() && has_kprobe_multi()) {
      bpf_program__set_expected_attach_type(slot.program, static_cast<bpf_attach_type>(kKprobeMulti));
    }
    if (!slot.taken || !slot.variant || slot.variant->place != Place::kFunction) continue;
    if (slot.target.empty()) {
      drop(slot, "no function was chosen for it");
    } else if (slot.variant->need == Need::kFentry) {
      set_typed_target(slot.program, slot.target);
    }
  }
}

std::string Object::refusal() {
  for (const Choice &choice : chosen()) {
    if (choice.required && choice.variant.empty()) return "cannot trace " + choice.hook + ": " + choice.why;
  }
  if (!host_.has(Need::kBtf)) return "cannot load the BPF programs: " + host_.missing(Need::kBtf);
  return "";
}

void Object::load() {
  const std::string why_not = refusal();
  if (!why_not.empty()) throw Error(why_not);
  for (const Slot &slot : slots_) bpf_program__set_autoload(slot.program, slot.taken);
  prepare_targets();
  give_types(object_, std::ranges::any_of(slots_, [](const Slot &slot) {
               return is_of(slot.variant, Need::kTypedTracepoint) && !typed_tracepoint(slot.target).module.empty();
             }));
  save_zeros(object_);
  const int err = skeleton_ ? bpf_object__load_skeleton(skeleton_) : bpf_object__load(object_);
  take_types_back();
  if (!err) return;
  print_libbpf_log();
  const std::string log = libbpf_log_end(1000), program = refused_program(log), field = missing_field(log);
  throw Error("cannot load the BPF program" + (program.empty() ? "s" : " " + program) + ": " +
              (field.empty() ? host_.diagnose(-err) : without_field(field)));
}

// Kernels before 5.16 do not keep the number; they say it at the end of the log of a program.
std::vector<Object::Cost> Object::load_counted() {
  constexpr uint32_t kStatistics = 4;      // BPF_LOG_STATS of the kernel's bpf_verifier.h
  constexpr size_t kLogBytes = 256 << 10;  // a few lines for each global function
  std::vector<std::vector<char>> logs;
  for (const Slot &slot : slots_) {
    std::vector<char> &log = logs.emplace_back(kLogBytes, '\0');
    bpf_program__set_log_level(slot.program, kStatistics);
    bpf_program__set_log_buf(slot.program, log.data(), log.size());
  }
  try {
    load();
  } catch (const Error &) {  // with a buffer of ours libbpf does not print the log of the program that was refused
    const auto last = std::find_if(logs.rbegin(), logs.rend(), [](const auto &log) { return log[0] != '\0'; });
    if (last != logs.rend()) print_verifier_log(last->data());
    throw;
  }
  std::vector<Cost> costs;
  for (size_t i = 0; i < slots_.size(); ++i) {
    bpf_program__set_log_buf(slots_[i].program, nullptr, 0);
    if (!slots_[i].taken) continue;
    bpf_prog_info info = {};
    uint32_t size = sizeof(info);
    bpf_obj_get_info_by_fd(bpf_program__fd(slots_[i].program), &info, &size);
    const std::optional<uint64_t> insns = info.verified_insns ? info.verified_insns : processed_insns(logs[i].data());
    costs.push_back({.program = bpf_program__name(slots_[i].program), .verified_insns = insns});
  }
  return costs;
}

void Object::run(std::string_view hook, uint64_t argument) const {
  const auto slot =
      std::find_if(slots_.begin(), slots_.end(), [&](const Slot &one) { return one.taken && one.hook == hook; });
  LIBBPF_OPTS(bpf_test_run_opts, options);
  options.ctx_in = &argument;
  options.ctx_size_in = sizeof(argument);
  const int err = slot == slots_.end() ? -ENOENT : bpf_prog_test_run_opts(bpf_program__fd(slot->program), &options);
  if (err) throw system_error("cannot run the BPF program " + std::string(hook), -err);
}

bool Object::samples() const {
  return std::any_of(slots_.begin(), slots_.end(), [](const Slot &slot) {
    return slot.taken && slot.variant && slot.variant->need == Need::kPerfEvent;
  });
}

Fd Object::iterator(std::string_view hook) const {
  const auto slot = std::find_if(slots_.begin(), slots_.end(), [&](const Slot &one) {
    return one.taken && one.hook == hook && is_of(one.variant, Need::kIterator);
  });
  if (slot == slots_.end()) return Fd();
  const Fd link(bpf_link_create(bpf_program__fd(slot->program), 0, BPF_TRACE_ITER, nullptr));
  Fd opened(link ? bpf_iter_create(link.get()) : -1);
  if (!opened) throw system_error("cannot iterate by the BPF program " + std::string(hook));
  return opened;
}

void Object::follow_cpus() {
  if (sampling_.attached()) sampling_.follow_cpus();
}

bpf_map *Object::map(std::string_view name) const {
  bpf_map *found = bpf_object__find_map_by_name(object_, std::string(name).c_str());
  if (!found) throw Error("the BPF object has no map " + std::string(name));
  return found;
}

int Object::map_fd(std::string_view name) const { return bpf_map__fd(map(name)); }

std::vector<std::byte> Object::memory(std::string_view section) const {
  constexpr uint32_t kOnly = 0;
  for (const bpf_map *map = nullptr; (map = bpf_object__next_map(object_, map)) != nullptr;) {
    if (!std::string_view(bpf_map__name(map)).ends_with(section)) continue;
    std::vector<std::byte> bytes(bpf_map__value_size(map));
    if (bpf_map_lookup_elem(bpf_map__fd(map), &kOnly, bytes.data()) == 0) return bytes;
  }
  throw system_error("cannot read the BPF memory " + std::string(section));
}

}  // namespace strata
