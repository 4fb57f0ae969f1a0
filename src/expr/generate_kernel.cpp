// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Functions of the kernel that take what it handed over as it is: an argument with its type, or the context.
#include "expr/generate.h"

namespace strata::expr {

using TypeKind = Type::Kind;

// What a probe was called with, to R0 as the pointer that the verifier knows; 0, where there is none.
void Generator::typed_argument(const Expression &e) {
  out_.load(0, 6, static_cast<int>(target_->is("iter") ? e.offset : e.offset * 8), 8);
}

// The kernel leaves what it wrote before behind the end of the path, so that goes elsewhere first.
void Generator::path_to(const Expression &e, Place to, uint32_t bytes) {
  const Expression &of = *e.parts[0];
  const bool within = of.type.is(TypeKind::kRecord);  // of what the argument points to
  const Place made = memory(bytes);
  const Label none = out_.label();
  clear(to, bytes);
  clear(made, bytes);
  typed_argument(within ? *of.parts[0] : of);
  out_.jump_if_number(BPF_JEQ, 0, 0, none);
  if (within && of.offset != 0) out_.alu_number(BPF_ADD, 0, static_cast<int32_t>(of.offset));
  out_.move(1, 0);
  address_of(2, made);
  out_.number(3, e.type.size);
  out_.call(BPF_FUNC_d_path);
  out_.jump_if_number(BPF_JSLT, 0, 0, none);
  address_of(0, made);
  probe_read(Space::kKernel, true, e.type.size, to);
  out_.place(none);
}

void Generator::call_kernel(const Expression &e) {
  if (e.text == "socket_cookie") {
    const Label none = out_.label();
    typed_argument(*e.parts[0]);
    out_.jump_if_number(BPF_JEQ, 0, 0, none);
    out_.move(1, 0);
    out_.call(BPF_FUNC_get_socket_cookie);
    return out_.place(none);
  }
  value(*e.parts[0]);
  if (e.text == "override") {
    out_.move(2, 0);
    out_.move(1, 6);
    return out_.call(BPF_FUNC_override_return);
  }
  out_.move(1, 0);
  out_.call(e.text == "signal" ? BPF_FUNC_send_signal : BPF_FUNC_send_signal_thread);
}

}  // namespace strata::expr
