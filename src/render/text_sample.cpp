// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A sample as a tree: one line per hop; a rule parts what the application waited for from what it did not.
#include <utility>

#include "base/format.h"
#include "base/shell.h"
#include "base/text.h"
#include "render/text.h"
#include "render/value.h"

namespace strata {
namespace {

constexpr size_t kFieldIndent = 34;  // continuation lines begin below the hop's name

struct Page {
  const Clocks &clocks;
  const Paint &paint;
  size_t columns;
};

std::string field_text(const NamedValue &field, const Clocks &clocks) {
  const std::string text = value_text(*field.column, field.value, clocks);
  return field.column->title.empty() ? text : label_of(*field.column) + " " + text;
}

// What speaks for itself, on lines of its own.
std::string with_long_field(const std::string &head, const std::string &part, size_t indent, const Page &page) {
  std::string text = cells(head) > indent ? head + "\n" : "";
  for (const std::string &line : wrapped(part, page.columns - indent)) text += std::string(indent, ' ') + line + "\n";
  return text;
}

// `head`, then the fields, on as many lines as they need; nothing is ever cut.
std::string with_fields(std::string head, const std::vector<NamedValue> &fields, size_t indent, const Page &page) {
  std::string text;
  for (const NamedValue &field : fields) {
    if (field.column->hidden || std::holds_alternative<std::monostate>(field.value)) continue;
    const std::string part = field_text(field, page.clocks);
    if (field.column->title.empty() && cells(part) + indent > page.columns) {
      text += with_long_field(std::exchange(head, std::string(indent - 2, ' ')), part, indent, page);
      continue;
    }
    if (cells(head) + 2 + cells(part) > page.columns && cells(head) > indent) {
      text += head + "\n";
      head = std::string(indent - 2, ' ');
    }
    head += "  " + part;
  }
  return cells(head) > indent || text.empty() ? text + head + "\n" : text;
}

std::string rule(const std::string &words, const Page &page) {
  std::string line = "  -- " + words + " ";
  if (cells(line) < page.columns) line.append(page.columns - cells(line), '-');
  return formatted("{}{}{}\n", page.paint.dim, line, page.paint.plain);
}

std::string task_text(const Hop &hop) { return formatted("{}/{} cpu {}", distinct(hop.comm), hop.tid, hop.cpu); }

std::string header_text(const Sample &sample, const Page &page) {
  const Paint &paint = page.paint;
  const std::string reason = sample.reason.empty() ? "" : " (" + printable(sample.reason) + ")";
  const bool good = sample.outcome->is_good;
  std::string text = formatted("{}sample {}{}  {}  {}{}{}{}  total {}\n", paint.bold, sample.id, paint.plain,
                               page.clocks.wall_text(sample.start_ns), good ? "" : paint.red, sample.outcome->name,
                               reason, good ? "" : paint.plain, scaled_ns(sample.total_ns));
  if (!sample.fields.empty()) text += with_fields("", sample.fields, 2, page);
  return text;
}

std::string hop_text(const Sample &sample, size_t i, const Page &page) {
  const Hop &hop = sample.hops[i];
  const std::string since = i == 0 ? "" : scaled_ns(hop.ts_ns - sample.hops[i - 1].ts_ns);
  const std::string task = task_text(hop);
  const bool same_task = i > 0 && task == task_text(sample.hops[i - 1]);
  std::string head = formatted("  {:>8}  {:>8}  {} {}", scaled_ns(hop.ts_ns - sample.start_ns), since,
                               padded(printable(hop.layer), -11), padded(printable(hop.name), -18));
  if (same_task || cells(head) + 2 + cells(task) > page.columns) {
    while (head.ends_with(' ')) head.pop_back();
  }
  head += same_task ? "" : "  " + task;
  return with_fields(std::move(head), hop.fields, kFieldIndent, page);
}

}  // namespace

std::string sample_text(const Sample &sample, const Clocks &clocks, const Paint &paint, size_t columns) {
  const Page page = {.clocks = clocks, .paint = paint, .columns = columns};
  std::string text = header_text(sample, page);
  bool parted = false;
  for (size_t i = 0; i < sample.hops.size(); i++) {
    const bool background = sample.hops[i].background;
    if (background && !parted) {
      text += rule("the application waited " + scaled_ns(sample.seen_ns) + "; behind its back", page);
    } else if (!background && i > 0 && sample.hops[i - 1].background) {
      text += rule("seen by the application again", page);
    } else if (background && !sample.hops[i - 1].background) {
      text += rule("behind its back", page);
    }
    parted = parted || background;
    text += hop_text(sample, i, page);
  }
  if (!parted) text += rule("the application waited " + scaled_ns(sample.seen_ns), page);
  return text + "\n";
}

}  // namespace strata
