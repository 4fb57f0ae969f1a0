// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What all pages and pictures have in common: names from strangers stay text, and a page needs nothing but its file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "rec/recording.h"

namespace strata {

std::string xml_text(std::string_view printable_text);  // escaped, and without what XML forbids

// "strata bioheat -F -- ./both; host db1, Linux 6.12.48": what of it is known, for a line below the title; or empty.
std::string run_text(const RecordingHead &head);

std::string times_text(const Clocks &clocks, uint64_t from_ns, uint64_t to_ns);  // "14:03:07 to 14:03:08"
std::string span_text(const Clocks &clocks, uint64_t from_ns, uint64_t to_ns);   // "2026-11-23 ... UTC, 1.00s"
std::string zone_text(const Clocks &clocks, uint64_t ns);  // of the local times: "CET", in summer "CEST"

struct Page {
  std::string_view title;  // xml_text()
  std::string_view style, body;
  std::string_view data_type, data;  // of the element "data", for the script: without a '<'
  std::string_view script;
};
std::string page_html(const Page &page);

// The same in parts, for a page whose data come while a run goes on: they stand between the two.
std::string page_before_data(const Page &page);
std::string page_after_data(const Page &page);

// A file of this folder that is a part of a page, timeline.css as timeline_css_text(): the binary holds it compressed,
// as it does BPF objects (Makefile). To be used in strata's own namespace.
#define PAGE_PART(name)                                        \
  extern "C" const unsigned char name##_gz[], name##_gz_end[]; \
  static std::string name##_text() { return page_part({name##_gz, name##_gz_end}); }
std::string page_part(std::span<const unsigned char> gzip);

// What several pages have in common.
std::string page_style();
std::string page_script();

}  // namespace strata
