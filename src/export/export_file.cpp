// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "export/export_file.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "cli/toml_file.h"

namespace strata {
namespace {

constexpr uint64_t kSecondNs = 1'000'000'000;
constexpr uint64_t kMostSeries = 100'000;

std::optional<uint16_t> port_of(std::string_view text) {
  uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.begin(), text.end(), port);
  if (error != std::errc() || end != text.end() || port == 0) return std::nullopt;
  return port;
}

bool is_address(const std::string &host, bool bracketed) {
  in6_addr v6;
  in_addr v4;
  return bracketed ? inet_pton(AF_INET6, host.c_str(), &v6) == 1 : inet_pton(AF_INET, host.c_str(), &v4) == 1;
}

struct HostPort {
  std::string host;
  std::optional<uint16_t> port;  // none: none is there
  bool bracketed = false;
};

// Of "host", "host:1", "[::1]:1".
std::optional<HostPort> host_and_port(std::string_view text) {
  const bool bracketed = text.starts_with('[');
  const size_t end = bracketed ? text.find(']') : std::min(text.find(':'), text.size());
  if (end == std::string_view::npos) return std::nullopt;
  HostPort result = {.host = std::string(text.substr(bracketed, end - bracketed)), .port = {}, .bracketed = bracketed};
  text.remove_prefix(end + bracketed);
  if (text.empty()) return result;
  result.port = text.starts_with(':') ? port_of(text.substr(1)) : std::nullopt;
  return result.port ? std::optional(result) : std::nullopt;
}

class Reader {
 public:
  Reader(const std::string &file, std::string_view text) : file_(file), toml_(file, text) {}

  ExportFile read();

 private:
  [[nodiscard]] uint64_t duration_of(const toml::table &table, std::string_view key, uint64_t low, uint64_t high,
                                     uint64_t otherwise) const;
  [[nodiscard]] SocketAddress listen_of(const toml::table &table) const;
  [[nodiscard]] uint64_t budget_of(const toml::table &table) const;
  [[nodiscard]] PushTarget push_of(const toml::node &node) const;
  [[nodiscard]] ExportedTool tool_of(const toml::table &table) const;
  [[nodiscard]] std::vector<std::string> words_in(const toml::node &node) const;

  const std::string &file_;
  TomlFile toml_;
  uint64_t interval_ns_ = 0;
  size_t most_series_ = 0;
};

uint64_t Reader::duration_of(const toml::table &table, std::string_view key, uint64_t low, uint64_t high,
                             uint64_t otherwise) const {
  const toml::node *node = table.get(key);
  if (node == nullptr) return otherwise;
  uint64_t ns = 0;
  bool valid = false;
  if (const toml::value<std::string> *text = node->as_string()) valid = parse_duration_ns(text->get(), ns);
  if (const toml::value<int64_t> *seconds = node->as_integer(); seconds != nullptr && seconds->get() >= 0)
    valid = !__builtin_mul_overflow(static_cast<uint64_t>(seconds->get()), kSecondNs, &ns);
  if (!valid || ns < low || ns > high)
    toml_.fail(node->source(), std::string(key) + " takes a duration from " + scaled_ns(low) + " to " +
                                   scaled_ns(high) + ", as \"15s\"");
  return ns;
}

// A number alone is a port of this host: to serve others has to be said.
SocketAddress Reader::listen_of(const toml::table &table) const {
  const toml::node *node = table.get("listen");
  if (node == nullptr) return {.port = 9435};
  std::string text;
  if (const toml::value<int64_t> *number = node->as_integer()) text = std::to_string(number->get());
  if (const toml::value<std::string> *address = node->as_string()) text = address->get();
  if (const auto port = port_of(text)) return {.port = *port};
  auto address = host_and_port(text);
  if (address && address->host == "localhost") address->host = "127.0.0.1";
  if (!address || !address->port || !is_address(address->host, address->bracketed))
    toml_.fail(node->source(),
               "listen takes an address and a port, \"127.0.0.1:9435\" or \"[::1]:9435\", or a port of "
               "this host; of all addresses, \"0.0.0.0:9435\" or \"[::]:9435\"");
  return {.host = address->host, .port = *address->port};
}

uint64_t Reader::budget_of(const toml::table &table) const {
  const toml::node *node = table.get("budget");
  if (node == nullptr) return 10'000;
  double percent = 0;
  const toml::value<std::string> *text = node->as_string();
  const std::string_view digits = text != nullptr ? std::string_view(text->get()) : "";
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), percent);
  if (error != std::errc() || std::string_view(end, digits.end()) != "%" || !(percent >= 0.01 && percent <= 10'000))
    toml_.fail(node->source(), "budget takes a part of one CPU from \"0.01%\" on, as \"1%\"");
  return static_cast<uint64_t>(percent * 10'000);
}

PushTarget Reader::push_of(const toml::node &node) const {
  constexpr std::string_view kKeys[] = {"url", "interval"}, kScheme = "http://";
  const toml::table *table = node.as_table();
  if (table == nullptr) toml_.fail(node.source(), "push is a table, which begins with [push]");
  toml_.check_keys(*table, kKeys);
  const std::string url = toml_.text_of(*table, "url");
  if (url.empty()) toml_.fail(node.source(), "[push] has no url: where the collector is");
  const toml::source_region &source = table->get("url")->source();
  if (url.starts_with("https://"))
    toml_.fail(source, "there is no TLS here: push to a collector of this host, which can forward it");
  const std::string_view rest = url.starts_with(kScheme) ? std::string_view(url).substr(kScheme.size()) : "";
  const size_t slash = std::min(rest.find('/'), rest.size());
  const auto address = host_and_port(rest.substr(0, slash));
  const auto is_bad = [](char c) { return !is_plain(c) || c == ' '; };
  if (!address || address->host.empty() || std::ranges::any_of(url, is_bad) ||
      (address->bracketed && !is_address(address->host, true)))
    toml_.fail(source, "url takes http://HOST:PORT, as \"http://127.0.0.1:4318\"");
  PushTarget push = {.host = address->host == "localhost" ? "127.0.0.1" : address->host,
                     .port = address->port.value_or(4318),
                     .path = std::string(rest.substr(slash)),
                     .interval_ns = duration_of(*table, "interval", kSecondNs, 3600 * kSecondNs, 15 * kSecondNs)};
  while (push.path.ends_with('/')) push.path.pop_back();
  return push;
}

std::vector<std::string> Reader::words_in(const toml::node &node) const {
  std::vector<std::string> words;
  if (const toml::array *array = node.as_array())
    for (const toml::node &word : *array) {
      const toml::value<std::string> *text = word.as_string();
      if (text == nullptr) toml_.fail(word.source(), "each word of run is a text in quotes");
      words.push_back(text->get());
    }
  if (words.empty()) toml_.fail(node.source(), "run takes a tool and its arguments, [\"biolatency\", \"-D\"]");
  return words;
}

ExportedTool Reader::tool_of(const toml::table &table) const {
  constexpr std::string_view kKeys[] = {"name", "run", "interval", "max_series"};
  toml_.check_keys(table, kKeys);
  const toml::node *name = table.get("name"), *run = table.get("run");
  if ((name == nullptr) == (run == nullptr))
    toml_.fail(table.source(), "a tool has either a `name` or a command line to `run`");
  ExportedTool tool = {.words = {}, .place = toml_.place((run != nullptr ? run : name)->source())};
  tool.words = run != nullptr ? words_in(*run) : std::vector{toml_.text_of(table, "name")};
  tool.interval_ns = duration_of(table, "interval", kSecondNs, 3600 * kSecondNs, interval_ns_);
  tool.most_series = toml_.number_of(table, "max_series", kMostSeries).value_or(most_series_);
  return tool;
}

ExportFile Reader::read() {
  constexpr std::string_view kKeys[] = {"listen", "budget", "budget_interval", "interval", "max_series",
                                        "push",   "tool"};
  const toml::table all = toml_.parse();
  toml_.check_keys(all, kKeys);
  interval_ns_ = duration_of(all, "interval", kSecondNs, 3600 * kSecondNs, 15 * kSecondNs);
  most_series_ = toml_.number_of(all, "max_series", kMostSeries).value_or(1000);
  ExportFile result = {
      .listen = listen_of(all),
      .budget_millionths = budget_of(all),
      .budget_every_ns = duration_of(all, "budget_interval", 2 * kSecondNs, 3600 * kSecondNs, 30 * kSecondNs),
      .push = {},
      .tools = {}};
  if (const toml::node *push = all.get("push")) result.push = push_of(*push);
  toml_.each_table(all, "tool", [&](const toml::table &tool) { result.tools.push_back(tool_of(tool)); });
  return result;
}

}  // namespace

ExportFile parse_export_file(const std::string &file, std::string_view text) { return Reader(file, text).read(); }

ExportFile read_export_file(const std::string &file) {
  return parse_export_file(file, whole_file(file, "the file " + printable(file), kMostOfFile, kUsageStatus));
}

}  // namespace strata
