// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Any bytes as a recording: it is refused with an Error, or replayed into every format with an account that adds up.
// What was read is written and read again without a change.
#include "rec/recording.h"

#include "account.h"
#include "base/error.h"
#include "follow/fsync/chain.h"
#include "follow/query/chain.h"
#include "follow/read/chain.h"
#include "follow/recv/chain.h"
#include "follow/replayed.h"
#include "follow/send/chain.h"
#include "follow/write/chain.h"
#include "fuzz.h"
#include "render/formats.h"

namespace strata {
namespace {

struct Content {
  std::string program;
  std::vector<std::string> records, losses;
  bool whole = false;

  bool operator==(const Content &) const = default;
};

// As the replay takes it: the recorded run's operand, or the first.
const Chain &chain_of(const Recording &recording) {
  const std::vector<std::string> &options = recording.head().options;
  for (const Chain *chain : {&kReadChain, &kFsyncChain, &kSendChain, &kRecvChain, &kQueryChain})
    if (!options.empty() && options.front() == chain->name) return *chain;
  return kWriteChain;
}

// Throws Error as soon as a line is not understood.
Content read(Recording &recording, const Rendered *copy) {
  const std::span<const RecordType *const> records = chain_of(recording).records;
  Content content{.program = recording.head().program, .records = {}, .losses = {}};
  for (Record record; recording.next(records, record);) {
    content.records.push_back(to_line(*record.type, record.bytes.data(), record.bytes.size()));
    require(from_line(records, content.records.back())->bytes == record.bytes);
    if (copy != nullptr) copy->put(Undecoded{*record.type, record.bytes.data(), record.bytes.size()});
  }
  for (const Loss &loss : recording.losses()) content.losses.push_back(std::to_string(loss.count) + loss.reason);
  content.whole = recording.whole();
  return content;
}

void copy(const std::string &file) {
  Rendered out(make_record_sink);
  Recording recording(file);
  const std::span<const RecordType *const> records = chain_of(recording).records;
  const RunInfo info = {.head = recording.head(), .records = {records.begin(), records.end()}};
  out.put(info);
  Content content = read(recording, &out);
  out.put(Losses{recording.losses()});
  out.put(End());
  MemoryFile second;
  second.write(out.text());
  content.whole = true;
  bool same = false;  // what we wrote ourselves is not to be refused, as an input may be
  try {
    Recording again(second.name());
    same = read(again, nullptr) == content;
  } catch (const Error &) {
  }
  require(same);
}

void replay(const std::string &file) {
  const Rendered text(make_text_sink), json(make_json_sink), perfetto(make_perfetto_sink), html(make_timeline_sink);
  Recording recording(file);
  uint64_t shown = 0;
  const RunInfo info = {.head = recording.head()};
  for (const Rendered *sink : {&text, &json, &perfetto, &html}) sink->put(info);
  const Replayed run = replay_chain(chain_of(recording), recording, [&](const Sample &sample) {
    ++shown;
    for (const Rendered *sink : {&text, &json, &perfetto, &html}) sink->put(sample);
  });
  for (const Rendered *sink : {&text, &json, &perfetto, &html}) {
    sink->put(Losses{run.losses});
    sink->put(run.summary);
    sink->put(End());
  }
  require_balance(run.summary.account, shown);
  require_printable(text.text());
  require_json_lines(json.text());
  require(parsed_json(perfetto.text()).at("traceEvents").is_array());
  require(parsed_json(page_data(html.text())).is_array());
}

}  // namespace
}  // namespace strata

int fuzz_recording(const uint8_t *data, size_t size) {
  static strata::MemoryFile file;
  file.write({reinterpret_cast<const char *>(data), size});
  for (const auto step : {strata::copy, strata::replay}) {
    try {
      step(file.name());
    } catch (const strata::Error &error) {
      strata::require(strata::printable(error.what()) == error.what());
    }
  }
  return 0;
}
