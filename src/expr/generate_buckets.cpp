// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Aggregations that have many numbers: the buckets of hist() and lhist(), and the intervals of tseries().
#include "expr/generate.h"

namespace strata::expr {

using TypeKind = Type::Kind;

// The bucket is the last part of the key, or of a map without a key the index.
void Generator::count_bucket(const Expression &target, const Expression &call) {
  const MapPlan &map = map_of(target);
  const bool series = map.value.is(TypeKind::kSeries);
  const Label lost = out_.label();
  const Place amount = series ? memory(8) : Place{}, interval = series ? memory(8) : Place{};
  value(*call.parts[0]);
  if (series) {
    store(amount, 0);
    interval_of_series(map);
    store(interval, 0);
    out_.alu_number(BPF_MOD, 0, static_cast<int32_t>(map.buckets));
  } else if (map.value.is(TypeKind::kHistogram)) {
    bucket_of_hist(map.bits, call.parts[0]->type.is_signed);
  } else {
    bucket_of_lhist(map, call.parts[0]->type.is_signed || call.parts[0]->type.size < 8);
  }
  Place key;
  if (map.key.empty()) {
    key = memory(8);
    store(key, 0);
  } else {
    const Place bucket = memory(8);
    store(bucket, 0);
    key = key_to(target, 8);
    load(0, bucket);
    store(key.at(map.key_bytes() - 8), 0);
  }
  find_or_make(target, key, lost);
  if (series) {
    add_to_series(map, amount, interval);
  } else {
    out_.number(1, 1);
    out_.add_atomically(0, 0, 1);
  }
  out_.place(lost);
}

// R0: the number of the interval that it is now, since 1970.
void Generator::interval_of_series(const MapPlan &map) {
  out_.call(BPF_FUNC_ktime_get_ns);
  out_.number(1, circumstances_.real_ns);
  out_.alu(BPF_ADD, 0, 1);
  out_.number(1, map.step);
  out_.alu(BPF_DIV, 0, 1);
}

// R0 points to the bucket, which may have what an earlier interval left.
void Generator::add_to_series(const MapPlan &map, Place amount, Place interval) {
  const Label begun = out_.label(), first = out_.label(), done = out_.label();
  const bool is_signed = map.value.is_signed;
  load(1, amount);
  load(2, interval);
  out_.load(3, 0, kSeriesInterval, 8);
  out_.jump_if(BPF_JEQ, 3, 2, begun);
  out_.store(0, kSeriesInterval, 2, 8);
  out_.store_number(0, kSeriesCount, 0, 8);
  out_.jump(first);
  out_.place(begun);
  out_.load(3, 0, kSeriesValue, 8);
  if (map.fold == Fold::kMin) out_.jump_if(is_signed ? BPF_JSGE : BPF_JGE, 1, 3, done);
  if (map.fold == Fold::kMax) out_.jump_if(is_signed ? BPF_JSLE : BPF_JLE, 1, 3, done);
  if (map.fold == Fold::kSum || map.fold == Fold::kAverage) out_.alu(BPF_ADD, 1, 3);
  out_.place(first);
  out_.store(0, kSeriesValue, 1, 8);
  if (map.fold == Fold::kLast) {
    Temporary bucket = keep();
    out_.call(BPF_FUNC_ktime_get_ns);
    out_.move(1, 0);
    take(0, bucket);
    out_.store(0, kSeriesCount, 1, 8);
  } else {
    out_.load(1, 0, kSeriesCount, 8);
    out_.alu_number(BPF_ADD, 1, 1);
    out_.store(0, kSeriesCount, 1, 8);
  }
  out_.place(done);
}

// R0 to its bucket: 0 is below 0, 1 is 0, 2 is 1, and so on, each number its own up to 1 << bits; from there on each
// power of 2 has 1 << bits of them, by the bits behind its highest one.
void Generator::bucket_of_hist(uint32_t bits, bool is_signed) {
  const auto narrow = static_cast<int32_t>(bits), own = int32_t{1} << bits;
  const Label negative = out_.label(), small = out_.label(), done = out_.label();
  if (is_signed) out_.jump_if_number(BPF_JSLT, 0, 0, negative);
  out_.jump_if_number(BPF_JLT, 0, own, small);
  out_.number(1, 0);
  out_.move(3, 0);
  for (int half = 32; half > 0; half /= 2) {
    const Label below = out_.label();
    out_.move(2, 0);
    out_.alu_number(BPF_RSH, 2, half);
    out_.jump_if_number(BPF_JEQ, 2, 0, below);
    out_.alu_number(BPF_ADD, 1, half);
    out_.move(0, 2);
    out_.place(below);
  }
  out_.move(0, 1);
  out_.alu_number(BPF_SUB, 0, narrow - 1);
  out_.alu_number(BPF_LSH, 0, narrow);
  if (bits > 0) {
    out_.alu_number(BPF_SUB, 1, narrow);
    out_.alu_number(BPF_AND, 1, 63);  // as the verifier wants it
    out_.alu(BPF_RSH, 3, 1);
    out_.alu_number(BPF_AND, 3, own - 1);
    out_.alu(BPF_ADD, 0, 3);
  }
  out_.place(small);
  out_.alu_number(BPF_ADD, 0, 1);
  if (!is_signed) return;
  out_.jump(done);
  out_.place(negative);
  out_.number(0, 0);
  out_.place(done);
}

// 0 is below, the last one is what is not below the greatest.
void Generator::bucket_of_lhist(const MapPlan &map, bool is_signed) {
  const Label low = out_.label(), high = out_.label(), done = out_.label();
  if (!is_signed) out_.jump_if_number(BPF_JSLT, 0, 0, high);  // beyond all numbers with a sign
  out_.number(1, map.low);
  out_.jump_if(BPF_JSLT, 0, 1, low);
  out_.number(1, map.high);
  out_.jump_if(BPF_JSGE, 0, 1, high);
  out_.number(1, map.low);
  out_.alu(BPF_SUB, 0, 1);
  out_.number(1, map.step);
  out_.alu(BPF_DIV, 0, 1);
  out_.alu_number(BPF_ADD, 0, 1);
  out_.jump(done);
  out_.place(low);
  out_.number(0, 0);
  out_.jump(done);
  out_.place(high);
  out_.number(0, map.buckets - 1);
  out_.place(done);
}

// Each of which is a key of the map. Is there any?
void Generator::delete_buckets(const Expression &target) {
  const MapPlan &map = map_of(target);
  const Place bucket = memory(8), any = memory(8), key = key_to(target, 8);
  const Label top = out_.label(), next = out_.label(), done = out_.label();
  store_number(bucket, 0);
  store_number(any, 0);
  out_.place(top);
  load(0, bucket);
  out_.jump_if_number(BPF_JGE, 0, static_cast<int32_t>(map.buckets), done);
  store(key.at(map.key_bytes() - 8), 0);
  out_.refer(1, Reference::Kind::kMap, target.index);
  address_of(2, key);
  out_.call(BPF_FUNC_map_delete_elem);
  out_.jump_if_number(BPF_JNE, 0, 0, next);
  store_number(any, 1);
  out_.place(next);
  load(0, bucket);
  out_.alu_number(BPF_ADD, 0, 1);
  store(bucket, 0);
  out_.jump(top);
  out_.place(done);
  load(0, any);
}

}  // namespace strata::expr
