// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/script_maps.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include "base/error.h"
#include "bpf/object.h"
#include "render/text.h"
#include "subsys/script_buckets.h"
#include "subsys/script_series.h"
#include "subsys/script_stacks.h"

namespace strata {
namespace {

using TypeKind = expr::Type::Kind;

constexpr uint32_t kStacks = 16384, kStackBytes = 127 * 8;

// Stacks of which only the innermost functions are wanted, and the cgroups of one unit, or of one path, look alike.
bool may_look_alike(const expr::Type &type) {
  const bool is_stack = type.is(TypeKind::kUserStack) || type.is(TypeKind::kKernelStack);
  return (is_stack && type.count != 0) || type.is_cgroup() || std::ranges::any_of(type.parts, may_look_alike);
}

// The kernel's names of maps have 15 letters, digits and _.
std::string kernel_name_of(const std::string &name) { return ("at_" + name).substr(0, 15); }

Fd make_map(const expr::MapPlan &map) {
  const bool keyed = !map.key.empty();
  bpf_map_type type = map.per_cpu() ? (keyed ? BPF_MAP_TYPE_PERCPU_HASH : BPF_MAP_TYPE_PERCPU_ARRAY)
                                    : (keyed ? BPF_MAP_TYPE_HASH : BPF_MAP_TYPE_ARRAY);
  if (keyed && map.evicts) type = map.per_cpu() ? BPF_MAP_TYPE_LRU_PERCPU_HASH : BPF_MAP_TYPE_LRU_HASH;
  Fd fd(bpf_map_create(type, kernel_name_of(map.name).c_str(), keyed ? map.key_bytes() : 4,
                       std::max<uint32_t>(map.value_bytes(), 8), map.elements(), nullptr));
  if (!fd && errno == E2BIG)
    throw Error("this kernel has no room for the keys of @" + map.name + ", of " + std::to_string(map.key_bytes()) +
                " bytes (older ones permit 512): give their strings a size, as str(pointer, 100)");
  if (!fd) throw system_error("cannot make the map @" + map.name);
  return fd;
}

bool is_plain_number(const expr::MapPlan &map) {
  return map.per_cpu() || (map.value.is(TypeKind::kInt) && !map.value.is_bool && !map.value.is_enum());
}

// By 0: as it is.
uint64_t quotient(const expr::MapPlan &map, uint64_t value, uint64_t by) {
  if (by == 0) return value;
  if (map.value.is_signed && by == ~UINT64_C(0)) return 0 - value;  // of the least number there is none
  return map.value.is_signed ? static_cast<uint64_t>(static_cast<int64_t>(value) / static_cast<int64_t>(by))
                             : value / by;
}

std::vector<uint64_t> divided(std::vector<uint64_t> counts, uint64_t by) {
  for (uint64_t &one : counts) one /= std::max<uint64_t>(by, 1);
  return counts;
}

std::string number_text(const expr::MapPlan &map, uint64_t value) {
  return map.value.is_signed ? std::to_string(static_cast<int64_t>(value)) : std::to_string(value);
}

size_t words_of(const expr::MapPlan &map) { return std::max<uint32_t>(map.value_bytes(), 8) / 8; }

size_t copies_of(const expr::MapPlan &map) {  // that the kernel gives
  return map.per_cpu() ? static_cast<size_t>(libbpf_num_possible_cpus()) : 1;
}

bool is_all_zero(const std::vector<uint64_t> &numbers) {
  return std::ranges::all_of(numbers, [](uint64_t one) { return one == 0; });
}

// What has no words yet is 0.
void subtract_from(std::vector<uint64_t> &words, const std::vector<uint64_t> &less) {
  words.resize(std::max(words.size(), less.size()));
  for (size_t i = 0; i < less.size(); i++) words[i] -= less[i];
}

bool adds_up(const expr::MapPlan &map) {
  return map.per_cpu() && !map.value.is(TypeKind::kMin) && !map.value.is(TypeKind::kMax) &&
         !map.value.is(TypeKind::kSeries);
}

Datum number_data(const expr::MapPlan &map, uint64_t value) {
  if (map.value.is_signed) return {static_cast<int64_t>(value)};
  return {value};
}

}  // namespace

ScriptMaps::ScriptMaps(const expr::Plan &plan, const Object &object, const ScriptStacks &stacks, ScriptOrder order,
                       Outputs &out)
    : plan_(plan), object_(object), stacks_(stacks), order_(order) {
  uint32_t scratch = 0;
  bool kernel_stacks = false;
  for (const expr::Code &code : plan.programs) {
    scratch = std::max(scratch, code.scratch_bytes);
    for (const expr::Half *half : {&code.main, &code.rest})
      for (const expr::Reference &one : half->references)
        kernel_stacks = kernel_stacks || one.kind == expr::Reference::Kind::kStacks;
  }
  for (const expr::MapPlan &map : plan.maps) maps_.push_back(make_map(map));
  for (const expr::Action &one : plan.actions) {
    const expr::MapPlan *map = one.behind_print ? &plan.maps[one.map] : nullptr;
    if (map != nullptr && adds_up(*map) && !map->is_read && !map->evicts) subtracted_.insert(one.map);
  }
  if (scratch > 0)
    scratch_ = Fd(bpf_map_create(BPF_MAP_TYPE_PERCPU_ARRAY, "scratch", 4, scratch,
                                 static_cast<uint32_t>(plan.programs.size()), nullptr));
  if (scratch > 0 && !scratch_) throw system_error("cannot make the map of the programs' memory");
  if (kernel_stacks)
    kernel_stacks_ = Fd(bpf_map_create(BPF_MAP_TYPE_STACK_TRACE, "stacks", 4, kStackBytes, kStacks, nullptr));
  if (kernel_stacks && !kernel_stacks_) throw system_error("cannot make the map of stacks");
  text_ = std::make_unique<ScriptText>(plan, kernel_stacks_.get(), stacks, out, object);
}

int ScriptMaps::fd_of(const expr::Reference &reference, const expr::Target &target) const {
  switch (reference.kind) {
    case expr::Reference::Kind::kMap:
    case expr::Reference::Kind::kValue:
      return maps_[reference.map].get();
    case expr::Reference::Kind::kRing:
      return object_.map_fd("events");
    case expr::Reference::Kind::kLosses:
      return object_.map_fd("losses");
    case expr::Reference::Kind::kScratch:
      return scratch_.get();
    case expr::Reference::Kind::kStacks:
      return kernel_stacks_.get();
    case expr::Reference::Kind::kUserStacks:
      return object_.map_fd("stacks");
    case expr::Reference::Kind::kWalk:
      return stacks_.walk_fd();
    case expr::Reference::Kind::kHalves:
      return stacks_.halves_fd(target);
  }
  return -1;
}

void ScriptMaps::each_key(uint32_t map, const std::function<void(const std::string &)> &fn) const {
  const expr::MapPlan &plan = plan_.maps[map];
  if (plan.key.empty()) {
    for (uint32_t i = 0; i < plan.elements(); i++) fn({reinterpret_cast<const char *>(&i), sizeof(i)});
    return;
  }
  std::set<std::string> keys;  // the kernel begins anew where the last one was deleted meanwhile
  std::string key(plan.key_bytes(), '\0');
  const int fd = maps_[map].get();
  size_t left = size_t{plan.elements()} * 2;
  for (int more = bpf_map_get_next_key(fd, nullptr, key.data()); more == 0 && left > 0; left--) {
    keys.insert(key);
    const std::string last = key;
    more = bpf_map_get_next_key(fd, last.data(), key.data());
  }
  for (const std::string &one : keys) fn(one);
}

// Of keys that are one when they are shown, the same: the text of parts that may look alike, the bytes of others.
std::string ScriptMaps::look_of(std::span<const expr::Type> types, const std::byte *bytes) const {
  std::string look;
  for (const expr::Type &type : types) {
    if (type.is(TypeKind::kTuple))
      look += look_of(type.parts, bytes);
    else if (may_look_alike(type))
      look += text_->of(type, bytes) + '\0';
    else
      look.append(reinterpret_cast<const char *>(bytes), type.bytes());
    bytes += type.bytes();
  }
  return look;
}

ScriptMaps::Words ScriptMaps::words_in_kernel(uint32_t map, const std::string &key, bool remove) const {
  const expr::MapPlan &plan = plan_.maps[map];
  const int fd = maps_[map].get();
  Words words(words_of(plan) * copies_of(plan));
  if (!remove || bpf_map_lookup_and_delete_elem(fd, key.data(), words.data()) != 0) {
    if (bpf_map_lookup_elem(fd, key.data(), words.data()) != 0) return {};
    if (remove) bpf_map_delete_elem(fd, key.data());  // before 5.14 one after the other
  }
  if (!subtracted_.contains(map)) return words;
  Words sums(words_of(plan));
  for (size_t i = 0; i < words.size(); i++) sums[i % sums.size()] += words[i];
  return sums;
}

ScriptMaps::KeyedWords ScriptMaps::words_of_keys(uint32_t map) const {
  KeyedWords all;
  each_key(map, [&](const std::string &key) {
    if (Words words = words_in_kernel(map, key, false); !words.empty()) all.emplace(key, std::move(words));
  });
  const auto taken_away = taken_away_.find(map);
  if (taken_away == taken_away_.end()) return all;
  for (const auto &[key, before] : taken_away->second) {
    Words &words = all[key];
    subtract_from(words, before);
    if (!plan_.maps[map].key.empty() && is_all_zero(words)) all.erase(key);
  }
  return all;
}

std::vector<ScriptMaps::Entry> ScriptMaps::read(uint32_t map, bool as_shown) const {
  return entries_of(map, words_of_keys(map), as_shown);
}

std::vector<ScriptMaps::Entry> ScriptMaps::entries_of(uint32_t map, const KeyedWords &of_keys, bool as_shown) const {
  const expr::MapPlan &plan = plan_.maps[map];
  const size_t words = words_of(plan);
  std::map<std::string, Entry> entries;
  const bool by_look = as_shown && std::ranges::any_of(plan.key, may_look_alike);
  for (const auto &[key, value] : of_keys) {
    if (plan.is_single() && value.back() == 0) continue;
    std::string bare = plan.key.empty() ? "" : key;
    uint64_t bucket = 0;
    if (plan.has_buckets() && !plan.key.empty()) {
      memcpy(&bucket, key.data() + key.size() - 8, 8);
      bare.resize(key.size() - 8);
    } else if (plan.has_buckets()) {
      uint32_t index = 0;
      memcpy(&index, key.data(), 4);
      bucket = index;
    }
    Entry &entry = entries[by_look ? look_of(plan.key, reinterpret_cast<const std::byte *>(bare.data())) : bare];
    entry.key = bare;
    if (!plan.per_cpu()) {
      entry.bytes.assign(reinterpret_cast<const char *>(value.data()), words * 8);
      if (!plan.adds || entry.numbers.empty()) entry.numbers = {0};
      entry.numbers[0] += value[0];
      continue;
    }
    entry.numbers.resize(plan.has_buckets() ? plan.buckets * words : words);
    for (size_t at = 0; at < value.size() && bucket * words < entry.numbers.size(); at += words) {
      const uint64_t *one = value.data() + at;
      if (plan.value.is(TypeKind::kSeries)) {
        add_to_bucket(plan, std::span<uint64_t, kSeriesWords>(&entry.numbers[bucket * words], kSeriesWords), one);
      } else if (plan.has_buckets()) {
        entry.numbers[bucket] += one[0];
      } else if (plan.value.is(TypeKind::kMin) || plan.value.is(TypeKind::kMax)) {
        if (one[1] == 0) continue;
        const bool less = plan.value.is_signed ? static_cast<int64_t>(one[0]) < static_cast<int64_t>(entry.numbers[0])
                                               : one[0] < entry.numbers[0];
        if (entry.numbers[1] == 0 || less == plan.value.is(TypeKind::kMin)) entry.numbers[0] = one[0];
        entry.numbers[1] = 1;
      } else {
        for (size_t i = 0; i < words; i++) entry.numbers[i] += one[i];
      }
    }
  }
  std::vector<Entry> all;
  for (auto &[key, entry] : entries) all.push_back(std::move(entry));
  return all;
}

std::string ScriptMaps::keys_text(const expr::MapPlan &map, const Entry &entry, std::string_view between) const {
  return text_->of_each(map.key, reinterpret_cast<const std::byte *>(entry.key.data()), between);
}

std::string ScriptMaps::key_text(const expr::MapPlan &map, const Entry &entry) const {
  return "@" + map.name + (map.key.empty() ? "" : "[" + keys_text(map, entry, ", ") + "]");
}

std::string ScriptMaps::text_of_entry(const expr::MapPlan &map, const Entry &entry, uint64_t divisor) const {
  const std::string key = key_text(map, entry);
  const std::vector<uint64_t> &numbers = entry.numbers;
  const auto text = [&](uint64_t value) { return number_text(map, quotient(map, value, divisor)); };
  if (map.value.is(TypeKind::kSeries)) return key + ":\n" + series_text(map, numbers) + "\n";
  if (map.has_buckets()) return key + ":\n" + histogram_text(map, divided(numbers, divisor)) + "\n";
  if (map.value.is(TypeKind::kStats))
    return key + ": count " + std::to_string(numbers[1]) + ", average " + text(quotient(map, numbers[0], numbers[1])) +
           ", total " + text(numbers[0]) + "\n";
  if (map.value.is(TypeKind::kAverage)) return key + ": " + text(quotient(map, numbers[0], numbers[1])) + "\n";
  if (is_plain_number(map)) return key + ": " + text(numbers[0]) + "\n";
  return key + ": " + text_->of(map.value, reinterpret_cast<const std::byte *>(entry.bytes.data())) + "\n";
}

Datum ScriptMaps::data_of_entry(const expr::MapPlan &map, const Entry &entry, uint64_t divisor) const {
  const std::vector<uint64_t> &numbers = entry.numbers;
  const auto data = [&](uint64_t value) { return number_data(map, quotient(map, value, divisor)); };
  if (map.value.is(TypeKind::kSeries)) return series_data(map, numbers);
  if (map.has_buckets()) return histogram_data(map, divided(numbers, divisor));
  if (map.value.is(TypeKind::kStats))
    return {Datum::Object{{"count", "average", "total"},
                          {{numbers[1]}, data(quotient(map, numbers[0], numbers[1])), data(numbers[0])}}};
  if (map.value.is(TypeKind::kAverage)) return data(quotient(map, numbers[0], numbers[1]));
  if (is_plain_number(map)) return data(numbers[0]);
  return text_->data_of(map.value, reinterpret_cast<const std::byte *>(entry.bytes.data()));
}

uint64_t ScriptMaps::total(const expr::MapPlan &map, const Entry &entry) {
  if (map.value.is(TypeKind::kSeries)) return 0;  // of values over time
  return map.has_buckets() ? std::accumulate(entry.numbers.begin(), entry.numbers.end(), uint64_t{0})
                           : entry.numbers[0];
}

// The least first, as the last lines are those that stay on a screen.
void ScriptMaps::sort(const expr::MapPlan &map, std::vector<Entry> &entries) {
  const auto weight = [&](const Entry &entry) {
    return map.value.is(TypeKind::kAverage) ? quotient(map, entry.numbers[0], entry.numbers[1]) : total(map, entry);
  };
  const bool by_bytes = !map.per_cpu() && !map.value.is(TypeKind::kInt);
  const bool is_signed = map.value.is_signed && !map.has_buckets();
  std::stable_sort(entries.begin(), entries.end(), [&](const Entry &a, const Entry &b) {
    if (by_bytes) return a.bytes < b.bytes;
    return is_signed ? static_cast<int64_t>(weight(a)) < static_cast<int64_t>(weight(b)) : weight(a) < weight(b);
  });
}

Value ScriptMaps::column(const expr::MapPlan &map, const Entry &entry) const {
  using By = ScriptOrder::By;
  const bool is_summed = map.value.is(TypeKind::kStats) || map.value.is(TypeKind::kAverage);
  const auto number = [&](uint64_t value) {
    return map.value.is_signed && !map.has_buckets() ? Value(static_cast<int64_t>(value)) : Value(value);
  };
  if (order_.by == By::kKey) {
    const bool is_number = map.key.size() == 1 && map.key[0].is(TypeKind::kInt);
    if (!is_number) return keys_text(map, entry, ", ");
    uint64_t key = 0;
    memcpy(&key, entry.key.data(), sizeof(key));
    return map.key[0].is_signed ? Value(static_cast<int64_t>(key)) : Value(key);
  }
  if (is_summed && order_.by == By::kCount) return entry.numbers[1];
  if (is_summed && order_.by == By::kSum) return number(entry.numbers[0]);
  if (is_summed && (order_.by == By::kAverage || map.value.is(TypeKind::kAverage)))
    return number(quotient(map, entry.numbers[0], entry.numbers[1]));
  if (map.per_cpu() || map.value.is(TypeKind::kInt)) return number(total(map, entry));
  return text_->of(map.value, reinterpret_cast<const std::byte *>(entry.bytes.data()));
}

size_t ScriptMaps::choose(const expr::MapPlan &map, std::vector<Entry> &entries) const {
  const size_t left_out = entries.size() - std::min<size_t>(entries.size(), order_.rows);
  if (order_.by == ScriptOrder::By::kUsual) {
    entries.erase(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(left_out));
    return left_out;
  }
  std::vector<std::pair<Value, Entry>> all;
  for (Entry &entry : entries) all.emplace_back(column(map, entry), std::move(entry));
  std::ranges::stable_sort(all, [](const auto &a, const auto &b) { return comes_first(a.first, b.first); });
  entries.clear();
  for (auto &[value, entry] : std::span(all).first(all.size() - left_out)) entries.push_back(std::move(entry));
  return left_out;
}

// Of count() and sum() none is 0, too, unless the map was cleared.
bool ScriptMaps::has_no_value(uint32_t which, const Entry &entry) const {
  const expr::MapPlan &map = plan_.maps[which];
  const bool zero_counts = map.value.is(TypeKind::kCount) || map.value.is(TypeKind::kSum);
  return map.per_cpu() && map.key.empty() && (!zero_counts || cleared_.contains(which)) && is_all_zero(entry.numbers);
}

Printed ScriptMaps::shown(uint32_t which, uint64_t most, uint64_t divisor) {
  const expr::MapPlan &map = plan_.maps[which];
  KeyedWords words = words_of_keys(which);
  std::vector<Entry> entries = entries_of(which, words, true);
  if (subtracted_.contains(which)) shown_[which] = std::move(words);
  std::erase_if(entries, [&](const Entry &entry) { return has_no_value(which, entry); });
  sort(map, entries);
  if (most != 0 && entries.size() > most)
    entries.erase(entries.begin(), entries.end() - static_cast<std::ptrdiff_t>(most));
  const size_t left_out = choose(map, entries);
  Printed printed = {.type = map.value.is(TypeKind::kSeries)    ? &kSeriesLine
                             : map.has_buckets()                ? &kHistLine
                             : map.value.is(TypeKind::kStats)   ? &kStatsLine
                             : map.value.is(TypeKind::kAverage) ? &kAverageLine
                                                                : &kMapLine};
  Datum::Object of_keys;
  for (const Entry &entry : entries) {
    printed.text += text_of_entry(map, entry, divisor);
    of_keys.add(keys_text(map, entry, ","), data_of_entry(map, entry, divisor));
  }
  if (left_out > 0) printed.text += left_out_text(left_out) + (map.has_buckets() ? "\n" : "");
  if (!map.has_buckets() && !printed.text.empty()) printed.text += "\n";
  const bool whole = !map.key.empty() || of_keys.keys.empty();
  Datum held = whole ? Datum{std::move(of_keys)} : std::move(of_keys.values.front());
  printed.data = {Datum::Object{{"@" + map.name}, {std::move(held)}}};
  return printed;
}

bool ScriptMaps::is_zero(uint32_t map) const {
  return std::ranges::all_of(read(map, false), [&](const Entry &one) { return total(plan_.maps[map], one) == 0; });
}

void ScriptMaps::clear(uint32_t map, bool behind_print) {
  cleared_.insert(map);
  if (subtracted_.contains(map)) return subtract(map, behind_print);
  if (plan_.maps[map].key.empty()) return set_to_zero(map, false);
  each_key(map, [&](const std::string &key) { bpf_map_delete_elem(maps_[map].get(), key.data()); });
}

// A key leaves the kernel when nothing was counted for it from one time to the next. All leave it when they are more
// than an eighth of the room, which others may need.
void ScriptMaps::subtract(uint32_t map, bool behind_print) {
  auto shown = shown_.extract(map);
  if (behind_print && shown.empty()) return;  // another processor's print and clear were between these two
  const KeyedWords seen = behind_print ? std::move(shown.mapped()) : words_of_keys(map);
  KeyedWords &taken_away = taken_away_[map];
  for (const auto &[key, words] : seen) {
    Words &sum = taken_away[key];
    sum.resize(words.size());
    std::ranges::transform(sum, words, sum.begin(), std::plus());
  }
  const expr::MapPlan &plan = plan_.maps[map];
  if (plan.key.empty()) return;
  const bool all_leave = taken_away.size() > plan.elements() / 8;
  for (auto at = taken_away.begin(); at != taken_away.end();) {
    auto &[key, words] = *at;
    if (all_leave || !seen.contains(key) || is_all_zero(words)) subtract_from(words, words_in_kernel(map, key, true));
    at = is_all_zero(words) ? taken_away.erase(at) : std::next(at);
  }
}

void ScriptMaps::zero(uint32_t map) {
  if (const auto taken_away = taken_away_.find(map); taken_away != taken_away_.end()) {
    const KeyedWords left = words_of_keys(map);
    for (const auto &[key, words] : taken_away->second)
      if (!left.contains(key)) bpf_map_delete_elem(maps_[map].get(), key.data());
    taken_away_.erase(taken_away);
  }
  shown_.erase(map);
  set_to_zero(map, true);
}

// `given`: a map without a key has a value then.
void ScriptMaps::set_to_zero(uint32_t map, bool given) {
  const expr::MapPlan &plan = plan_.maps[map];
  std::vector<uint64_t> zeros(words_of(plan) * copies_of(plan));
  if (plan.is_single() && given) zeros.back() = 1;
  each_key(map,
           [&](const std::string &key) { bpf_map_update_elem(maps_[map].get(), key.data(), zeros.data(), BPF_EXIST); });
}

}  // namespace strata
