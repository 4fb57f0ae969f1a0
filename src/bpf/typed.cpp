// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/typed.h"

#include <bpf/bpf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <unordered_map>

#include "base/error.h"
#include "base/fd.h"
#include "bpf/trial.h"
#include "btf/subset.h"

namespace strata {
namespace {

constexpr int kNotSupported = 524;  // ENOTSUPP of the kernel

std::unordered_map<const bpf_program *, std::string> &targets() {
  static std::unordered_map<const bpf_program *, std::string> functions;
  return functions;
}

// The kernel's own object with the types of a module; -1 if it has none.
int open_module_types(const std::string &module) {
  for (uint32_t id = 0; bpf_btf_get_next_id(id, &id) == 0;) {
    Fd types(bpf_btf_get_fd_by_id(id));
    char name[64] = {};
    bpf_btf_info info = {};
    info.name = reinterpret_cast<uintptr_t>(name);
    info.name_len = sizeof(name);
    uint32_t size = sizeof(info);
    if (!types || bpf_obj_get_info_by_fd(types.get(), &info, &size) != 0) continue;
    if (info.kernel_btf && module == name) return types.release();
  }
  return -1;
}

// Each module's is opened once, and stays open until strata ends.
int module_types(const std::string &module) {
  static std::unordered_map<std::string, Fd> opened;
  const auto [entry, added] = opened.try_emplace(module);
  if (added) entry->second = Fd(open_module_types(module));
  return entry->second.get();
}

// Until now it was a raw tracepoint for libbpf, which reads all types of the kernel if it sees a tracing program.
int prepare_load(bpf_program *program, bpf_prog_load_opts *options, long) {
  const std::string section = bpf_program__section_name(program);
  const bool tracepoint = bpf_program__expected_attach_type(program) == BPF_TRACE_RAW_TP;
  const bool iterator = bpf_program__expected_attach_type(program) == BPF_TRACE_ITER;
  const auto function = targets().find(program);
  if (!tracepoint && !iterator && function == targets().end()) return -EINVAL;
  const std::string target = section.substr(section.find('/') + 1);
  const TypeId id = tracepoint ? typed_tracepoint(target)
                    : iterator ? typed_function("bpf_iter_" + target)
                               : typed_function(function->second);
  if (id.number == 0) return -ESRCH;
  if (!set_attach_target(id, *options)) return -ESRCH;
  return bpf_program__set_type(program, BPF_PROG_TYPE_TRACING);
}

void register_handlers() {
  LIBBPF_OPTS(libbpf_prog_handler_opts, options);
  options.prog_prepare_load_fn = prepare_load;
  libbpf_register_prog_handler("tp_btf+", BPF_PROG_TYPE_RAW_TRACEPOINT, BPF_TRACE_RAW_TP, &options);
  libbpf_register_prog_handler("fentry+", BPF_PROG_TYPE_RAW_TRACEPOINT, BPF_TRACE_FENTRY, &options);
  libbpf_register_prog_handler("fexit+", BPF_PROG_TYPE_RAW_TRACEPOINT, BPF_TRACE_FEXIT, &options);
  libbpf_register_prog_handler("iter+", BPF_PROG_TYPE_RAW_TRACEPOINT, BPF_TRACE_ITER, &options);
}

// A file in memory, which libbpf opens by its name.
const Fd &types_file() {
  static const Fd file(memfd_create("kernel types", MFD_CLOEXEC));
  if (!file) throw system_error("cannot create a file in memory (memfd_create)");
  return file;
}

}  // namespace

bool set_attach_target(const TypeId &id, bpf_prog_load_opts &options) {
  options.attach_btf_id = id.number;
  if (!id.module.empty()) options.attach_btf_obj_fd = static_cast<uint32_t>(module_types(id.module));
  return can_open_types(id.module);
}

bool can_open_types(const std::string &module) { return module.empty() || module_types(module) >= 0; }

const bpf_object_open_opts *open_options() {
  static const std::string path = "/proc/self/fd/" + std::to_string(types_file().get());
  static const bpf_object_open_opts options = {.sz = sizeof(options), .btf_custom_path = path.c_str()};
  static const bool registered = (register_handlers(), true);
  static_cast<void>(registered);
  return &options;
}

void give_types(const bpf_object *object, bool of_modules) {
  const std::string types = kernel_types_for(types_to_relocate(bpf_object__btf(object)), of_modules);
  const int fd = types_file().get();
  if (ftruncate(fd, 0) != 0 || pwrite(fd, types.data(), types.size(), 0) != static_cast<ssize_t>(types.size())) {
    throw system_error("cannot keep the kernel's types");
  }
}

void take_types_back() {
  if (ftruncate(types_file().get(), 0) != 0) throw system_error("cannot free the kernel's types");
}

// Whether the host permits such programs at all is another question, so a refusal of another kind is none.
bool loads_for(const std::string &function) {
  const TypeId id = typed_function(function);
  LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = BPF_TRACE_FENTRY);
  if (id.number == 0 || !set_attach_target(id, options)) return false;
  return load_nothing(BPF_PROG_TYPE_TRACING, &options) ||
         (errno != ENOENT && errno != EINVAL && errno != kNotSupported);
}

bool is_typed(const bpf_program *program) {
  const std::string_view section = bpf_program__section_name(program);
  return section.starts_with("tp_btf/") || section.starts_with("fentry") || section.starts_with("fexit");
}

void set_typed_target(const bpf_program *program, const std::string &function) { targets()[program] = function; }

}  // namespace strata
