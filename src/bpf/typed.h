// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// libbpf without its own copies of the kernel's types. It would read 5 MB twice over for each object, and compare the
// target of each program that is attached by the number of a type (tp_btf, fentry, fexit, iter) with all names of the
// kernel: half of a tool's start and two thirds of its memory. We have an index of the names, and give it the types it
// needs.
#pragma once

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <string>

#include "btf/kernel_types.h"

namespace strata {

const bpf_object_open_opts *open_options();  // for every object that is opened: its types come from give_types()
void give_types(const bpf_object *object, bool of_modules);  // before it is loaded; throws Error
void take_types_back();                                      // after it

// What such a program is for: a function, a tracepoint or an iterator of the kernel or of a module. False: the module
// has no types.
bool set_attach_target(const TypeId &id, bpf_prog_load_opts &options);

// The kernel's own ("") or a module's, which has to be opened by its number: that takes CAP_SYS_ADMIN.
bool can_open_types(const std::string &module);

// Does the kernel load an fentry program for it? That a function is in BTF does not say so (it may have been inlined
// everywhere, or take what no program can), nor does this say that ftrace reaches it. The list of what ftrace reaches
// has 60,000 lines, which the kernel makes in quadratic time: five times what all the rest of a start takes.
bool loads_for(const std::string &function);

bool is_typed(const bpf_program *program);  // one that bpf_program__attach_trace() attaches

// The function of an fentry or fexit program; a tp_btf program has its tracepoint in its section. Before it is loaded.
void set_typed_target(const bpf_program *program, const std::string &function);

}  // namespace strata
