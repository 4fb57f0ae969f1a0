#include "rec/recording.h"

#include <stdlib.h>
#include <unistd.h>

#include <optional>

#include "base/error.h"
#include "base/test.h"

namespace strata {
namespace {

struct Example {
  uint64_t n;
};
constexpr WireField kFields[] = {WIRE_NUMBER(Example, n)};
const Wire kWire = {"example", sizeof(Example), kFields};
constexpr const Wire *kWires[] = {&kWire};

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
    for (WireRecord record; recording.next(kWires, record);) {
    }
  } catch (const Error &error) {
    CHECK(error.exit_status() == 1);
    return error.what();
  }
  return std::nullopt;
}

std::vector<uint64_t> numbers_of(Recording &recording) {
  std::vector<uint64_t> numbers;
  for (WireRecord record; recording.next(kWires, record);)
    numbers.push_back(reinterpret_cast<const Example *>(record.bytes.data())->n);
  return numbers;
}

}  // namespace

TEST_CASE("a recording has a head, records, losses and an end") {
  const File file(kHead + "example n=3\nexample n=5\nloss 2 ring buffer full\nend\n");
  Recording recording(file.name());
  CHECK(recording.program() == "strata follow");
  CHECK(recording.clocks().monotonic_ns == 12);
  CHECK(recording.clocks().realtime_ns == 34);
  CHECK(numbers_of(recording) == std::vector<uint64_t>{3, 5});
  REQUIRE(recording.losses().size() == 1);
  CHECK(recording.losses()[0].reason == "ring buffer full");
  CHECK(recording.losses()[0].count == 2);
  CHECK(recording.whole());
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
  for (const std::string &text : {std::string(), std::string("\n"), std::string("strata-recording 2\n"),
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

TEST_CASE("a record that is not known is refused with its line") {
  const File file(kHead + "example n=3\nexample n=x\nend\n");
  CHECK(error_of(file.name()).value_or("").find(file.name() + ":5: ") == 0);
}

}  // namespace strata
