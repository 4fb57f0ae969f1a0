// Programs that are attached by the number of a type (tp_btf, fentry, fexit): libbpf compares the target's name with
// all names of the kernel, for each program anew, which took half of a tool's start. We have an index of the names.
#pragma once

#include <bpf/libbpf.h>

#include <string>

namespace strata {

void find_typed_targets();  // for every object that is opened from now on; calls after the first do nothing

// The function of an fentry or fexit program; a tp_btf program has its tracepoint in its section. Before it is loaded.
void set_typed_target(const bpf_program *program, const std::string &function);

}  // namespace strata
