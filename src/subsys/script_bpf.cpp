// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Functions of BPF programs that are loaded, to which fentry and fexit attach as to those of the kernel.
#include "subsys/script_bpf.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>

#include <cerrno>
#include <memory>

#include "base/error.h"
#include "base/text.h"
#include "bpf/probe_name.h"
#include "subsys/script.h"

namespace strata {
namespace {

using BtfPtr = std::unique_ptr<btf, void (*)(btf *)>;

// The types of the functions of a program, the program itself first.
std::vector<uint32_t> types_of_functions(int program, bpf_prog_info &info) {
  uint32_t size = sizeof(info);
  if (bpf_obj_get_info_by_fd(program, &info, &size) != 0) return {};
  std::vector<bpf_func_info> functions(info.nr_func_info);
  bpf_prog_info again = {};
  again.nr_func_info = info.nr_func_info;
  again.func_info_rec_size = sizeof(functions[0]);
  again.func_info = reinterpret_cast<uintptr_t>(functions.data());
  size = sizeof(again);
  if (functions.empty() || bpf_obj_get_info_by_fd(program, &again, &size) != 0) return {};
  std::vector<uint32_t> types;
  for (const bpf_func_info &one : functions) types.push_back(one.type_id);
  return types;
}

// A pointer is one whose type is not known here.
std::vector<expr::Field> parameters_of(const btf *types, const btf_type *function) {
  std::vector<expr::Field> parameters;
  const btf_type *prototype = btf__type_by_id(types, function->type);
  for (uint32_t i = 0; i < btf_vlen(prototype); i++) {
    const btf_param &one = btf_params(prototype)[i];
    const btf_type *type = btf__type_by_id(types, one.type);
    const bool pointer = type != nullptr && btf_is_ptr(type);
    parameters.push_back({.name = btf__str_by_offset(types, one.name_off),
                          .type = pointer ? expr::pointer_to({}, expr::Space::kKernel) : expr::int_type(8, false),
                          .offset = i});
  }
  return parameters;
}

}  // namespace

std::vector<BpfFunction> bpf_functions(const std::string &id, const std::string &name) {
  std::vector<BpfFunction> found;
  for (uint32_t number = 0; bpf_prog_get_next_id(number, &number) == 0;) {
    if (!is_called(std::to_string(number), id)) continue;
    const std::shared_ptr<Fd> program = std::make_shared<Fd>(bpf_prog_get_fd_by_id(number));
    bpf_prog_info info = {};
    const std::vector<uint32_t> functions =
        *program ? types_of_functions(program->get(), info) : std::vector<uint32_t>();
    // The kernel permits none at programs of its own kind.
    if (functions.empty() || info.type == BPF_PROG_TYPE_TRACING) continue;
    const BtfPtr types(btf__load_from_kernel_by_id(info.btf_id), btf__free);
    if (types == nullptr) continue;
    for (const uint32_t type : functions) {
      const btf_type *function = btf__type_by_id(types.get(), type);
      const std::string called = function == nullptr ? "" : btf__str_by_offset(types.get(), function->name_off);
      if (!called.empty() && is_called(called, name))
        found.push_back({.program = program,
                         .id = number,
                         .name = called,
                         .type = type,
                         .parameters = parameters_of(types.get(), function)});
    }
  }
  return found;
}

// fentry:bpf:NAME or fentry:bpf:ID:NAME.
void Script::add_bpf_programs(const expr::AttachPoint &place, std::vector<expr::Target> &found) {
  if (place.words.size() > 3) throw source_.error(place.at, "a function of BPF is " + place.kind + ":bpf:ID:NAME");
  const std::string id = place.words.size() == 3 ? place.words[1] : "*";
  for (BpfFunction &one : bpf_functions(id, place.words.back())) {
    found.push_back({.kind = place.kind,
                     .title = place.kind + ":bpf:" + std::to_string(one.id) + ":" + one.name,
                     .name = one.name,
                     .arguments = std::move(one.parameters),
                     .of_bpf = true});
    const int fd = one.program->get();
    bpf_programs_.push_back(std::move(one.program));
    places_.push_back({.number = one.type, .program = fd});
  }
  if (found.empty())
    throw source_.error(place.at, "no BPF program that is loaded, but those for tracing, has a function " +
                                      printable(place.words.back()) + " (strata run -l '" + place.kind + ":bpf:*')");
}

}  // namespace strata
