// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The page: all of the tree, compressed, and a script that draws what of it is seen.
#include <algorithm>
#include <iterator>
#include <numeric>
#include <unordered_map>

#include "base/gzip.h"
#include "base/text.h"
#include "render/flame.h"
#include "render/flame_colours.h"
#include "render/json_value.h"
#include "render/page.h"
#include "render/value.h"

namespace strata {

PAGE_PART(flame_css)
PAGE_PART(flame_html)
PAGE_PART(flame_tree_js)
PAGE_PART(flame_js)

namespace {

void put_varint(std::string &out, uint64_t number) {  // 7 bits a byte, the lowest first
  for (; number >= 0x80; number >>= 7) out += static_cast<char>(number | 0x80);
  out += static_cast<char>(number);
}

// Frequent names get short numbers.
std::vector<uint32_t> by_frequency(const StackTree &tree, const std::vector<StackTree::Node> &nodes) {
  std::vector<uint32_t> uses(tree.names().size()), order(tree.names().size());
  for (const StackTree::Node &node : nodes) uses[node.name]++;
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return uses[a] > uses[b]; });
  return order;
}

Json head_json(const FlamePage &page, const StackTree &tree, const std::vector<uint32_t> &order) {
  const Unit unit = page.weight == nullptr ? Unit::kNone : page.weight->unit;
  const FlameColours colours = flame_colours(unit);
  std::string kinds, shades;  // a digit for each name
  Json names = Json::array();
  for (const uint32_t name : order) {
    const std::string &text = *tree.names()[name];
    names.push_back(text);
    kinds += static_cast<char>('0' + kind_of_frame(text));
    shades += static_cast<char>('0' + shade_of_frame(text));
  }
  const bool scaled = unit == Unit::kNs || unit == Unit::kBytes;
  return {{"title", page.title},
          {"notes", page.notes},
          {"losses", page.losses},
          {"unit", unit == Unit::kNs      ? "ns"
                   : unit == Unit::kBytes ? "bytes"
                                          : ""},
          {"label", page.weight == nullptr || scaled ? "" : label_of(*page.weight)},
          {"threads", page.threads},
          {"differential", page.differential},
          {"scale", page.scale},
          {"kindNames", FlameKind::kNames},
          {"light", colours.light},
          {"dark", colours.dark},
          {"lightSteps", colours.light_steps},
          {"darkSteps", colours.dark_steps},
          {"names", std::move(names)},
          {"kinds", kinds},
          {"shades", shades},
          {"nodes", tree.size()},
          {"times", page.times != nullptr},
          {"second", page.first_second}};
}

// Of each node how many parts of a second have stacks that end there, and of each of these how much later it is than
// the one before, and their weight.
std::string times_of(const FlamePage &page, const std::vector<StackTree::Node> &nodes) {
  std::string text;
  for (const StackTree::Node &node : nodes) {
    const auto from = page.times->lower_bound({node.place, 0}), to = page.times->lower_bound({node.place + 1, 0});
    put_varint(text, static_cast<uint64_t>(std::distance(from, to)));
    uint64_t last = page.first_part;
    for (auto one = from; one != to; ++one) {
      const uint64_t part = std::max(one->first.second, last);
      put_varint(text, part - last);
      put_varint(text, one->second);
      last = part;
    }
  }
  return text;
}

// The head's length, the head, and a column after the other, of all nodes: how many levels higher a node is than it
// would be below the one before it; which function its caller calls there, 0 for one that it has not called before,
// whose name follows; the weight of the stacks that end there; when that was, if it is known. About a byte a node when
// it is compressed.
std::string data_of(const FlamePage &page, const StackTree &tree) {
  const std::vector<StackTree::Node> nodes = tree.nodes();
  const std::vector<uint32_t> order = by_frequency(tree, nodes);
  std::vector<uint32_t> number(order.size()), path;
  for (uint32_t i = 0; i < order.size(); i++) number[order[i]] = i;
  const std::string head = dump(head_json(page, tree, order));
  std::string data, names, weights;
  put_varint(data, head.size());
  data += head;
  std::unordered_map<uint64_t, uint64_t> called;      // caller << 32 | function: which one it is
  std::vector<uint64_t> functions(order.size() + 1);  // that each has called, and nobody the root
  for (const StackTree::Node &node : nodes) {
    put_varint(data, path.size() - node.level);
    const uint32_t caller = node.level == 0 ? static_cast<uint32_t>(order.size()) : path[node.level - 1];
    uint64_t &which = called[uint64_t{caller} << 32 | node.name];
    put_varint(names, which);
    if (which == 0) {
      which = ++functions[caller];
      put_varint(names, number[node.name]);
    }
    for (size_t run = 0; run < (page.differential ? 2 : 1); run++) put_varint(weights, node.self[run]);
    path.resize(node.level);
    path.push_back(node.name);
  }
  return base64(gzipped(data + names + weights + (page.times == nullptr ? "" : times_of(page, nodes))));
}

}  // namespace

FlameParts flame_parts(const FlamePage &page, const StackTree &tree) {
  return {.title = page.title + ": flame graph",
          .style = page_style() + flame_css_text(),
          .body = flame_html_text(),
          .data = data_of(page, tree),
          .script = flame_tree_js_text() + flame_js_text()};
}

std::string flame_html(const FlamePage &page, const StackTree &tree) {
  const FlameParts parts = flame_parts(page, tree);
  const std::string title = xml_text(parts.title), script = page_script() + parts.script;
  return page_html({.title = title,
                    .style = parts.style,
                    .body = parts.body,
                    .data_type = "application/gzip",
                    .data = parts.data,
                    .script = script});
}

}  // namespace strata
