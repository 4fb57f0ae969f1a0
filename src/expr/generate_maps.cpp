// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Maps. One without a key is an array of one element, whose address is part of the program; one with a key is a hash.
// Aggregations have a value for each CPU. A new key begins with zeros.
#include <algorithm>

#include "expr/generate.h"

namespace strata::expr {

using TypeKind = Type::Kind;

// `more`: bytes behind it, for a bucket. Of an array, a place for its index.
Generator::Place Generator::key_to(const Expression &e, uint32_t more) {
  const MapPlan &map = map_of(e);
  if (map.key.empty()) {
    const Place place = memory(8);
    store_number(place, 0);
    return place;
  }
  uint32_t bytes = more;
  for (const Type &part : map.key) bytes += part.bytes();
  const Place place = memory(bytes);
  if (e.parts.size() == 1 && e.parts[0]->type.is(TypeKind::kTuple) && !map.key[0].is(TypeKind::kTuple)) {  // the key
    value_to(*e.parts[0], place, tuple_of(map.key));
    return place;
  }
  uint32_t offset = 0;
  for (size_t i = 0; i < map.key.size(); i++) {
    const Mark before = mark();
    value_to(*e.parts[i], place.at(offset), map.key[i]);
    release(before);
    offset += map.key[i].bytes();
  }
  return place;
}

void Generator::find(const Expression &e, Place key) {
  const MapPlan &map = map_of(e);
  if (map.is_single()) return out_.refer(0, Reference::Kind::kValue, e.index);
  out_.refer(1, Reference::Kind::kMap, e.index);
  address_of(2, key);
  out_.call(BPF_FUNC_map_lookup_elem);
}

void Generator::find_or_make(const Expression &e, Place key, Label lost) {
  const MapPlan &map = map_of(e);
  if (map.is_single()) return find(e, key);
  const Label found = out_.label();
  find(e, key);
  out_.jump_if_number(BPF_JNE, 0, 0, found);
  if (!map.key.empty()) {
    const Mark before = mark();
    const uint32_t bytes = std::max<uint32_t>(map.value_bytes(), 8);
    const Place zeros = memory(bytes);
    clear(zeros, bytes);
    out_.refer(1, Reference::Kind::kMap, e.index);
    address_of(2, key);
    address_of(3, zeros);
    out_.number(4, BPF_NOEXIST);
    out_.call(BPF_FUNC_map_update_elem);
    find(e, key);
    out_.jump_if_number(BPF_JNE, 0, 0, found);
    count_loss(circumstances_.loss_map);
    release(before);
  }
  out_.jump(lost);
  out_.place(found);
}

void Generator::value_of_map(const Expression &e) {
  const MapPlan &map = map_of(e);
  if (map.value.is_aggregate()) return value_of_aggregation(e.index, key_to(e), e.at);
  const Label absent = out_.label();
  const bool keyed = !map.key.empty();
  find(e, keyed ? key_to(e) : Place{});
  if (map.value.is(TypeKind::kWhole)) return address_as_number();  // or 0
  if (keyed) out_.jump_if_number(BPF_JEQ, 0, 0, absent);
  out_.load(0, 0, 0, 8);
  out_.place(absent);
}

// R0, of which the verifier knows where it points to, becomes any number, with which one may compute: what is read from
// a map is one.
void Generator::address_as_number() {
  const Place place = scratch_memory(8);
  store(place, 0);
  load(0, place);
}

// Of all processors together, as they come: others may count meanwhile.
void Generator::value_of_aggregation(uint32_t index, Place key, Span at) {
  const MapPlan &map = plan_.maps[index];
  if (map.has_buckets() || map.value.is(TypeKind::kStats))
    throw source_.error(at, "@" + map.name + " is " + name_of(map.value) + ", which is no number; print(@) shows it");
  const uint32_t cpus = circumstances_.possible_cpus ? circumstances_.possible_cpus() : 0;
  if (cpus == 0)
    throw source_.error(at,
                        "this kernel tells a program nothing of what other processors counted (5.19 does); "
                        "print(@) shows it");
  const bool least = map.value.is(TypeKind::kMin), extreme = least || map.value.is(TypeKind::kMax);
  const bool average = map.value.is(TypeKind::kAverage);
  const Place total = memory(8), seen = memory(8), cpu = memory(8);
  const Label top = out_.label(), take_it = out_.label(), next = out_.label(), done = out_.label();
  for (const Place &one : {total, seen, cpu}) store_number(one, 0);
  out_.place(top);
  load(3, cpu);
  out_.jump_if_number(BPF_JGE, 3, static_cast<int32_t>(cpus), done);
  out_.refer(1, Reference::Kind::kMap, index);
  address_of(2, key);
  out_.call(BPF_FUNC_map_lookup_percpu_elem);
  out_.jump_if_number(BPF_JEQ, 0, 0, next);
  out_.load(1, 0, 0, 8);
  if (extreme) {
    out_.load(2, 0, 8, 8);
    out_.jump_if_number(BPF_JEQ, 2, 0, next);
    load(2, seen);
    out_.jump_if_number(BPF_JEQ, 2, 0, take_it);
  }
  load(2, total);
  if (extreme)
    out_.jump_if(map.value.is_signed ? (least ? BPF_JSGE : BPF_JSLE) : (least ? BPF_JGE : BPF_JLE), 1, 2, next);
  else
    out_.alu(BPF_ADD, 1, 2);
  out_.place(take_it);
  store(total, 1);
  if (average) {
    out_.load(1, 0, 8, 8);
    load(2, seen);
    out_.alu(BPF_ADD, 1, 2);
    store(seen, 1);
  } else {
    store_number(seen, 1);
  }
  out_.place(next);
  load(0, cpu);
  out_.alu_number(BPF_ADD, 0, 1);
  store(cpu, 0);
  out_.jump(top);
  out_.place(done);
  load(0, total);
  if (!average) return;
  load(1, seen);
  divide(false, map.value.is_signed);
}

void Generator::map_to(const Expression &e, Place to, const Type &as) {
  const Type &held = map_of(e).value;
  if (held.is(TypeKind::kTuple) && !alike(held, as)) {
    const Place whole = memory(held.bytes());
    map_to(e, whole, held);
    return copy_value(whole, held, to, as);
  }
  const Label absent = out_.label();
  const bool keyed = !map_of(e).key.empty();
  clear(to, as.bytes());
  find(e, keyed ? key_to(e) : Place{});
  if (keyed) out_.jump_if_number(BPF_JEQ, 0, 0, absent);
  out_.move(3, 0);
  address_of(1, to);
  out_.number(2, std::min(as.bytes(), e.type.bytes()));
  out_.call(BPF_FUNC_probe_read_kernel);
  out_.place(absent);
}

// find(): R0 says whether the key is there; then the variable has its value.
void Generator::find_value(const Expression &e) {
  const Expression &target = *e.parts[0];
  const MapPlan &map = map_of(target);
  const Place key = key_to(target), to = variable_places_[e.parts[2]->index];
  const Type &type = (*variables_)[e.parts[2]->index].type;
  const Label absent = out_.label();
  find(target, key);
  out_.jump_if_number(BPF_JEQ, 0, 0, absent);
  if (map.value.is_aggregate()) {
    value_of_aggregation(target.index, key, target.at);
    store(to, 0);
  } else {
    const Place held = memory(map.value.bytes());
    copy_from(0, held, map.value.bytes());
    copy_value(held, map.value, to, type);
  }
  out_.number(0, 1);
  out_.place(absent);
}

// --- assignments

void Generator::assign_map(const Statement &one) {
  const Expression &target = *one.target, &from = *one.value;
  const MapPlan &map = map_of(target);
  if (map.value.is_aggregate()) return aggregate(target, from);
  if (one.text != "=") return update(one);
  const bool keyed = !map.key.empty();
  if (!keyed && map.value.is_scalar()) {
    value(from);
    out_.refer(1, Reference::Kind::kValue, target.index);
    out_.store(1, 0, 0, 8);
    return say_given(map, 1);
  }
  const Place key = key_to(target), stored = memory(map.value_bytes());
  value_to(from, stored, map.value);
  if (map.is_single()) store_number(stored.at(map.value.bytes()), 1);
  const Label kept = out_.label();
  out_.refer(1, Reference::Kind::kMap, target.index);
  address_of(2, key);
  address_of(3, stored);
  out_.number(4, BPF_ANY);
  out_.call(BPF_FUNC_map_update_elem);
  out_.jump_if_number(BPF_JEQ, 0, 0, kept);
  count_loss(circumstances_.loss_map);
  out_.place(kept);
}

void Generator::delete_key(const Expression &e) {
  const Expression &target = *e.parts[0];
  const MapPlan &map = map_of(target);
  if (map.key.empty()) {
    if (map.per_cpu()) {
      send(plan_.actions[e.index], e.index, {});
      return out_.number(0, 1);
    }
    out_.refer(1, Reference::Kind::kValue, target.index);
    for (uint32_t i = 0; i < map.value_bytes(); i += 8) out_.store_number(1, static_cast<int>(i), 0, 8);
    return out_.number(0, 1);
  }
  if (map.has_buckets()) return delete_buckets(target);
  const Place key = key_to(target);
  const Label failed = out_.label();
  out_.refer(1, Reference::Kind::kMap, target.index);
  address_of(2, key);
  out_.call(BPF_FUNC_map_delete_elem);
  out_.jump_if_number(BPF_JNE, 0, 0, failed);
  out_.settle(true, failed);
}

// The register points to the map's value.
void Generator::say_given(const MapPlan &map, int reg) {
  if (map.is_single()) out_.store_number(reg, static_cast<int>(map.value.bytes()), 1, 8);
}

// @x += 1 is one atomic instruction; what is neither a sum nor a difference is a load and a store.
void Generator::update(const Statement &one) {
  const std::string op = one.text.substr(0, one.text.size() - 1);
  const Label lost = out_.label();
  const Place amount = memory(8);
  value(*one.value);
  if (const uint32_t step = bytes_of_step(map_of(*one.target).value); step != 1 && (op == "+" || op == "-"))
    out_.alu_number(BPF_MUL, 0, static_cast<int32_t>(step));
  if (op == "-") out_.alu_number(BPF_NEG, 0, 0);
  store(amount, 0);
  find_or_make(*one.target, key_to(*one.target), lost);
  say_given(map_of(*one.target), 0);
  if (op == "+" || op == "-") {
    load(1, amount);
    out_.add_atomically(0, 0, 1);
    return out_.place(lost);
  }
  Temporary element = keep();
  out_.load(0, 0, 0, 8);
  load(1, amount);
  arithmetic(op, *one.target);
  take(1, element);
  out_.store(1, 0, 0, 8);
  out_.place(lost);
}

// --- aggregations

void Generator::aggregate(const Expression &target, const Expression &call) {
  const MapPlan &map = map_of(target);
  if (map.has_buckets()) return count_bucket(target, call);
  const Label lost = out_.label(), store_it = out_.label();
  const bool counts = map.value.is(TypeKind::kCount);
  const Place amount = counts ? Place{} : memory(8);
  if (!counts) {
    value(*call.parts[0]);
    store(amount, 0);
  }
  find_or_make(target, key_to(target), lost);
  if (counts)
    out_.number(1, 1);
  else
    load(1, amount);
  switch (map.value.kind) {
    case TypeKind::kCount:
    case TypeKind::kSum:
      out_.add_atomically(0, 0, 1);
      break;
    case TypeKind::kAverage:
    case TypeKind::kStats:
      out_.add_atomically(0, 0, 1);
      out_.number(1, 1);
      out_.add_atomically(0, 8, 1);
      break;
    default: {  // the first one, or beyond what there was
      const bool least = map.value.is(TypeKind::kMin);
      const int beyond = map.value.is_signed ? (least ? BPF_JSGE : BPF_JSLE) : (least ? BPF_JGE : BPF_JLE);
      out_.load(2, 0, 8, 8);
      out_.jump_if_number(BPF_JEQ, 2, 0, store_it);
      out_.load(2, 0, 0, 8);
      out_.jump_if(beyond, 1, 2, lost);
      out_.place(store_it);
      out_.store(0, 0, 1, 8);
      out_.store_number(0, 8, 1, 8);
      break;
    }
  }
  out_.place(lost);
}

}  // namespace strata::expr
