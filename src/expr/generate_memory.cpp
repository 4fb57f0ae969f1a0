// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Values that are longer than 8 bytes, written to where they belong: strings, buffers, addresses, tuples.
#include <arpa/inet.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "expr/generate.h"
#include "expr/machine.h"

namespace strata::expr {
namespace {

using Kind = Expression::Kind;
using TypeKind = Type::Kind;

}  // namespace

void Generator::value_to(const Expression &e, Place to, const Type &as) {
  if (as.is_scalar()) {
    value(e);
    return store(to, 0);
  }
  if (as.is(TypeKind::kWhole)) return whole_to(e, to, as);
  const uint32_t bytes = as.bytes();
  switch (e.kind) {
    case Kind::kVariable:
      return copy_value(variable_places_[e.index], (*variables_)[e.index].type, to, as);
    case Kind::kMap:
      return map_to(e, to, as);
    case Kind::kName:
      if (!as.is(TypeKind::kTuple)) break;
      [[fallthrough]];
    case Kind::kTuple: {
      uint32_t offset = 0;
      for (size_t i = 0; i < e.parts.size(); i++) {
        const Mark before = mark();
        value_to(*e.parts[i], to.at(offset), as.parts[i]);
        release(before);
        offset += as.parts[i].bytes();
      }
      return;
    }
    case Kind::kChoice: {
      const Label no = out_.label(), done = out_.label();
      branch(*e.parts[0], false, no);
      value_to(*e.parts[1], to, as);
      out_.jump(done);
      out_.place(no);
      value_to(*e.parts[2], to, as);
      return out_.place(done);
    }
    case Kind::kField:
    case Kind::kIndex:
      if (e.parts[0]->type.is(TypeKind::kTuple))
        return copy_value(tuple_place(*e.parts[0]).at(e.offset), e.type, to, as);
      break;
    case Kind::kCall:
      return call_to(e, to, as);
    case Kind::kCast:
      return value_to(*e.parts[0], to, as);
    case Kind::kRoutine:
      run_routine(e);
      return copy_value(variable_places_[e.index], e.type, to, as);
    case Kind::kBlock:
      statements_of(e);
      return value_to(*e.body.back().value, to, as);
    default:
      break;
  }
  if (as.is(TypeKind::kString)) return string_to(e, to, bytes);
  throw source_.error(e.at, "this cannot stand here: it is " + name_of(e.type));
}

// Where it is, or where it was put.
Generator::Place Generator::tuple_place(const Expression &e) {
  if (e.kind == Kind::kVariable) return variable_places_[e.index];
  const bool within = e.kind == Kind::kField || e.kind == Kind::kIndex;
  if (within && e.parts[0]->type.is(TypeKind::kTuple)) return tuple_place(*e.parts[0]).at(e.offset);
  const Place all = memory(e.type.bytes());
  value_to(e, all, e.type);
  return all;
}

// Each part of a tuple to its own place, which may be wider.
void Generator::copy_value(Place from, const Type &type, Place to, const Type &as) {
  if (!type.is(TypeKind::kTuple) || alike(type, as)) {
    if (type.bytes() < as.bytes()) clear(to, as.bytes());
    return copy(from, to, std::min(type.bytes(), as.bytes()));
  }
  uint32_t offset = 0, place = 0;
  for (size_t i = 0; i < type.parts.size(); i++) {
    copy_value(from.at(offset), type.parts[i], to.at(place), as.parts[i]);
    offset += type.parts[i].bytes();
    place += as.parts[i].bytes();
  }
}

void Generator::literal_to(std::string_view text, Place to, uint32_t bytes) {
  std::string padded(text.substr(0, bytes - 1));
  padded.resize(bytes);
  for (uint32_t i = 0; i < bytes; i += 8) {
    uint64_t word = 0;
    memcpy(&word, padded.data() + i, 8);
    if (word == 0 && i > text.size()) {
      clear(to.at(i), bytes - i);
      return;
    }
    out_.number(0, word);
    store(to.at(i), 0);
  }
}

void Generator::string_to(const Expression &e, Place to, uint32_t bytes) {
  if (e.kind == Kind::kString) return literal_to(e.text, to, bytes);
  if (e.kind == Kind::kName && e.text == "probe") return literal_to(target_->title, to, bytes);
  if (e.kind == Kind::kName && e.text == "func") return literal_to(target_->name, to, bytes);
  if (e.kind == Kind::kName && e.text == "probetype") return literal_to(target_->kind_text(), to, bytes);
  if (e.kind != Kind::kName || e.text != "comm") throw source_.error(e.at, "this is no string");
  clear(to, bytes);  // the helper writes nothing behind the name's end (6.1), and a key is all of its bytes
  address_of(1, to);
  out_.number(2, std::min<uint32_t>(bytes, 16));
  out_.call(BPF_FUNC_get_current_comm);
}

void Generator::call_to(const Expression &e, Place to, const Type &as) {
  if (e.text == "path") return path_to(e, to, as.bytes());
  if (as.is(TypeKind::kString)) return str_to(e, to, as.bytes());
  if (as.is(TypeKind::kBuffer)) return buffer_to(e, to, as.bytes());
  if (as.is(TypeKind::kInet)) return inet_to(e, to);
  value(*e.parts[0]);
  store(to, 0);
  task(false);
  out_.alu_number(BPF_RSH, 0, 32);
  store(to.at(8), 0);
}

// Of R2 bytes from R3 to `to`; which they are is known last, as older verifiers forget the bounds of what was stored.
void Generator::read_sized(const Expression &from, const Expression &size, uint32_t most, bool string, Place length,
                           Place to, Space space) {
  const Label small = out_.label();
  value(from);
  Temporary address = keep();
  value(size);
  if (string) out_.alu_number(BPF_ADD, 0, 1);
  out_.jump_if_number(BPF_JLE, 0, static_cast<int32_t>(most), small);
  out_.number(0, most);
  out_.place(small);
  if (!string) store(length, 0);
  out_.move(2, 0);
  take(0, address);
  probe_read(space, string, kSizeInRegister, to);
}

// All of its place is written: what lies behind the string is part of a key.
void Generator::str_to(const Expression &e, Place to, uint32_t bytes) {
  const Expression &from = *e.parts[0];
  if (from.type.is(TypeKind::kString) && e.type.size >= from.type.size)
    return value_to(from, to, from.type.bytes() < bytes ? string_type(bytes) : from.type);
  clear(to, bytes);
  if (from.type.is(TypeKind::kString)) return begin_to(from, to, e.type.size - 1);
  const uint32_t cut = e.index;  // behind so many characters, of which one more is read
  const uint32_t most = std::min(bytes, cut != 0 ? cut + 2 : e.type.size);
  const Space space = e.text == "kstr" ? Space::kKernel : e.text == "ustr" ? Space::kUser : space_of(from);
  if (e.parts.size() == 2 && !e.parts[1]->constant) {
    read_sized(from, *e.parts[1], most, true, {}, to, space);
  } else {
    value(from);
    probe_read(space, true, most, to);
  }
  if (cut != 0) mark_cut(to, cut);
}

// Of what was read R0 has the size, with the zero at its end: of more characters the mark goes before that.
void Generator::mark_cut(Place to, uint32_t most) {
  const Label whole = out_.label();
  const std::string &mark = plan_.settings.cut;
  out_.jump_if_number(BPF_JSLE, 0, static_cast<int32_t>(most) + 1, whole);
  address_of(1, to);
  for (uint32_t i = 0; i <= mark.size(); i++)
    out_.store_number(1, static_cast<int>(most + i), i < mark.size() ? static_cast<uint8_t>(mark[i]) : 0, 1);
  out_.place(whole);
}

// The first characters of a string.
void Generator::begin_to(const Expression &from, Place to, uint32_t most) {
  const Mark before = mark();
  const Place whole = memory(from.type.bytes());
  value_to(from, whole, from.type);
  address_of(1, to);
  out_.number(2, most);
  address_of(3, whole);
  out_.call(BPF_FUNC_probe_read_kernel);
  release(before);
}

// Its length, then its bytes; what cannot be read is a buffer of none.
void Generator::buffer_to(const Expression &e, Place to, uint32_t bytes) {
  const Expression &from = *e.parts[0];
  if (from.type.is(TypeKind::kString)) return string_buffer_to(e, to, bytes);
  Expression whole;
  whole.constant = true;
  whole.number = from.type.size;
  const Label done = out_.label();
  clear(to, bytes);
  read_sized(from, e.parts.size() == 1 ? whole : *e.parts[1], bytes - 8, false, to, to.at(8), space_of(from));
  out_.jump_if_number(BPF_JEQ, 0, 0, done);
  store_number(to, 0);
  out_.place(done);
}

void Generator::string_buffer_to(const Expression &e, Place to, uint32_t bytes) {
  const Expression &from = *e.parts[0];
  const Label fits = out_.label();
  const Place text = memory(from.type.bytes());
  value_to(from, text, from.type);
  clear(to, bytes);
  copy(text, to.at(8), std::min(from.type.bytes(), bytes - 8));
  if (e.parts.size() == 1) {
    string_length(text, from.type.bytes());
    return store(to, 0);
  }
  value(*e.parts[1]);  // so many bytes, zeros behind the text among them
  out_.jump_if_number(BPF_JLE, 0, static_cast<int32_t>(bytes - 8), fits);
  out_.number(0, bytes - 8);
  out_.place(fits);
  store(to, 0);
}

// A number is an address of IPv4 in the order of the net.
void Generator::inet_to(const Expression &e, Place to) {
  constexpr int kInet = 2, kInet6 = 10;
  const Expression &address = *e.parts.back();
  clear(to, 24);
  if (e.parts.size() == 2)
    value(*e.parts[0]);
  else
    out_.number(0, address.type.is(TypeKind::kInt) || address.type.size == 4 ? kInet : kInet6);
  store(to, 0);
  value(address);
  if (address.type.is(TypeKind::kInt)) return store(to.at(8), 0);
  probe_read(space_of(address), false, std::min<uint32_t>(address.type.size, 16), to.at(8));
}

void Generator::value_of_call(const Expression &e) {
  using ActionKind = Action::Kind;
  const bool acts = e.text == "printf" || e.text == "errorf" || e.text == "warnf" || e.text == "cat" ||
                    e.text == "system" || e.text == "print" || e.text == "clear" || e.text == "zero" ||
                    e.text == "time" || e.text == "exit";
  if (acts) {
    const Action &action = plan_.actions[e.index];
    std::vector<const Expression *> values;
    const size_t first = action.kind == ActionKind::kPrintValue ? 0 : 1;
    for (size_t i = 0; i < action.values.size(); i++) values.push_back(e.parts[first + i].get());
    if (target_->pinned) return print_to_reader(action, values);
    send(action, e.index, values);
    if (e.text == "exit") end_run();
    return;
  }
  value_of_function(e);
}

// An iterator's value says that it comes back to the same object, for which strata does not ask.
void Generator::end_run() {
  if (target_->is("iter")) out_.store_number(frame_register_, ended_slot_, 1, 8);
  out_.jump(end_);
}

void Generator::value_of_function(const Expression &e) {
  if (e.text == "delete") return delete_key(e);
  if (e.text == "has_key") {
    const Label absent = out_.label();
    find(*e.parts[0], key_to(*e.parts[0]));
    out_.jump_if_number(BPF_JEQ, 0, 0, absent);
    out_.number(0, 1);
    return out_.place(absent);
  }
  if (e.text == "len") return length(*e.parts[0]);
  if (e.text == "strcontains" || e.text == "strstr") return find_string(e);
  if (e.text == "memcmp") return compare_bytes(e);
  if (e.text == "find") return find_value(e);
  if (e.text == "assert") return require(e);
  if (e.text == "static_assert") return;
  if (e.text == "join") return join(e);
  if (e.text == "pton") return address_bytes(e);
  if (e.text == "uaddr") return user_address(e);
  if (e.text == "signal" || e.text == "signal_thread" || e.text == "override" || e.text == "socket_cookie")
    return call_kernel(e);
  if (e.text == "strerror" || e.text == "syscall_name" || e.text.starts_with("cgroup_")) return value(*e.parts[0]);
  if (e.text == "ksym" || e.text == "kptr" || e.text == "uptr") return value(*e.parts[0]);
  if (e.text == "strftime") return value(*e.parts[1]);
  if (e.text == "bswap" || e.text == "ntohs" || e.text == "ntohl") {
    value(*e.parts[0]);
    if (e.type.size > 1) out_.swap_bytes(0, e.type.size);
    return;
  }
  if (e.text == "macaddr") {
    const Place place = memory(8);
    clear(place, 8);
    value(*e.parts[0]);
    probe_read(space_of(*e.parts[0]), false, 6, place);
    return load(0, place);
  }
  if (e.text == "is_err") {  // the last 4095 addresses are the kernel's error numbers
    const Label no = out_.label();
    value(*e.parts[0]);
    out_.number(1, static_cast<uint64_t>(int64_t{-4095}));
    out_.jump_if(BPF_JLT, 0, 1, no);
    return out_.settle(true, no);
  }
  if (e.text == "reg") {
    for (const RegisterName &one : kRegisters)
      if (one.name == e.parts[0]->text) return out_.load(0, 6, one.offset, 8);
    throw source_.error(e.parts[0]->at, "this processor has no register of that name");
  }
  if (e.text == "strncmp") {
    const Label same = out_.label();
    compare_strings(*e.parts[0], *e.parts[1],
                    static_cast<uint32_t>(std::min<uint64_t>(e.parts[2]->number, kMostCompared)), true, same);
    return out_.settle(true, same);
  }
  throw source_.error(e.at, e.text + "() has no value here");
}

// Of uaddr(): the processor is at the place, or was at the function's beginning.
void Generator::user_address(const Expression &e) {
  if (e.index == 0) return out_.number(0, e.number);
  if (target_->returns()) {
    out_.move(1, 6);
    out_.call(BPF_FUNC_get_func_ip);
  } else {
    out_.load(0, 6, kInstruction, 8);
  }
  out_.number(1, e.number);
  out_.alu(BPF_ADD, 0, 1);
}

// assert()
void Generator::require(const Expression &e) {
  const Label holds = out_.label();
  branch(*e.parts[0], true, holds);
  for (const uint64_t action : {uint64_t{e.index}, e.number})
    send(plan_.actions[action], static_cast<uint32_t>(action), {});
  end_run();
  out_.place(holds);
}

// Of pton(), in the memory that the check took for it.
void Generator::address_bytes(const Expression &e) {
  const Place place = variable_places_[e.index];
  char bytes[16] = {};
  inet_pton(e.type.size == 4 ? AF_INET : AF_INET6, e.parts[0]->text.c_str(), bytes);
  for (uint32_t i = 0; i < 16; i += 8) {
    uint64_t word = 0;
    memcpy(&word, bytes + i, 8);
    out_.number(0, word);
    store(place.at(i), 0);
  }
  address_of(0, place);
}

// argv[i] and str(argv[i]), of an argv that is read once.
void Generator::join(const Expression &e) {
  const Place argv = variable_places_[e.number];
  value(*e.parts[0]);
  store(argv, 0);
  const Type &type = (*variables_)[e.number].type;
  const auto argument = [&](uint32_t i) {
    auto array = std::make_unique<Expression>(), index = std::make_unique<Expression>();
    array->kind = Kind::kVariable;
    array->type = type;
    array->index = static_cast<uint32_t>(e.number);
    index->constant = true;
    index->number = i;
    auto made = std::make_unique<Expression>();
    made->kind = Kind::kIndex;
    made->type = *type.to;
    made->type.space = type.space;
    made->parts.push_back(std::move(array));
    made->parts.push_back(std::move(index));
    return made;
  };
  const Action &action = plan_.actions[e.index];
  std::vector<ExpressionPtr> made;
  for (uint32_t i = 0; i < kJoined; i++) {
    made.push_back(argument(i));
    auto text = std::make_unique<Expression>();
    text->kind = Kind::kCall;
    text->text = "str";
    text->type = action.values[1];
    text->parts.push_back(argument(i));
    made.push_back(std::move(text));
  }
  std::vector<const Expression *> values;
  for (const ExpressionPtr &one : made) values.push_back(one.get());
  send(action, e.index, values);
}

}  // namespace strata::expr
