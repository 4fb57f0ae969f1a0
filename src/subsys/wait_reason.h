// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a thread off its CPU waits for, by the functions of the kernel in which it does: where several are known, by the
// innermost. They are those of 5.10 to 7.3 that stand in a stack; most system calls are left by a jump and do not.
#pragma once

#include <string_view>

namespace strata {

// `kernel_stack`: a function a line, the innermost first, as stacks have it ("do_wait_[k]"); "": none is known.
// Points to static memory.
std::string_view wait_reason(std::string_view kernel_stack);

}  // namespace strata
