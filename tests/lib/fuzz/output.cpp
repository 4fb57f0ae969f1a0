// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Rows, histograms and losses with any bytes for strings and any numbers, in every format: each cell can be read back,
// and none leaves its line.
#include <algorithm>
#include <cstring>

#include "fuzz.h"
#include "model/distribution.h"
#include "render/formats.h"
#include "render/heatmap.h"
#include "render/value.h"

namespace strata {
namespace {

constexpr Field kColumns[] = {
    {.key = "comm", .title = "COMM", .width = -16},
    {.key = "start_ns", .title = "TIME", .unit = Unit::kWallNs, .width = 15},
    {.key = "lat_ns", .title = "LATENCY", .unit = Unit::kNs, .width = 8},
    {.key = "size_bytes", .title = "SIZE", .unit = Unit::kBytes},
    {.key = "flags", .title = "FLAGS", .unit = Unit::kHex},
    {.key = "share_percent", .title = "SHARE", .unit = Unit::kPercent},
    {.key = "offset_bytes", .title = "OFFSET", .unit = Unit::kOffset},
    {.key = "path", .title = "PATH", .width = -1},
};
constexpr size_t kCells = std::size(kColumns);

// Takes values off the front of the input; zeros when it is used up.
class Input {
 public:
  Input(const uint8_t *data, size_t size) : rest_(reinterpret_cast<const char *>(data), size) {}

  [[nodiscard]] bool empty() const { return rest_.empty(); }

  uint8_t byte() {
    uint8_t value = 0;
    take(&value, 1);
    return value;
  }

  template <typename T>
  T number() {
    T value = 0;
    take(&value, sizeof(value));
    return value;
  }

  std::string text() {
    std::string text(byte() % 32, '\0');
    take(text.data(), text.size());
    return text;
  }

  Value value() {
    switch (byte() % 6) {
      case 0:
        return number<uint64_t>();
      case 1:
        return number<int64_t>();
      case 2:
        return number<double>();
      case 3:
        return byte() % 2 == 0;
      case 4:
        return text();
      default:
        return std::monostate();
    }
  }

 private:
  void take(void *to, size_t size) {
    const size_t n = std::min(size, rest_.size());
    memcpy(to, rest_.data(), n);
    rest_.remove_prefix(n);
  }

  std::string_view rest_;
};

// RFC 4180, as far as a reader must go for one line.
std::vector<std::string> csv_cells(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (size_t i = 0; i < line.size(); i++) {
    const bool twice = quoted && line[i] == '"' && i + 1 < line.size() && line[i + 1] == '"';
    if (line[i] == '"' && !twice)
      quoted = !quoted;
    else if (line[i] == ',' && !quoted)
      cells.emplace_back();
    else
      cells.back() += line[i];
    if (twice) ++i;
  }
  require(!quoted);
  return cells;
}

void require_row(const Row &row, const nlohmann::json &json) {
  for (size_t i = 0; i < kCells; i++) {
    const nlohmann::json &cell = json.at(std::string(kColumns[i].key));
    const auto *text = std::get_if<std::string>(&row[i]);
    if (is_absent(kColumns[i], row[i])) {
      require(cell.is_null());
      continue;
    }
    if (text != nullptr && printable(*text) == *text) require(cell == *text);
    if (const auto *number = std::get_if<int64_t>(&row[i])) require(cell == *number);
  }
}

struct Run {
  std::vector<Row> rows;
  Distribution distribution;
  std::vector<Loss> losses;
};

void render(const Run &run, const RunInfo &info, const Rendered &out) {
  out.put(info);
  for (const Row &row : run.rows) out.put(DecodedRow{kColumns, row});
  if (run.rows.empty()) {
    out.put(run.distribution);
    out.put(Interval{run.distribution.from_ns, run.distribution.to_ns});
  }
  out.put(Losses{run.losses});
  out.put(End());
}

// A line for each row, and each cell where it belongs.
void require_csv(const Run &run, const RunInfo &info, std::string_view text) {
  size_t line_number = 0;
  each_line(text, [&](std::string_view line) {
    const std::vector<std::string> cells = csv_cells(line);
    const bool of_row = !run.rows.empty() && line_number > 0;
    require(cells.size() == (run.rows.empty() ? kCells + 5 : kCells));
    for (size_t i = 0; of_row && i < kCells; i++)
      require(cells[i] == exact_text(kColumns[i], run.rows.at(line_number - 1)[i], info.head.clocks));
    ++line_number;
  });
  require(run.rows.empty() || line_number == run.rows.size() + 1);
}

// No text of the input makes an element: each cell is one, and nothing else depends on the input but lines of text.
void require_elements(std::string_view page, std::string_view name, size_t count) {
  size_t found = 0;
  for (size_t at = 0; (at = page.find(name, at)) != std::string_view::npos; at++) ++found;
  require(found == count);
}

void require_heatmaps(const Run &run, const RunInfo &info) {
  const Rendered lines(make_heatmap_sink);
  render(run, info, lines);
  require_printable(lines.text());
  Heatmap map(4);
  map.add(run.distribution);
  map.interval(run.distribution.from_ns, run.distribution.to_ns);
  const HeatmapPage page = {.info = info, .map = map, .losses = run.losses};
  const std::string svg = heatmap_svg(page);
  const std::string html = heatmap_html(page);
  require_printable(svg);
  for (const std::string_view name : {"<svg", "</svg>", "<g ", "</g>"}) require_elements(svg, name, 1);
  for (const std::string_view name : {"<html", "<main>", "<svg", "</svg>", "<g "}) require_elements(html, name, 1);
  for (const std::string_view name : {"<script", "</script>"}) require_elements(html, name, 2);
}

void check(Input input) {
  const size_t rows = input.byte() % 4;
  Run run;
  for (size_t i = 0; i < rows; i++) {
    Row &row = run.rows.emplace_back();
    while (row.size() < kCells) row.push_back(input.value());
  }
  run.losses = {{.reason = input.text(), .count = input.number<uint64_t>()}};
  run.distribution = {.column = &kColumns[input.byte() % kCells],
                      .keys = {{&kColumns[0], input.value()}},
                      .from_ns = input.number<uint64_t>(),
                      .to_ns = input.number<uint64_t>(),
                      .values = {}};
  while (!input.empty()) run.distribution.values.add(input.number<uint64_t>(), input.byte());

  std::vector<size_t> shown(kCells);
  for (size_t i = 0; i < kCells; i++) shown[i] = i;
  const RunInfo info = {.head = {.program = "fuzz", .clocks = {1000, 2000}},
                        .columns = kColumns,
                        .shown = shown,
                        .distributions = rows == 0};
  const Rendered text(make_text_sink), json(make_json_sink), csv(make_csv_sink);
  for (const Rendered *out : {&text, &json, &csv}) render(run, info, *out);
  require_printable(text.text());
  if (rows == 0) require_heatmaps(run, info);
  require_csv(run, info, csv.text());
  std::vector<nlohmann::json> objects;
  each_line(json.text(), [&](std::string_view line) { objects.push_back(parsed_json(line)); });
  require(objects.size() == std::max<size_t>(rows, 1) + 2);
  for (size_t i = 0; i < rows; i++) require_row(run.rows[i], objects[i + 1]);
}

}  // namespace
}  // namespace strata

int fuzz_output(const uint8_t *data, size_t size) {
  strata::check({data, size});
  return 0;
}
