// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The picture: a box for each function that is wide enough to be seen, with its numbers as a tooltip. No script, so
// that it can stand in a document.
#include <algorithm>
#include <cmath>

#include "base/format.h"
#include "base/text.h"
#include "render/flame.h"
#include "render/flame_colours.h"
#include "render/page.h"
#include "render/value.h"

namespace strata {
namespace {

constexpr double kWidth = 1200, kMargin = 16, kPlot = kWidth - 2 * kMargin;
constexpr double kRow = 17, kBox = 16;
constexpr double kLetter = 6.7;  // at most, of the monospaced fonts at 11 px
constexpr double kLeast = 0.4;   // what is narrower is not drawn

struct Drawing {
  const FlamePage &page;
  const StackTree &tree;
  std::vector<StackTree::Node> nodes;
  size_t run;              // that is drawn
  double whole;            // its weight; not 0
  double most_change = 0;  // of a share
  size_t not_drawn = 0;
  std::string svg;
};

double share(const Drawing &drawing, const StackTree::Node &node, size_t run) {
  const auto whole = static_cast<double>(drawing.tree.total()[run]);
  return whole == 0 ? 0 : static_cast<double>(node.total[run]) / whole;
}

// Of shares where the runs are scaled to each other, of weights else.
double change(const Drawing &drawing, const StackTree::Node &node) {
  const auto before = static_cast<double>(node.total[0]) * drawing.page.scale;
  return (static_cast<double>(node.total[1]) - before) / drawing.whole;
}

std::string title_text(const Drawing &drawing, const StackTree::Node &node) {
  const FlamePage &page = drawing.page;
  std::string text =
      formatted("{}: {}, {}", *drawing.tree.names()[node.name], weight_text(*page.weight, node.total[drawing.run]),
                percent_text(100 * share(drawing, node, drawing.run)));
  if (!page.differential) return text;
  return text + formatted("; before {}, {}; {:+.2f} points", weight_text(*page.weight, node.total[0]),
                          percent_text(100 * share(drawing, node, 0)), 100 * change(drawing, node));
}

std::string class_of(const Drawing &drawing, const StackTree::Node &node) {
  const std::string &name = *drawing.tree.names()[node.name];
  if (drawing.page.differential) return formatted("d{}", growth_step(change(drawing, node), drawing.most_change));
  const bool thread = node.level == 0 || (node.level == 1 && drawing.page.threads);
  return formatted("k{}s{}", static_cast<unsigned>(thread ? FlameKind::kThread : kind_of_frame(name)),
                   shade_of_frame(name));
}

// As much of it as finds room, or nothing.
std::string label(const std::string &name, double width) {
  const auto room = static_cast<size_t>(std::max(0.0, (width - 4) / kLetter));
  if (cells(name) <= room) return name;
  if (room < 4) return "";
  size_t end = 0;
  for (size_t letters = 0; letters < room - 2; letters++) {
    do end++;
    while ((static_cast<uint8_t>(name[end]) & 0xc0) == 0x80);
  }
  return name.substr(0, end) + "..";
}

void put_box(Drawing &drawing, const StackTree::Node &node, double x, double width, double y) {
  const std::string text = label(*drawing.tree.names()[node.name], width);
  drawing.svg +=
      formatted("<g><title>{}</title><rect class=\"{}\" x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\"/>",
                xml_text(title_text(drawing, node)), class_of(drawing, node), x, y,
                std::max(kLeast, width - (width > 2 ? 0.6 : 0)), kBox);
  if (!text.empty()) {
    drawing.svg += formatted("<text x=\"{:.2f}\" y=\"{}\">{}</text>", x + 3, y + 12, xml_text(text));
  }
  drawing.svg += "</g>\n";
}

// Those that are drawn, with their places from 0 to 1.
struct Box {
  size_t node;
  double from, to;
};
std::vector<Box> boxes_of(Drawing &drawing) {
  std::vector<Box> boxes;
  std::vector<double> next = {0};  // by level: where the next box begins
  uint32_t level_not_drawn = UINT32_MAX;
  for (size_t i = 0; i < drawing.nodes.size(); i++) {
    const StackTree::Node &node = drawing.nodes[i];
    if (node.level > level_not_drawn) continue;
    level_not_drawn = UINT32_MAX;
    const double from = next[node.level];
    const double to = from + static_cast<double>(node.total[drawing.run]) / drawing.whole;
    next.resize(node.level + 1);
    next[node.level] = to;
    next.push_back(from);  // of its children
    if ((to - from) * kPlot >= kLeast) {
      boxes.push_back({i, from, to});
      continue;
    }
    level_not_drawn = node.level;
    if (to > from) drawing.not_drawn++;
  }
  return boxes;
}

void put_legend(Drawing &drawing, double y) {
  double x = kMargin;
  const auto put = [&](const std::string &kind, std::string_view name) {
    drawing.svg += formatted(
        "<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"12\" height=\"12\"/><text class=\"dim\" x=\"{}\" "
        "y=\"{}\">{}</text>\n",
        kind, x, y - 10, x + 17, y, name);
    x += 17 + kLetter * static_cast<double>(name.size()) + 16;
  };
  if (drawing.page.differential) {
    put("d0", "shrank");
    put(formatted("d{}", FlameColours::kSteps), "as before");
    put(formatted("d{}", 2 * FlameColours::kSteps), "grew");
    return;
  }
  std::array<bool, FlameKind::kCount> used = {};
  for (const std::string *name : drawing.tree.names()) used[kind_of_frame(*name)] = true;
  for (size_t kind = FlameKind::kUser; kind < used.size(); kind++)
    if (used[kind]) put(formatted("k{}s2", kind), FlameKind::kNames[kind]);
}

std::string style(const FlamePage &page) {
  const FlameColours colours = flame_colours(page.weight == nullptr ? Unit::kNone : page.weight->unit);
  const auto fills = [&](const FlameColours::Kinds &kinds, const FlameColours::Steps &steps) {
    std::string css;
    for (size_t i = 0; page.differential && i < steps.size(); i++) css += formatted(".d{}{{fill:{}}}", i, steps[i]);
    for (size_t kind = 0; !page.differential && kind < kinds.size(); kind++)
      for (size_t shade = 0; shade < kFlameShades; shade++)
        css += formatted(".k{}s{}{{fill:{}}}", kind, shade, kinds[kind][shade]);
    return css;
  };
  return "text{font:11px ui-monospace,'DejaVu Sans Mono',monospace;fill:#14171c;white-space:pre}"
         "text.head{font:600 20px system-ui,'DejaVu Sans',sans-serif}"
         "text.note,text.loss{font:12px system-ui,'DejaVu Sans',sans-serif}"
         "text.note,text.dim{fill:#57606a}text.loss{fill:#b3261e}.back{fill:#fff}" +
         fills(colours.light, colours.light_steps) +
         "@media(prefers-color-scheme:dark){text.head{fill:#e6e9ee}text.note,text.dim{fill:#a3acb8}"
         "text.loss{fill:#ff9a90}.back{fill:#14171c}" +
         fills(colours.dark, colours.dark_steps) + "}";
}

void put_line(Drawing &drawing, std::string_view kind, const std::string &text, double &y) {
  drawing.svg += formatted("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>\n", kind, kMargin, y, xml_text(text));
  y += 18;
}

// The root at the bottom, as flames rise.
double put_boxes(Drawing &drawing, double y) {
  if (drawing.page.differential) {
    for (const StackTree::Node &node : drawing.nodes)
      drawing.most_change = std::max(drawing.most_change, std::abs(change(drawing, node)));
  }
  const std::vector<Box> boxes = boxes_of(drawing);
  uint32_t most = 0;
  for (const Box &box : boxes) most = std::max(most, drawing.nodes[box.node].level);
  if (drawing.not_drawn > 0) {
    put_line(drawing, "note",
             std::to_string(drawing.not_drawn) + " functions, and what they call, are too narrow to be drawn", y);
  }
  for (const Box &box : boxes) {
    const StackTree::Node &node = drawing.nodes[box.node];
    put_box(drawing, node, kMargin + box.from * kPlot, (box.to - box.from) * kPlot, y + kRow * (most - node.level));
  }
  return y + kRow * (most + 1);
}

}  // namespace

std::string flame_svg(const FlamePage &page, const StackTree &tree) {
  const size_t run = page.differential ? 1 : 0;
  Drawing drawing = {.page = page,
                     .tree = tree,
                     .nodes = tree.nodes(),
                     .run = run,
                     .whole = std::max(1.0, static_cast<double>(tree.total()[run])),
                     .svg = {}};
  double y = 34;
  put_line(drawing, "head", page.title, y);
  y += 6;
  for (const std::string &note : page.notes) put_line(drawing, "note", note, y);
  for (const std::string &loss : page.losses) put_line(drawing, "loss", loss, y);
  if (page.weight == nullptr || tree.total()[run] == 0) {
    put_line(drawing, "note", "no stacks", y);
  } else {
    y = put_boxes(drawing, y) + 22;
    put_legend(drawing, y);
  }
  const double height = y + 16;
  return formatted(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" role=\"img\">\n"
      "<title>{}: flame graph</title>\n<style>{}</style>\n<rect class=\"back\" width=\"{}\" "
      "height=\"{}\"/>\n{}</svg>\n",
      kWidth, height, kWidth, height, xml_text(page.title), style(page), kWidth, height, drawing.svg);
}

}  // namespace strata
