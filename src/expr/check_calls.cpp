// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The functions that a program may call: what they take, and what they give.
#include <algorithm>

#include "base/nearest.h"
#include "base/text.h"
#include "expr/check.h"
#include "expr/format.h"

namespace strata::expr {
namespace {

using Kind = Expression::Kind;
using TypeKind = Type::Kind;

constexpr size_t kMany = 64;

}  // namespace

const std::vector<Check::Builtin> &Check::calls() {
  static const std::vector<Builtin> calls = {
      {"printf", &Check::check_printf, 1, kMany, "printf(\"format\", values)"},
      {"errorf", &Check::check_printf, 1, kMany, "errorf(\"format\", values)"},
      {"warnf", &Check::check_printf, 1, kMany, "warnf(\"format\", values)"},
      {"cat", &Check::check_printf, 1, kMany, "cat(\"path\", values)"},
      {"system", &Check::check_printf, 1, kMany, "system(\"command\", values)"},
      {"print", &Check::check_print, 1, 3, "print(@map), print(@map, most, divisor) or print(value)"},
      {"clear", &Check::check_map_call, 1, 1, "clear(@map)"},
      {"zero", &Check::check_map_call, 1, 1, "zero(@map)"},
      {"delete", &Check::check_delete, 1, 2, "delete(@map, key)"},
      {"has_key", &Check::check_has_key, 1, 2, "has_key(@map, key)"},
      {"time", &Check::check_time, 0, 1, "time(\"%H:%M:%S\\n\")"},
      {"strftime", &Check::check_strftime, 2, 2, "strftime(\"%H:%M:%S\", nsecs)"},
      {"exit", &Check::check_exit, 0, 1, "exit()"},
      {"str", &Check::check_str, 1, 2, "str(pointer) or str(pointer, size)"},
      {"kstr", &Check::check_str, 1, 2, "kstr(pointer)"},
      {"ustr", &Check::check_str, 1, 2, "ustr(pointer)"},
      {"buf", &Check::check_buf, 1, 2, "buf(pointer, size)"},
      {"ksym", &Check::check_symbol, 1, 1, "ksym(address)"},
      {"usym", &Check::check_symbol, 1, 1, "usym(address)"},
      {"ntop", &Check::check_ntop, 1, 2, "ntop(address) or ntop(AF_INET, address)"},
      {"macaddr", &Check::check_mac, 1, 1, "macaddr(bytes)"},
      {"bswap", &Check::check_number_call, 1, 1, "bswap(number)"},
      {"ntohs", &Check::check_number_call, 1, 1, "ntohs(number)"},
      {"ntohl", &Check::check_number_call, 1, 1, "ntohl(number)"},
      {"strncmp", &Check::check_strncmp, 3, 3, "strncmp(string, string, n)"},
      {"reg", &Check::check_reg, 1, 1, "reg(\"ip\")"},
      {"kptr", &Check::check_pointer_call, 1, 1, "kptr(pointer)"},
      {"uptr", &Check::check_pointer_call, 1, 1, "uptr(pointer)"},
      {"kstack", &Check::check_stack, 0, 2, "kstack(), kstack(most) or kstack(perf, most)"},
      {"ustack", &Check::check_stack, 0, 2, "ustack(), ustack(most) or ustack(perf, most)"},
      {"pid", &Check::check_task, 0, 1, "pid(), pid(curr_ns) or pid(init)"},
      {"tid", &Check::check_task, 0, 1, "tid(), tid(curr_ns) or tid(init)"},
      {"ppid", &Check::check_parent, 0, 1, "ppid() or ppid(task)"},
      {"pcomm", &Check::check_parent, 0, 1, "pcomm() or pcomm(task)"},
      {"nsecs", &Check::check_nsecs, 0, 1, "nsecs(), nsecs(monotonic), nsecs(boot), nsecs(tai) or nsecs(sw_tai)"},
      {"len", &Check::check_len, 1, 1, "len(@map), len(string) or len(stack)"},
      {"strcontains", &Check::check_strcontains, 2, 2, "strcontains(haystack, needle)"},
      {"strerror", &Check::check_number_name, 1, 1, "strerror(number)"},
      {"syscall_name", &Check::check_number_name, 1, 1, "syscall_name(number)"},
      {"cgroup_path", &Check::check_cgroup, 1, 2, "cgroup_path(cgroup)"},
      {"cgroup_unit", &Check::check_cgroup, 1, 1, "cgroup_unit(cgroup)"},
      {"cgroup_container", &Check::check_cgroup, 1, 1, "cgroup_container(cgroup)"},
      {"cgroup_pod", &Check::check_cgroup, 1, 1, "cgroup_pod(cgroup)"},
      {"cgroupid", &Check::check_found, 1, 1, "cgroupid(\"/sys/fs/cgroup/system.slice\")"},
      {"kaddr", &Check::check_found, 1, 1, "kaddr(\"jiffies\")"},
      {"uaddr", &Check::check_uaddr, 1, 1, "uaddr(\"symbol\")"},
      {"pton", &Check::check_pton, 1, 1, "pton(\"127.0.0.1\") or pton(\"::1\")"},
      {"signal", &Check::check_signal, 1, 1, "signal(\"SIGSTOP\") or signal(number)"},
      {"signal_thread", &Check::check_signal, 1, 1, "signal_thread(\"SIGSTOP\") or signal_thread(number)"},
      {"override", &Check::check_override, 1, 1, "override(number)"},
      {"path", &Check::check_path, 1, 2, "path(ctx.file.f_path) or path(args.path, 128)"},
      {"socket_cookie", &Check::check_socket, 1, 1, "socket_cookie(args.sk)"},
      {"strlen", &Check::check_strlen, 1, 1, "strlen(string)"},
      {"strcap", &Check::check_capacity, 1, 1, "strcap(string)"},
      {"default_str_length", &Check::check_capacity, 0, 0, "default_str_length()"},
      {"assert_str", &Check::check_text, 1, 1, "assert_str(value)"},
      {"kfunc_exist", &Check::check_kfunc, 1, 1, "kfunc_exist(\"bpf_task_from_pid\")"},
      {"kfunc_allowed", &Check::check_kfunc, 1, 1, "kfunc_allowed(\"bpf_task_from_pid\")"},
      {"strstr", &Check::check_strcontains, 2, 2, "strstr(haystack, needle)"},
      {"memcmp", &Check::check_memcmp, 3, 3, "memcmp(bytes, bytes, n)"},
      {"find", &Check::check_find, 3, 3, "find(@map, key, $value)"},
      {"assert", &Check::check_assert, 2, 2, "assert(condition, \"message\")"},
      {"static_assert", &Check::check_static_assert, 2, 2, "static_assert(condition, \"message\")"},
      {"fail", &Check::check_fail, 1, 1, "fail(\"message\")"},
      {"is_err", &Check::check_is_error, 1, 1, "is_err(pointer)"},
      {"is_str", &Check::check_is, 1, 1, "is_str(value)"},
      {"is_ptr", &Check::check_is, 1, 1, "is_ptr(value)"},
      {"is_array", &Check::check_is, 1, 1, "is_array(value)"},
      {"is_integer", &Check::check_is, 1, 1, "is_integer(value)"},
      {"is_unsigned_integer", &Check::check_is, 1, 1, "is_unsigned_integer(value)"},
      {"is_literal", &Check::check_is, 1, 1, "is_literal(value)"},
      {"getopt", &Check::check_getopt, 1, 3, "getopt(\"name\"), getopt(\"name\", default) or with a description"},
      {"join", &Check::check_join, 1, 2, "join(argv) or join(argv, \",\")"},
  };
  return calls;
}

// It outlives strata, and shows its readers what printf() writes.
void Check::want_pinned_call(const Expression &e) const {
  constexpr std::string_view kOfStrata[] = {"print", "errorf", "warnf", "cat",  "system", "clear",
                                            "zero",  "time",   "exit",  "join", "assert"};
  if (target_->pinned && std::ranges::find(kOfStrata, e.text) != std::end(kOfStrata))
    throw error(e, e.text + "() is strata's to do, which an iterator that is pinned does not need; it has printf()");
}

void Check::visit_call(Expression &e) {
  want_pinned_call(e);
  for (const Builtin &one : calls()) {
    if (one.name != e.text) continue;
    if (e.parts.size() < one.least || e.parts.size() > one.most)
      throw error(e, "it is called as " + std::string(one.usage));
    return (this->*one.check)(e);
  }
  if (e.parts.empty() && is_name_of_value(e.text)) return check_comm(e);
  if (aggregation(e.text) != TypeKind::kNone)
    throw error(e, e.text + "() is the value of a map: @ = " + e.text + "(...)");
  constexpr std::string_view kLater[] = {"unwatch", "skboutput"};
  if (std::ranges::find(kLater, e.text) != std::end(kLater))
    throw error(e, e.text + "() is not known to strata run yet");
  std::vector<std::string_view> names;
  for (const Builtin &one : calls()) names.push_back(one.name);
  throw error(e, "no function is called '" + printable(e.text) + "'" + meant(e.text, names));
}

void Check::check_printf(Expression &e) {
  for (ExpressionPtr &part : e.parts) visit_shown(part);
  Expression &format = *e.parts[0];
  if (format.kind != Kind::kString) throw error(format, "the format is a string of the program: \"...\"");
  std::string fault;
  const std::vector<FormatPart> parts = parts_of_format(format.text, fault);
  if (!fault.empty()) throw error(format, fault);
  const size_t wanted =
      static_cast<size_t>(std::ranges::count_if(parts, [](const FormatPart &part) { return !part.kind.empty(); }));
  const size_t given = e.parts.size() - 1;
  if (circumstances_.rows ? wanted >= given : wanted != given)
    throw error(e, "the format has " + std::to_string(wanted) + " values, and there are " + std::to_string(given));
  if (e.text == "system" && !circumstances_.unsafe) throw error(e, "system() runs commands: it needs --unsafe");
  Action action = {.kind = e.text == "cat"      ? Action::Kind::kCat
                           : e.text == "system" ? Action::Kind::kSystem
                           : e.text == "printf" ? Action::Kind::kPrintf
                                                : Action::Kind::kError,
                   .format = e.text == "errorf"  ? said_at(e, "ERROR", format.text)
                             : e.text == "warnf" ? said_at(e, "WARNING", format.text)
                                                 : format.text,
                   .values = {},
                   .warns = e.text == "warnf"};
  size_t i = 1;
  for (const FormatPart &part : parts) {
    if (part.kind.empty()) continue;
    Expression &value = *e.parts[i++];
    as_place(value);
    Type type = shown_type(value);
    const bool number = type.is_number();
    if (last_ && std::string_view("diuxXop").find(part.kind[0]) != std::string_view::npos && !number)
      throw error(value, "%" + part.kind + " takes a number, and this is " + name_of(type) + "; try %s");
    const bool plain = type.is_number() || type.is(TypeKind::kString) || !type.known();
    if (target_->pinned && !plain)
      throw error(value, "an iterator that is pinned shows numbers and strings, and this is " + name_of(type));
    action.values.push_back(std::move(type));
  }
  if (circumstances_.rows) {
    for (; i < given; i++) {
      as_place(*e.parts[i]);
      action.values.push_back(shown_type(*e.parts[i]));
    }
    for (const std::string_view key : split(e.parts.back()->text, '\n')) action.keys.emplace_back(key);
  }
  e.index = add_action(std::move(action));
  e.type = {};
}

uint32_t Check::map_as_whole(Expression &e) {
  const uint32_t map = map_index(e);
  if (last_ && !plan_.maps[map].value.known()) throw error(e, "@" + e.text + " is never given a value");
  return map;
}

void Check::check_print(Expression &e) {
  Expression &of = *e.parts[0];
  if (of.kind == Kind::kMap && of.parts.empty()) {
    const uint32_t map = map_as_whole(of);
    Action action = {.kind = Action::Kind::kPrintMap, .map = map};
    for (size_t i = 1; i < e.parts.size(); i++) {
      visit(*e.parts[i]);
      (i == 1 ? action.most : action.divisor) = want_constant(*e.parts[i], "this number of print()");
    }
    e.index = add_action(std::move(action));
    printed_.insert(map);
    return;
  }
  if (e.parts.size() > 1) throw error(e, "print() of a value takes it alone");
  visit_shown(e.parts[0]);
  as_place(*e.parts[0]);
  e.index = add_action({.kind = Action::Kind::kPrintValue, .values = {shown_type(*e.parts[0])}});
}

void Check::check_map_call(Expression &e) {
  Expression &of = *e.parts[0];
  if (of.kind != Kind::kMap || !of.parts.empty())
    throw error(of, e.text + "() takes a map as a whole: " + e.text + "(@map)");
  const uint32_t map = map_as_whole(of);
  const bool behind_print = printed_.erase(map) > 0;
  e.index =
      add_action(e.text == "clear" ? Action{.kind = Action::Kind::kClear, .map = map, .behind_print = behind_print}
                                   : Action{.kind = Action::Kind::kZero, .map = map});
}

// delete(@map[key]), or delete(@map, key): made the same here.
void Check::check_delete(Expression &e) {
  Expression &of = *e.parts[0];
  if (of.kind != Kind::kMap) throw error(of, "delete() takes an element of a map");
  if (e.parts.size() == 2) {
    if (!of.parts.empty()) throw error(of, "delete(@map, key) has the key behind the comma");
    of.parts.push_back(std::move(e.parts[1]));
    e.parts.pop_back();
  }
  learn_key(map_index(of), of);
  e.type = bool_type();
  MapPlan &map = plan_.maps[of.index];
  map.is_read = map.is_read || !map.key.empty();
  if (map.key.empty() && map.per_cpu()) e.index = add_action({.kind = Action::Kind::kClear, .map = of.index});
}

// The key becomes the map's: has_key(@map, key) is looked at as has_key(@map[key]) from then on.
void Check::check_has_key(Expression &e) {
  Expression &of = *e.parts[0];
  if (of.kind != Kind::kMap) throw error(of, "has_key() takes a map and a key");
  if (e.parts.size() == 2) {
    of.parts.push_back(std::move(e.parts[1]));
    e.parts.pop_back();
  }
  learn_key(map_index(of), of);
  plan_.maps[of.index].is_read = true;
  if (last_ && plan_.maps[of.index].key.empty()) throw error(of, "@" + of.text + " has no keys");
  e.type = bool_type();
}

void Check::check_time(Expression &e) {
  if (!e.parts.empty() && e.parts[0]->kind != Kind::kString) throw error(e, "the format of time() is a string");
  e.index = add_action({.kind = Action::Kind::kTime, .format = e.parts.empty() ? "%H:%M:%S\n" : e.parts[0]->text});
}

void Check::check_strftime(Expression &e) {
  visit_parts(e);
  if (e.parts[0]->kind != Kind::kString) throw error(*e.parts[0], "the format of strftime() is a string");
  want_number(*e.parts[1], "the time of strftime()");
  e.type = of_kind(TypeKind::kTime);
  e.type.name = e.parts[0]->text;
  e.type.clock = e.parts[1]->type.clock;
}

void Check::check_exit(Expression &e) {
  want_no_value_around(e);
  visit_parts(e);
  Action action = {.kind = Action::Kind::kExit};
  if (!e.parts.empty()) action.most = want_constant(*e.parts[0], "the status of exit()");
  e.index = add_action(std::move(action));
}

}  // namespace strata::expr
