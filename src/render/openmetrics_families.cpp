// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Families of metrics, and their text.
#include <algorithm>
#include <charconv>

#include "render/openmetrics.h"

namespace strata {
namespace {

// "1.5" of 1,500,000,000 ns: no digit is lost.
std::string exact(uint64_t number, const Scale &scale) {
  std::string text = std::to_string(number / scale.per_unit);
  uint64_t rest = number % scale.per_unit;
  if (rest != 0) text += '.';
  for (; rest != 0; rest = rest * 10 % scale.per_unit) text += static_cast<char>('0' + rest * 10 / scale.per_unit);
  return text;
}

// The value of a label, which has no control characters.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string labels_text(const Labels &labels) {
  std::string text;
  for (const auto &[name, value] : labels) {
    if (value.empty()) continue;  // no value is no label
    text += (text.empty() ? "{" : ",") + name + "=\"" + escaped(value) + "\"";
  }
  return text.empty() ? "" : text + "}";
}

Labels with_label(Labels labels, std::string name, std::string value) {
  labels.emplace_back(std::move(name), std::move(value));
  return labels;
}

std::string head_text(const Family &family, MetricsFormat format) {
  constexpr std::string_view kTypes[] = {"counter", "gauge", "histogram"};
  const std::string name = format == MetricsFormat::kOlder ? family.sample_name() : family.name;
  std::string text = "# TYPE " + name + " " + std::string(kTypes[static_cast<size_t>(family.type)]) + "\n";
  if (!family.scale.base.empty()) text += "# UNIT " + name + " " + std::string(family.scale.base) + "\n";
  return text + "# HELP " + name + " " + family.help + "\n";
}

std::string histogram_text(const Family &family, const Family::Point &point) {
  const std::string &name = family.name;
  const Histogram &values = *point.values;
  const Buckets buckets = buckets_of(values, family.scale);
  std::string text;
  for (size_t i = 0; i < buckets.bounds.size(); i++)
    text += name + "_bucket" +
            labels_text(with_label(point.labels, "le", canonical(in_base_unit(buckets.bounds[i], family.scale)))) +
            " " + std::to_string(buckets.counts[i]) + "\n";
  const std::string all = std::to_string(values.count());
  text += name + "_bucket" + labels_text(with_label(point.labels, "le", "+Inf")) + " " + all + "\n";
  text += name + "_count" + labels_text(point.labels) + " " + all + "\n";
  return text + name + "_sum" + labels_text(point.labels) + " " + exact(values.sum(), family.scale) + "\n";
}

}  // namespace

Scale scale_of(const Field &column) {
  switch (column.unit) {
    case Unit::kNs:
      return kOfNs;  // 0.3 us to 69 s
    case Unit::k32nds:
      return {.base = "seconds", .per_unit = 32, .last_power = 5};
    case Unit::kBytes:
    case Unit::kOffset:
      return kOfBytes;
    default:
      return {};
  }
}

double in_base_unit(uint64_t number, const Scale &scale) {
  return static_cast<double>(number) / static_cast<double>(scale.per_unit);
}

std::string canonical(double number) {
  char text[64];
  const bool plain = number == 0 || (number >= 1e-4 && number < 1e6);
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  const std::string canonical(text, std::to_chars(text, text + sizeof(text), number, format).ptr);
  return canonical.find_first_of(".e") == std::string::npos ? canonical + ".0" : canonical;
}

// No slot lies across a bound: it is the last value before a power of two.
Buckets buckets_of(const Histogram &values, const Scale &scale) {
  const std::vector<uint64_t> &slots = values.slots();
  Buckets buckets;
  uint64_t count = 0;
  size_t slot = 0;
  for (int power = scale.first_power; power <= scale.last_power; power++) {
    const uint64_t bound = (uint64_t{1} << power) - 1;
    for (; slot < slots.size() && Histogram::slot_high(static_cast<uint32_t>(slot)) <= bound; slot++)
      count += slots[slot];
    buckets.bounds.push_back(bound);
    buckets.counts.push_back(count);
  }
  return buckets;
}

Family &Families::of(std::string name, MetricType type, const Scale &scale, std::string_view help) {
  const auto same = std::ranges::find(all_, name, &Family::name);
  if (same != all_.end()) return *same;
  return all_.emplace_back(Family{.name = std::move(name), .type = type, .scale = scale, .help = std::string(help)});
}

std::string Families::exposition(MetricsFormat format) const {
  if (format == MetricsFormat::kProtobuf) return delimited_messages(*this);
  std::string text;
  for (const Family &family : all_) {
    text += head_text(family, format);
    const std::string name = family.sample_name();
    for (const Family::Point &point : family.points)
      text += family.type == MetricType::kHistogram
                  ? histogram_text(family, point)
                  : name + labels_text(point.labels) + " " + exact(point.number, family.scale) + "\n";
  }
  return text + "# EOF\n";
}

}  // namespace strata
