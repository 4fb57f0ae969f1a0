// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A page that needs nothing else, not even a network, to answer to pointer and keyboard. Without its script it is still
// the picture.
#include "base/text.h"
#include "render/heatmap_picture.h"
#include "render/json_value.h"
#include "render/page.h"

namespace strata {

PAGE_PART(heatmap_css)
PAGE_PART(heatmap_js)

namespace {

Json places_json(const std::vector<PlotNumbers::Place> &places) {
  Json json = Json::array();
  for (const auto &[at, size, text] : places) json.push_back({at, size, text});
  return json;
}

// No text of it can end the script element.
std::string data_text(const HeatmapPage &page) {
  Json json = Json::array();
  for (const PlotNumbers &plot : picture_numbers(page)) {
    json.push_back({{"name", plot.name}, {"times", places_json(plot.times)}, {"values", places_json(plot.values)}});
  }
  std::string text;
  for (const char c : dump(json)) text += c == '<' ? "\\u003c" : std::string(1, c);
  return text;
}

}  // namespace

std::string heatmap_html(const HeatmapPage &page) {
  const std::string title = xml_text(printable(page.info.head.program)) + ": heat map";
  const std::string script = page_script() + heatmap_js_text();
  const std::string body = "<main>\n<div id=\"picture\">\n" + picture_svg(page, Drawn::kInPage) +
                           "</div>\n<p id=\"answer\" role=\"status\"></p>\n<details><summary>The numbers</summary><div "
                           "id=\"numbers\"></div></details>\n</main>\n<div id=\"tip\" hidden></div>\n";
  return page_html({.title = title,
                    .style = picture_style() + heatmap_css_text(),
                    .body = body,
                    .data_type = "application/json",
                    .data = data_text(page),
                    .script = script});
}

}  // namespace strata
