// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Functions that do something to what is traced, or that the kernel gives nothing but its own pointers to.
#include <algorithm>

#include "base/text.h"
#include "expr/check.h"
#include "kern/signal.h"

namespace strata::expr {
namespace {

using Kind = Expression::Kind;
using TypeKind = Type::Kind;

// Where the kernel lets a program ask for a path.
constexpr std::string_view kKnowPaths[] = {"security_file_permission",
                                           "security_inode_getattr",
                                           "security_file_open",
                                           "security_path_truncate",
                                           "vfs_truncate",
                                           "vfs_fallocate",
                                           "dentry_open",
                                           "vfs_getattr",
                                           "filp_close"};

}  // namespace

void Check::check_signal(Expression &e) {
  Expression &which = *e.parts[0];
  visit(which);
  if (uint32_t number = 0; which.kind == Kind::kString) {
    if (!parse_signal(which.text, number)) throw error(which, "no signal is called '" + printable(which.text) + "'");
    which.kind = Kind::kNumber;
    which.number = number;
    visit(which);
  }
  want_number(which, "a signal");
  if (target_->is_ours()) throw error(e, target_->kind + " runs in no task that could get a signal");
  if (!circumstances_.unsafe) throw error(e, e.text + "() changes what is traced: it needs --unsafe");
}

void Check::check_override(Expression &e) {
  visit_parts(e);
  want_number(*e.parts[0], "the result of override()");
  if (!target_->is("kprobe")) throw error(e, "override() is of kprobes, whose function then does not run");
  if (!types_.function("bpf_override_return"))
    throw error(e, "this kernel lets no program override() results: it was built without CONFIG_BPF_KPROBE_OVERRIDE");
  if (!circumstances_.unsafe) throw error(e, "override() changes what is traced: it needs --unsafe");
}

bool Check::is_typed_argument(const Expression &e) const {
  const bool of_probe = e.kind == Kind::kField && e.parts[0]->kind == Kind::kName &&
                        (e.parts[0]->text == "args" || e.parts[0]->text == "ctx");
  return of_probe && e.type.is(TypeKind::kPointer) && (target_->is("iter") || target_->is_typed());
}

// Of an argument, or of a struct path that an argument has within.
void Check::check_path(Expression &e) {
  visit_parts(e);
  const Expression &of = *e.parts[0];
  const bool within = of.type.is(TypeKind::kRecord) && of.kind == Kind::kField;
  const Type &path = of.type.is(TypeKind::kPointer) ? *of.type.to : of.type;
  if (!path.is(TypeKind::kRecord) || path.record->name != "struct path")
    throw error(of, "path() takes a struct path, as ctx.file.f_path is, and this is " + name_of(of.type));
  if (!is_typed_argument(within ? *of.parts[0] : of))
    throw error(of,
                "path() takes a struct path that the probe was given, or that lies in what it was given, of an "
                "iterator, fentry or fexit");
  if (target_->is_typed() && std::ranges::find(kKnowPaths, target_->name) == std::end(kKnowPaths))
    throw error(e, "the kernel lets no program ask for paths in " + printable(target_->name) +
                       "(); it does in iterators, and in " + comma_list(kKnowPaths));
  uint64_t bytes = plan_.settings.string_most + 1;
  if (e.parts.size() == 2) bytes = std::min(bytes, want_constant(*e.parts[1], "the size of path()"));
  if (bytes == 0) throw error(*e.parts[1], "the size of path() is above 0");
  e.type = string_type(static_cast<uint32_t>(bytes));
}

void Check::check_socket(Expression &e) {
  visit_parts(e);
  const Expression &of = *e.parts[0];
  if (!is_typed_argument(of) || name_of(*of.type.to) != "struct sock")
    throw error(of, "socket_cookie() takes a struct sock that the probe was given, of fentry or fexit: args.sk");
  e.type = int_type(8, false);
}

}  // namespace strata::expr
