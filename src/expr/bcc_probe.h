// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A probe as bcc's tools write it, and what it is in the probe language:
//
//   vfs_read  p::vfs_read  r::vfs_read  c:malloc  p:c:malloc(size_t size)  r:/usr/bin/redis-server:main
//   t:sched:sched_switch  u:/usr/sbin/mysqld:query__start
//
// bcc compiles what follows as C. Here that is taken apart into tokens, and names that the probe language has other
// words for become these: arg1 is arg0, a parameter of the signature "((size_t)arg0)", $pid tid, STRCMP() a comparison.
// Whatever else stands there is checked where all programs are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expr/lexer.h"
#include "expr/source.h"

namespace strata::expr {

// What names mean in an expression, beside those that mean the same everywhere: "size", "arg1", "$latency".
using BccNames = std::map<std::string, std::string, std::less<>>;

struct BccPlace {
  char type = 'p';                 // p, r, t or u
  std::string library;             // or the category of a tracepoint; empty: the kernel
  std::vector<std::string> names;  // one, or what a regular expression stands for; each may be a pattern
  std::string syscall;             // "read": it is this system call
  Span at;

  [[nodiscard]] bool is_pattern() const;    // may it be several functions?
  [[nodiscard]] std::string entry() const;  // "kprobe:vfs_read,kprobe:vfs_write"
  [[nodiscard]] std::string exit() const;   // "kretprobe:vfs_read,kretprobe:vfs_write"
  [[nodiscard]] std::string probe() const { return type == 'r' ? exit() : entry(); }
  // Of a probe there: the name of the function, and with what it begins: "/CONDITION/ ", of this one too, or nothing.
  [[nodiscard]] std::string function() const { return syscall.empty() ? "func" : "\"" + names.front() + "\""; }
  [[nodiscard]] std::string predicate(const std::string &condition = {}) const;
  [[nodiscard]] std::string argument(size_t index) const;  // of a call
  [[nodiscard]] std::string result() const { return syscall.empty() ? "retval" : "args.ret"; }
  [[nodiscard]] BccNames known() const;
};

// How a place says which function: by its name, or a pattern; by a regular expression, as Python's re.match() takes
// them, of those that patterns can say; or by a name with an offset in it, as well.
enum class BccNaming : uint8_t { kName, kRegular, kOffset };
// The first word of the text; throws a usage Error.
BccPlace bcc_place(const Source &source, BccNaming naming = BccNaming::kName);

// "(struct sock *sk, int copied)", if the tokens begin with one: what is known at the place, and of each parameter what
// it is. The tokens behind it remain. Throws Error.
BccNames bcc_signature(const Source &source, const BccPlace &place, std::span<const Token> &tokens);

struct BccValue {
  std::string text;            // in the probe language
  bool in_user_space = false;  // it ended in @user
};
BccValue bcc_expression(const Source &source, std::span<const Token> tokens, const BccNames &names);

// Up to this symbol outside of parentheses, which is taken, too; all tokens if it is not there.
std::span<const Token> bcc_until(std::span<const Token> &tokens, std::string_view symbol);
// What stands between the parentheses that begin here. Throws Error.
std::span<const Token> bcc_parenthesis(const Source &source, std::span<const Token> &tokens);

// All tokens behind `position`, without the end.
std::vector<Token> bcc_tokens(const Source &source, size_t position);

}  // namespace strata::expr
