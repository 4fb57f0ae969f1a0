// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "rec/recording.h"

#include <stdlib.h>
#include <unistd.h>

#include <optional>

#include "base/error.h"
#include "base/gzip.h"
#include "base/test.h"

namespace strata {
namespace {

struct Example {
  uint64_t n;
};
constexpr Field kFields[] = {{STORED(Example, n)}};
const RecordType kRecord = record_type<Example>("example", kFields);
constexpr const RecordType *kRecords[] = {&kRecord};

const std::string kHead = "strata-recording 1\nprogram strata follow\nclocks 12 34\n";

class File {
 public:
  explicit File(std::string_view text) {
    const int fd = mkstemp(name_);
    REQUIRE(write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    close(fd);
  }
  ~File() { unlink(name_); }
  [[nodiscard]] std::string name() const { return name_; }

 private:
  char name_[32] = "/tmp/recording-XXXXXX";
};

// What reading all of it throws, or nothing.
std::optional<std::string> error_of(const std::string &file) {
  try {
    Recording recording(file);
    for (Record record; recording.next(kRecords, record);) {
    }
  } catch (const Error &error) {
    CHECK(error.exit_status() == 1);
    return error.what();
  }
  return std::nullopt;
}

std::vector<uint64_t> numbers_of(Recording &recording) {
  std::vector<uint64_t> numbers;
  for (Record record; recording.next(kRecords, record);)
    numbers.push_back(reinterpret_cast<const Example *>(record.bytes.data())->n);
  return numbers;
}

}  // namespace

TEST_CASE("a recording has a head, records, losses and an end") {
  const File file(kHead + "example n=3\nexample n=5\nloss 2 ring buffer full\nend\n");
  Recording recording(file.name());
  CHECK(recording.head().program == "strata follow");
  CHECK(recording.head().clocks.monotonic_ns == 12);
  CHECK(recording.head().clocks.realtime_ns == 34);
  CHECK(numbers_of(recording) == std::vector<uint64_t>{3, 5});
  REQUIRE(recording.losses().size() == 1);
  CHECK(recording.losses()[0].reason == "ring buffer full");
  CHECK(recording.losses()[0].count == 2);
  CHECK(recording.whole());
}

TEST_CASE("what the first records are is found again and again, and consumes none") {
  const File file(kHead + "interval n=1\nexample n=3\nother n=5\nend\n");
  Recording recording(file.name());
  constexpr std::string_view kLater[] = {"other"}, kFirst[] = {"other", "example"}, kNone[] = {"another"};
  CHECK(recording.first_of(kLater) == "other");
  CHECK(recording.first_of(kFirst) == "example");
  CHECK(recording.first_of(kNone).empty());
  CHECK(numbers_of(recording) == std::vector<uint64_t>{3});
}

TEST_CASE("a recording may be cut at any byte: whole lines count, and it says that it is not whole") {
  const std::string text = kHead + "example n=30\nexample n=50\nloss 2 ring buffer full\nend\n";
  for (size_t size = kHead.size(); size < text.size(); ++size) {
    const File file(std::string_view(text).substr(0, size));
    INFO("cut at " << size);
    Recording recording(file.name());
    std::vector<uint64_t> numbers;
    REQUIRE_NOTHROW(numbers = numbers_of(recording));
    std::vector<uint64_t> right;
    if (size >= text.find("example n=50")) right.push_back(30);
    if (size >= text.find("loss")) right.push_back(50);
    CHECK(numbers == right);
    if (size + 1 < text.size()) CHECK_FALSE(recording.whole());
  }
}

TEST_CASE("what is no recording is refused with the name of the file") {
  for (const std::string &text : {std::string(), std::string("\n"), std::string("strata-recording 3\n"),
                                  kHead.substr(0, 25), std::string("strata-recording 1\nprogram x\nclocks x\n"),
                                  std::string("strata-recording 1\nname x\nclocks 1 2\n")}) {
    const File file(text);
    INFO(text);
    REQUIRE(error_of(file.name()));
    CHECK(error_of(file.name())->find(file.name()) != std::string::npos);
  }
  CHECK(error_of("/nonexistent\x1b/file").value_or("") ==
        "cannot read /nonexistent\\x1b/file: No such file or directory");
  CHECK(error_of("/tmp"));
}

TEST_CASE("a record that is broken is refused with its line") {
  const File file(kHead + "example n=3\nexample n=x\nend\n");
  CHECK(error_of(file.name()).value_or("").find(file.name() + ":5: ") == 0);
}

TEST_CASE("a head has what the run was, and lines that a later version may add") {
  RecordingHead head = {.program = "strata x",
                        .version = "0.1.0",
                        .host = "a host",
                        .kernel = "6.1",
                        .options = {"--by", "a b", "", "%\n"},
                        .command = {"./run", "", "a b"},
                        .clocks = {.monotonic_ns = 12, .realtime_ns = 34}};
  std::string text = head_text(head, kRecords);
  text.insert(text.find("host "), "weather fine\n");
  const File file(text + "example n=3\nend\n");
  Recording recording(file.name());
  CHECK(recording.head().program == "strata x");
  CHECK(recording.head().version == "0.1.0");
  CHECK(recording.head().host == "a host");
  CHECK(recording.head().kernel == "6.1");
  CHECK(recording.head().has_options);
  CHECK(recording.head().options == head.options);
  CHECK(recording.head().command == head.command);
  CHECK(text.find("record example n:u64\n") != std::string::npos);
  CHECK(numbers_of(recording) == std::vector<uint64_t>{3});
}

TEST_CASE("records and fields that are not known are skipped, and records counted") {
  const File file(kHead + "other a=1\nexample n=3 more=4\nother\nexample n=5\nend\n");
  Recording recording(file.name());
  CHECK_FALSE(recording.head().has_options);
  CHECK(numbers_of(recording) == std::vector<uint64_t>{3, 5});
  CHECK(recording.unknown() == 2);
  CHECK(recording.whole());
}

TEST_CASE("an older and a newer file of one run are one recording, and each is whole") {
  const RecordingHead head = {.program = "strata x", .host = "h", .clocks = {.monotonic_ns = 12, .realtime_ns = 34}};
  const std::string begin = head_text(head, kRecords);
  const std::string older = begin + "example n=3\ncontinued\n", newer = begin + "example n=5\nloss 2 full\nend\n";
  for (const auto &[text, numbers] : {std::pair(older, std::vector<uint64_t>{3}),
                                      {newer, std::vector<uint64_t>{5}},
                                      {older + older + newer, std::vector<uint64_t>{3, 3, 5}}}) {
    const File file(text), zipped(gzipped(text)), in_pieces(gzipped(text.substr(0, 100)) + gzipped(text.substr(100)));
    for (const File *one : {&file, &zipped, &in_pieces}) {
      Recording recording(one->name());
      CHECK(numbers_of(recording) == numbers);
      CHECK(recording.whole());
      CHECK(recording.losses().size() == (text == older ? 0 : 1));
    }
  }
  RecordingHead other = head;
  other.clocks.monotonic_ns++;
  const File stranger(older + head_text(other, kRecords) + "end\n"), record(older + "example n=5\nend\n");
  CHECK(error_of(stranger.name()).value_or("").ends_with("behind `continued` is the recording of another run"));
  CHECK(error_of(record.name()).value_or("").ends_with("no recording behind `continued`"));
  const File cut(older + begin + "example n=5\n");
  Recording recording(cut.name());
  CHECK(numbers_of(recording) == std::vector<uint64_t>{3, 5});
  CHECK_FALSE(recording.whole());
}

TEST_CASE("what was kept says of when it is, and why it was written") {
  const KeptSpan span = {.at_ns = 90, .from_ns = 30, .records = 2, .why = "--when holds"};
  const File file(kHead + kept_line(span) + "example n=3\nexample n=5\nend\n");
  Recording recording(file.name());
  CHECK(numbers_of(recording) == std::vector<uint64_t>{3, 5});
  REQUIRE(recording.kept().size() == 1);
  CHECK(recording.kept()[0].at_ns == 90);
  CHECK(recording.kept()[0].from_ns == 30);
  CHECK(recording.kept()[0].records == 2);
  CHECK(recording.kept()[0].why == "--when holds");
  CHECK(recording.unknown() == 0);
}

TEST_CASE("a compressed recording that was cut, is no longer gzip, or is one line without an end") {
  const std::string whole = gzipped(kHead + "example n=3\nexample n=5\nend\n");
  const File cut(std::string_view(whole).substr(0, whole.size() - 12));
  Recording recording(cut.name());
  numbers_of(recording);
  CHECK_FALSE(recording.whole());
  const File broken(gzipped(kHead + "example n=3\n") + "example n=5\n");
  const File bomb(gzipped(kHead + std::string(50'000'000, 'x')));
  CHECK(error_of(broken.name()).value_or("").ends_with(" is broken: it is not all gzip"));
  CHECK(error_of(bomb.name()).value_or("").ends_with(": a line is too long"));
}

TEST_CASE("the first record can be asked for, and nothing is lost") {
  constexpr std::string_view kNames[] = {"absent", "example"};
  const File file(kHead + "other a=1\nexample n=3\nexample n=5\nend\n");
  Recording recording(file.name());
  CHECK(recording.first_of(kNames) == "example");
  CHECK(numbers_of(recording) == std::vector<uint64_t>{3, 5});
  const File without(kHead + "other a=1\nend\n");
  Recording none(without.name());
  CHECK(none.first_of(kNames).empty());
  CHECK(numbers_of(none).empty());
  CHECK(none.whole());
}

}  // namespace strata
