// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/read/sources.h"

#include "base/test.h"

namespace strata {
namespace {

constexpr uint64_t kPage = 4096;

// sources, cached, device, others, no I/O, readahead
struct Said {
  std::string text;
  std::vector<uint64_t> bytes;
};
Said said(const Sources &sources, uint64_t lo, uint64_t hi, uint64_t size = 1 << 20, bool direct = false) {
  const auto fields = sources.fields(lo, hi, size, direct);
  Said said{.text = std::get<std::string>(fields[0].value), .bytes = {}};
  for (size_t i = 1; i < fields.size(); ++i) said.bytes.push_back(std::get<uint64_t>(fields[i].value));
  return said;
}
using Bytes = std::vector<uint64_t>;

}  // namespace

TEST_CASE("what no I/O was for was cached") {
  const Said all = said({}, 100, 150);
  CHECK(all.text == "50B cached");
  CHECK(all.bytes == Bytes{50, 0, 0, 0, 0});
}

TEST_CASE("each byte has one source, and they stand in the order of the file") {
  Sources sources;
  sources.own.add(0, kPage);
  sources.own.add(2 * kPage, 3 * kPage);
  sources.added.add(0, kPage);
  sources.added.add(3 * kPage, 4 * kPage);
  sources.others.push_back({Ranges(4 * kPage, 8 * kPage), "cat/7"});
  const Said all = said(sources, 100, 5 * kPage);
  CHECK(all.text == "3.90KiB from device, 4KiB cached, 4KiB from device, 4KiB without I/O, 4KiB read by cat/7");
  CHECK(all.bytes == Bytes{kPage, 2 * kPage - 100, kPage, kPage, 0});
}

TEST_CASE("what the read queued itself came from the device, whoever else read it") {
  Sources sources;
  sources.own.add(0, kPage);
  sources.others.push_back({Ranges(0, 2 * kPage), "cat/7"});
  CHECK(said(sources, 0, 2 * kPage).bytes == Bytes{0, kPage, kPage, 0, 0});
}

TEST_CASE("readahead is what lies outside of the pages of the read, and in the file") {
  Sources sources;
  sources.own.add(kPage, 8 * kPage);
  sources.added.add(kPage, 9 * kPage);
  CHECK(said(sources, 2 * kPage + 1, 3 * kPage + 1).bytes == Bytes{0, kPage, 0, 0, 6 * kPage});
  CHECK(said(sources, 2 * kPage + 1, 3 * kPage + 1, 5 * kPage - 1).bytes == Bytes{0, kPage, 0, 0, 2 * kPage - 1});
  CHECK(said(sources, kPage, 2 * kPage, 5000).text == "4KiB from device");
  sources.page_bytes = 4 * kPage;
  CHECK(said(sources, 4 * kPage + 100, 4 * kPage + 1100).bytes == Bytes{0, 1000, 0, 0, 4 * kPage});
}

TEST_CASE("what O_DIRECT did not get from the device is without I/O, and readahead where pages were added") {
  Sources sources;
  sources.own.add(0, kPage);
  CHECK(said(sources, 0, 2 * kPage, 1 << 20, true).text == "4KiB from device, 4KiB without I/O");
  sources.own.add(0, 4 * kPage);
  CHECK(said(sources, 0, kPage, 1 << 20, true).text == "4KiB from device");
  sources.added.add(0, 4 * kPage);
  CHECK(said(sources, 0, kPage, 1 << 20, true).text == "4KiB from device; 12KiB readahead");
}

TEST_CASE("of a read in many parts the first are told") {
  Sources sources;
  for (uint64_t page = 0; page < 40; page += 2) sources.own.add(page * kPage, (page + 1) * kPage);
  const Said all = said(sources, 0, 40 * kPage);
  CHECK(all.text.ends_with(", 4KiB cached, and 24 more parts"));
  CHECK(all.bytes == Bytes{20 * kPage, 20 * kPage, 0, 0, 0});
}

}  // namespace strata
