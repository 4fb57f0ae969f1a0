// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Any records of the right size, in any order, as what the BPF side of follow sent: every sample ends once, the account
// adds up, and the replay of what was recorded says the same as the live run.
#include <algorithm>
#include <cstring>
#include <set>

#include "account.h"
#include "follow/replayed.h"
#include "follow/write/chain.h"
#include "follow/write/tracker.h"
#include "follow/write/wire.h"
#include "fuzz.h"
#include "rec/pointers.h"
#include "render/formats.h"

namespace strata {
namespace {

// A byte is a small number, so that identities and ranges meet, or one of those at which arithmetic breaks.
uint64_t wide(uint8_t byte) {
  constexpr uint64_t kEdges[] = {UINT64_MAX, UINT64_MAX - 1, 1ULL << 63, (1ULL << 63) - 1,
                                 UINT32_MAX, 1ULL << 32,     1ULL << 31, (1ULL << 31) - 1};
  return byte >= 0xf8 ? kEdges[byte - 0xf8] : byte;
}

struct Compact {
  uint8_t kind, id, parent, mapping, lo, bytes, sector, sectors, result, flags, tid, after_us;
};

follow_start expanded(const Compact &in, uint64_t &now_ns) {
  now_ns += wide(in.after_us) * 1000;
  const uint64_t lo = wide(in.lo) * 512;
  const uint64_t result = wide(in.result);
  follow_start record = {.hop = {.ts_ns = now_ns,
                                 .id = wide(in.id),
                                 .parent = wide(in.parent),
                                 .mapping = in.mapping,
                                 .lo = lo,
                                 .hi = lo + wide(in.bytes) * 512,
                                 .sector = wide(in.sector),
                                 .object = in.id,
                                 .result = static_cast<int64_t>(in.flags & 64 ? 0 - result : result),
                                 .sectors = static_cast<uint32_t>(wide(in.sectors)),
                                 .dev = in.mapping,
                                 .opf = in.flags,
                                 .flags = in.flags * 2U,
                                 .kind = in.kind,
                                 .cause = in.flags,
                                 .tgid = in.tid,
                                 .tid = in.tid,
                                 .call = in.tid,
                                 .comm = {}}};
  record.path.bytes = in.bytes;
  record.hop.comm[0] = static_cast<char>(in.tid);
  return record;
}

// The first byte says whether the records are compact ones, or stand as they are.
std::vector<follow_start> records_of(std::string_view in) {
  std::vector<follow_start> records;
  const bool compact = !in.empty() && in[0] % 2 == 0;
  const size_t size = compact ? sizeof(Compact) : sizeof(follow_hop);
  uint64_t now_ns = 1000;
  for (in.remove_prefix(std::min<size_t>(1, in.size())); in.size() >= size; in.remove_prefix(size)) {
    if (compact) {
      Compact one;
      memcpy(&one, in.data(), size);
      records.push_back(expanded(one, now_ns));
    } else {
      memcpy(&records.emplace_back(), in.data(), size);
    }
  }
  return records;
}

size_t size_of(const follow_start &record) {
  return record.hop.kind == HOP_ENTER ? sizeof(record) : sizeof(record.hop);
}

bool same_fields(const std::vector<NamedValue> &a, const std::vector<NamedValue> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const NamedValue &one, const NamedValue &other) {
    return one.column == other.column && one.value == other.value;
  });
}

bool same_hop(const Hop &a, const Hop &b) {
  return a.layer == b.layer && a.name == b.name && a.ts_ns == b.ts_ns && a.cpu == b.cpu && a.tid == b.tid &&
         a.comm == b.comm && a.background == b.background && same_fields(a.fields, b.fields);
}

bool same_sample(const Sample &a, const Sample &b) {
  return a.id == b.id && a.outcome == b.outcome && a.reason == b.reason && a.start_ns == b.start_ns &&
         a.seen_ns == b.seen_ns && a.total_ns == b.total_ns && same_fields(a.fields, b.fields) &&
         std::equal(a.hops.begin(), a.hops.end(), b.hops.begin(), b.hops.end(), same_hop);
}

struct Told {
  std::vector<Sample> samples;
  Account account;
};

void require_same(const Account &a, const Account &b) {
  const auto same = [](const Account::Count &one, const Account::Count &other) {
    return one.outcome == other.outcome && one.reason == other.reason && one.n == other.n;
  };
  require(std::equal(a.counts.begin(), a.counts.end(), b.counts.begin(), b.counts.end(), same));
}

Told live(const std::vector<follow_start> &records, bool until_writeback, uint64_t sampled) {
  Told told;
  std::set<uint64_t> ended;
  Tracker tracker(
      until_writeback,
      [&](const Sample &sample) {
        require(ended.insert(sample.id).second);
        require(std::is_sorted(sample.hops.begin(), sample.hops.end(),
                               [](const Hop &a, const Hop &b) { return a.ts_ns < b.ts_ns; }));
        told.samples.push_back(sample);
      },
      Disks("/nonexistent"));
  for (const follow_start &record : records) {
    // An allocation of its own, so that a read behind the record is seen.
    const std::vector<std::byte> bytes(reinterpret_cast<const std::byte *>(&record),
                                       reinterpret_cast<const std::byte *>(&record) + size_of(record));
    tracker.on_record(bytes.data(), bytes.size());
  }
  tracker.end(sampled, {});
  require(tracker.idle() && tracker.collector().ended() == told.samples.size());
  told.account = tracker.account();
  require_balance(told.account, told.samples.size());
  return told;
}

// Before anybody sees them, as the live run does it.
void number_pointers(std::vector<follow_start> &records) {
  Pointers pointers;
  for (follow_start &record : records)
    pointers.number_all(record_of(record.hop), reinterpret_cast<std::byte *>(&record), size_of(record));
}

void check(std::string_view in) {
  std::vector<follow_start> records = records_of(in);
  number_pointers(records);
  const bool until_writeback = !in.empty() && (in[0] & 2) != 0;
  const uint64_t sampled = in.size() % 16;
  const Told told = live(records, until_writeback, sampled);

  const follow_attach_mode mode = {.until_writeback = until_writeback, .text = {}};
  const follow_sampled count = {.sampled = sampled};
  const Rendered recorded(make_record_sink);
  const RunInfo info = {.head = {.program = "fuzz"}};
  recorded.put(info);
  recorded.put(Undecoded{kAttachModeRecord, &mode, kAttachModeRecord.size});
  for (const follow_start &record : records)
    recorded.put(Undecoded{record_of(record.hop), &record, record_of(record.hop).size});
  recorded.put(Undecoded{kSampledRecord, &count, kSampledRecord.size});
  recorded.put(End());
  MemoryFile file;
  file.write(recorded.text());
  Recording recording(file.name());
  std::vector<Sample> samples;
  const Replayed again = replay_chain(kWriteChain, recording, [&](const Sample &sample) { samples.push_back(sample); });
  require(again.whole);
  require(std::equal(samples.begin(), samples.end(), told.samples.begin(), told.samples.end(), same_sample));
  require_same(again.summary.account, told.account);
}

}  // namespace
}  // namespace strata

int fuzz_records(const uint8_t *data, size_t size) {
  strata::check({reinterpret_cast<const char *>(data), size});
  return 0;
}
