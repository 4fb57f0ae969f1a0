// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A page that needs nothing else, not even a network, to answer to pointer and keyboard. Without its script it is still
// the picture.
#include "base/gzip.h"
#include "base/text.h"
#include "render/heatmap_picture.h"
#include "render/json_value.h"
#include "render/page.h"
#include "render/timed_stacks.h"

namespace strata {

PAGE_PART(heatmap_css)
PAGE_PART(heatmap_js)

namespace {

Json places_json(const std::vector<PlotNumbers::Place> &places) {
  Json json = Json::array();
  for (const auto &[at, size, text] : places) json.push_back({at, size, text});
  return json;
}

// Of each column when it begins, in seconds since the first one, and how many it has.
Json columns_json(const Heatmap &map) {
  constexpr uint64_t kSecond = 1'000'000'000;
  Json json = Json::array();
  for (const TimeSpan &span : map.columns())
    json.push_back({(span.from_ns - map.columns().front().from_ns) / kSecond, (span.to_ns - span.from_ns) / kSecond});
  return json;
}

// No text of it can end the script element.
std::string data_text(const HeatmapPage &page) {
  Json plots = Json::array();
  for (const PlotNumbers &plot : picture_numbers(page)) {
    plots.push_back({{"name", plot.name}, {"times", places_json(plot.times)}, {"values", places_json(plot.values)}});
  }
  Json json = {{"plots", plots}};
  if (const FlameParts &flame = page.flame; !flame.data.empty()) {
    const Json parts = {{"title", flame.title},
                        {"style", flame.style},
                        {"body", flame.body},
                        {"data", flame.data},
                        {"script", flame.script}};
    json["columns"] = columns_json(page.map);
    json["second"] = second_of_day(page.info.head.clocks, page.map.columns().front().from_ns);
    json["flame"] = base64(gzipped(dump(parts)));
  }
  std::string text;
  for (const char c : dump(json)) text += c == '<' ? "\\u003c" : std::string(1, c);
  return text;
}

}  // namespace

std::string heatmap_html(const HeatmapPage &page) {
  const std::string title = xml_text(printable(page.info.head.program)) + ": heat map";
  const std::string script = page_script() + heatmap_js_text();
  const std::string body =
      "<main>\n<div id=\"picture\">\n" + picture_svg(page, Drawn::kInPage) +
      "</div>\n<p id=\"range\" hidden><a id=\"open\" target=\"_blank\">Open as a flame graph</a> <span></span></p>\n"
      "<p id=\"answer\" role=\"status\"></p>\n<details><summary>The numbers</summary><div "
      "id=\"numbers\"></div></details>\n</main>\n<div id=\"tip\" hidden></div>\n";
  return page_html({.title = title,
                    .style = picture_style() + heatmap_css_text(),
                    .body = body,
                    .data_type = "application/json",
                    .data = data_text(page),
                    .script = script});
}

}  // namespace strata
