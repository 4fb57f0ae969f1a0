// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "render/page.h"

#include <ctime>

#include "base/gzip.h"
#include "base/shell.h"
#include "base/text.h"

namespace strata {
namespace {

constexpr size_t kMostRunBytes = 300;

std::string local_text(const Clocks &clocks, uint64_t ns, const char *format) {
  const auto seconds = static_cast<time_t>(clocks.wall_ns(ns) / 1'000'000'000);
  tm local{};
  localtime_r(&seconds, &local);
  char text[64];
  return {text, strftime(text, sizeof(text), format, &local)};
}

}  // namespace

std::string run_text(const RecordingHead &head) {
  std::string text = printable(head.program);
  std::vector<std::string> words = head.options;
  if (!head.command.empty()) words.emplace_back("--");
  words.insert(words.end(), head.command.begin(), head.command.end());
  for (const std::string &word : words) {
    const std::string quoted = shell_quoted(word);
    if (text.size() + quoted.size() > kMostRunBytes) {
      text += " ...";
      break;
    }
    text += " " + quoted;
  }
  if (head.host.empty()) return words.empty() ? "" : text;
  return text + "; host " + printable(head.host) + ", Linux " + printable(head.kernel);
}

PAGE_PART(page_css)
PAGE_PART(page_js)

std::string xml_text(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); i++) {
    switch (text[i]) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += text[i];
    }
  }
  for (const std::string_view forbidden : {"\xef\xbf\xbe", "\xef\xbf\xbf"}) {  // U+FFFE, U+FFFF
    for (size_t at = 0; (at = out.find(forbidden, at)) != std::string::npos;) out.replace(at, 3, "\xef\xbf\xbd");
  }
  return out;
}

std::string times_text(const Clocks &clocks, uint64_t from_ns, uint64_t to_ns) {
  const size_t letters = to_ns - from_ns < 1'000'000'000 ? 12 : 8;
  return clocks.wall_text(from_ns).substr(0, letters) + " to " + clocks.wall_text(to_ns).substr(0, letters);
}

std::string span_text(const Clocks &clocks, uint64_t from_ns, uint64_t to_ns) {
  return local_text(clocks, from_ns, "%F ") + times_text(clocks, from_ns, to_ns) + " " + zone_text(clocks, from_ns) +
         ", " + scaled_ns(to_ns - from_ns);
}

std::string zone_text(const Clocks &clocks, uint64_t ns) { return local_text(clocks, ns, "%Z"); }

std::string page_part(std::span<const unsigned char> gzip) {
  std::string text(gunzipped_size(gzip), '\0');
  gunzip(gzip, {reinterpret_cast<unsigned char *>(text.data()), text.size()});  // our own bytes
  return text;
}

std::string page_style() { return page_css_text(); }
std::string page_script() { return page_js_text(); }

std::string page_html(const Page &page) {
  return page_before_data(page) + std::string(page.data) + page_after_data(page);
}

std::string page_before_data(const Page &page) {
  std::string text =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'; img-src data:\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<link rel=\"icon\" href=\"data:,\">\n";
  ((text += "<title>") += page.title) += "</title>\n<style>";
  ((text += page.style) += "</style>\n</head>\n<body>\n") += page.body;
  return ((text += "<script type=\"") += page.data_type) += "\" id=\"data\">";
}

std::string page_after_data(const Page &page) {
  return "</script>\n<script>" + std::string(page.script) + "</script>\n</body>\n</html>\n";
}

}  // namespace strata
