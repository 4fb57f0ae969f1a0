// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Programs that do nothing: what the kernel says of them says what it permits.
#pragma once

#include <bpf/bpf.h>

#include "base/fd.h"

namespace strata {

Fd load_nothing(bpf_prog_type type, bpf_prog_load_opts *options = nullptr);  // errno if it has no descriptor
Fd load_tail_call(const Fd &programs);  // the same of one that calls a function of its own, and goes on to one of these

}  // namespace strata
