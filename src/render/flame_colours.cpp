// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "render/flame_colours.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/format.h"

namespace strata {
namespace {

struct Tone {
  double hue, saturation, lightness;  // degrees, 0 to 1
};

// In the order of FlameKind::Of.
constexpr Tone kWarm[] = {{220, 0.12, 0.78}, {38, 0.92, 0.66}, {12, 0.82, 0.67}, {178, 0.46, 0.62},
                          {98, 0.46, 0.62},  {42, 0.34, 0.74}, {0, 0.00, 0.79}};
constexpr Tone kBlue[] = {{220, 0.12, 0.78}, {208, 0.78, 0.70}, {252, 0.60, 0.76}, {178, 0.46, 0.62},
                          {98, 0.46, 0.62},  {205, 0.30, 0.78}, {0, 0.00, 0.79}};
constexpr Tone kGreen[] = {{220, 0.12, 0.78}, {142, 0.46, 0.63}, {182, 0.46, 0.60}, {205, 0.50, 0.68},
                           {75, 0.52, 0.60},  {130, 0.20, 0.74}, {0, 0.00, 0.79}};

std::string hex(const Tone &tone) {
  const double chroma = (1 - std::abs(2 * tone.lightness - 1)) * tone.saturation;
  const double sixth = std::fmod(tone.hue + 360, 360) / 60;
  const double second = chroma * (1 - std::abs(std::fmod(sixth, 2) - 1));
  const double low = tone.lightness - chroma / 2;
  const std::array<double, 3> of_sixth[] = {{chroma, second, 0}, {second, chroma, 0}, {0, chroma, second},
                                            {0, second, chroma}, {second, 0, chroma}, {chroma, 0, second}};
  const auto &rgb = of_sixth[static_cast<size_t>(sixth)];
  const auto byte = [&](double part) { return static_cast<unsigned>(std::lround(255 * (low + part))); };
  return formatted("#{:02x}{:02x}{:02x}", byte(rgb[0]), byte(rgb[1]), byte(rgb[2]));
}

// The text upon it is dark on both backgrounds.
Tone darker(Tone tone) {
  tone.saturation *= 0.72;
  tone.lightness *= 0.82;
  return tone;
}

FlameColours::Steps steps(const Tone &shrank, const Tone &same, const Tone &grew) {
  FlameColours::Steps out;
  for (size_t i = 0; i < out.size(); i++) {
    const double part = (static_cast<double>(i) - FlameColours::kSteps) / FlameColours::kSteps;
    const Tone &to = part < 0 ? shrank : grew;
    const double most = std::abs(part);
    out[i] = hex({to.hue, most == 0 ? same.saturation : to.saturation * (0.2 + 0.8 * most),
                  same.lightness + (to.lightness - same.lightness) * most});
  }
  return out;
}

}  // namespace

FlameKind::Of kind_of_frame(std::string_view name) {
  if (name.ends_with("_[k]")) return FlameKind::kKernel;
  if (name.ends_with("_[i]")) return FlameKind::kInlined;  // and of a JIT: as flamegraph.pl marks them
  if (name.ends_with("_[j]") || name == "[code without a file]") return FlameKind::kJit;
  if (name.starts_with("[truncated") || name == "[unknown]" || name == "[unreadable file]") return FlameKind::kUnknown;
  const size_t offset = name.rfind("0x");  // "libc.so.6:fn@0x64e00", "ld.so+0x1ab77"
  if (offset == std::string_view::npos || offset == 0 || (name[offset - 1] != '+' && name[offset - 1] != '@'))
    return FlameKind::kUser;
  const std::string_view digits = name.substr(offset + 2);
  const bool number = std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
  return number ? FlameKind::kNoSymbol : FlameKind::kUser;
}

size_t shade_of_frame(std::string_view name) {
  uint32_t hash = 2'166'136'261;  // FNV-1a: the same on every machine
  for (const char c : name) hash = (hash ^ static_cast<uint8_t>(c)) * 16'777'619;
  return (hash >> 16) % kFlameShades;
}

FlameColours flame_colours(Unit unit) {
  const Tone *tones = unit == Unit::kNs ? kBlue : unit == Unit::kBytes ? kGreen : kWarm;
  FlameColours colours;
  for (size_t kind = 0; kind < FlameKind::kCount; kind++) {
    for (size_t shade = 0; shade < kFlameShades; shade++) {
      const double part = static_cast<double>(shade) / (kFlameShades - 1) - 0.5;
      const double hues = kind == FlameKind::kThread || kind == FlameKind::kUnknown ? 0 : 14;
      const Tone tone = {tones[kind].hue + hues * part, tones[kind].saturation, tones[kind].lightness + 0.07 * part};
      colours.light[kind][shade] = hex(tone);
      colours.dark[kind][shade] = hex(darker(tone));
    }
  }
  colours.light_steps = steps({214, 0.85, 0.60}, {220, 0.04, 0.90}, {6, 0.88, 0.62});
  colours.dark_steps = steps({212, 0.85, 0.62}, {220, 0.04, 0.52}, {6, 0.85, 0.60});
  return colours;
}

size_t growth_step(double change, double most) {
  if (change == 0 || most <= 0) return FlameColours::kSteps;
  const double part = std::sqrt(std::min(1.0, std::abs(change) / most));
  const auto step = static_cast<size_t>(std::ceil(part * FlameColours::kSteps));
  return change < 0 ? FlameColours::kSteps - step : FlameColours::kSteps + step;
}

}  // namespace strata
