// strata follow: one procedure in N, followed through every layer.
#include <cstdio>

#include "base/clock.h"
#include "base/error.h"
#include "bpf/object.h"
#include "bpf/ring.h"
#include "cli/values.h"
#include "follow.skel.h"
#include "follow/chain.h"
#include "follow/follower.h"
#include "follow/root.h"
#include "follow/way.h"
#include "follow/windows.h"
#include "follow/wire.h"
#include "run/session.h"
#include "run/tool.h"

namespace strata {
namespace {

constexpr Operand kOperands[] = {{.name = "write", .help = "what to follow", .words = true}};

constexpr std::string_view kManual =
    "Of N writes one is taken, and only that one is followed: through the page cache, writeback, bio, request and "
    "driver to the completion by the device. The others pass a counter. For each sample a tree of hops is printed, "
    "with the time from its start and since the hop before; at the end where the time of all samples went, layer by "
    "layer, and the account of what became of them.\n\n"
    "Your database says that a write took 10 us, yet a crash a minute later lost it, and fsync takes 50 ms: where does "
    "that time go? Take a few writes and look:\n\n"
    "  # strata follow write --sample 1/1000 --limit 20 -p $(pidof -s postgres)\n\n"
    "Above the rule stands what the application waited for: enter, dirty, leave, all in microseconds. Below it stands "
    "what happened behind its back: how long the page lay dirty, who had it written and why (cause fsync, periodic, "
    "background, sync, reclaim, or the writer itself), how long its bio waited to be merged and issued (block), and "
    "how long the disk took (device). A large share of block is a queue that is too long, a large share of device a "
    "slow disk, a large share of page cache only says that nobody asked for the data to be durable.\n\n"
    "Where the host permits function probes (fentry or kprobe), a sample begins at ext4_file_write_iter or its like, "
    "which also sees aio, io_uring and splice, and ends at the end of writeback. Where only tracepoints are permitted, "
    "it begins at the system call (write, pwrite64, writev, pwritev, pwritev2, sendfile, splice) and ends at the "
    "completion of the request. The last line of the summary says which.\n\n"
    "ACCOUNT. Every sample ends in one of: completed (every byte is on the device), not written back when the run "
    "ended, truncated or unlinked before writeback, failed with an error, or lost, with the reason. They add up. "
    "Completed (stored with the metadata) means that fsync returned and the file is so small that the file system "
    "kept it in its inode.\n\n"
    "CAVEATS. The data are followed by their place in the file: a page that is written again before its writeback is "
    "completed by the same I/O. Not followed: mmap; and by tracepoints aio, io_uring and copy_file_range, and files of "
    "overlayfs (the functions see them below it). At most 64 MiB of one write are marked. On dm-crypt the upper half "
    "is seen only. With --every, counting is exact while one thread writes at a time.";

constexpr Option kOptions[] = {
    {.name = "sample",
     .value = "1/N",
     .kind = OptionKind::kOneIn,
     .help = "take one write in N, at random",
     .low = 1,
     .high = 1'000'000'000,
     .fallback = "1/1000"},
    {.name = "every",
     .value = "N",
     .kind = OptionKind::kNumber,
     .help = "take the N-th, 2N-th, ... write instead, for tests",
     .low = 1,
     .high = 1'000'000'000},
    {.name = "limit",
     .value = "N",
     .kind = OptionKind::kNumber,
     .help = "end after N samples",
     .low = 1,
     .high = 1'000'000'000},
    {.name = "min-latency",
     .value = "TIME",
     .kind = OptionKind::kDuration,
     .help = "show only samples whose system call took at least TIME"},
    {.name = "path",
     .value = "PATH",
     .kind = OptionKind::kText,
     .help = "only this file, or files below this directory"},
    {.name = "window",
     .value = "TIME",
     .kind = OptionKind::kDuration,
     .help = "take samples only for TIME out of every --every-window; nothing is attached in between",
     .low = 1'000'000'000},
    {.name = "every-window",
     .value = "TIME",
     .kind = OptionKind::kDuration,
     .help = "from the beginning of a window to that of the next",
     .low = 2'000'000'000,
     .fallback = "10s"},
    {.name = "via",
     .value = "auto|functions|tracepoints",
     .kind = OptionKind::kChoice,
     .help = "which hooks; auto takes functions where the host permits them",
     .fallback = "auto"},
};

constexpr std::string_view kLosses[] = {"no room for pages", "no room for bios", "too many sampled calls at once",
                                        "write larger than 64 MiB"};

void set_knobs(const Values &values, Object &object) {
  object.set_knob("every", static_cast<uint32_t>(values.number("every")));
  object.set_knob("period", static_cast<uint32_t>(values.number("sample")));
  object.set_knob("limit", values.number("limit"));
  if (values.given("path")) set_root(object, values.text("path"));
}

void prepare(Object &object) { choose_way(object, "auto"); }
const Blueprint kLoads[] = {{.elf = follow_bpf::elf_bytes, .hooks = kFollowHooks, .prepare = prepare}};

int report(Session &session, const std::vector<Loss> &losses, const Summary &summary) {
  session.report(losses);
  session.out().summary(summary);
  return session.finish();
}

int run(const Values &values, Session &session) {
  if (values.duration_ns("window") >= values.duration_ns("every-window"))
    throw usage_error("--window must be shorter than --every-window");
  Skeleton<follow_bpf> skel;
  Object object(skel->skeleton, kFollowHooks);
  const Way way = choose_way(object, values.text("via"));
  set_knobs(values, object);
  session.prepare(object);
  Windows windows(object, skel->bss->sampling, values.duration_ns("window"), values.duration_ns("every-window"));

  const uint64_t limit = values.number("limit"), slow_ns = values.duration_ns("min-latency");
  Chain chain(way.until_writeback(), [&](const Sample &sample) {
    if (sample.seen_ns >= slow_ns) session.out().sample(sample);
  });
  Ring ring(object.map_fd("events"));
  DiskNames disks(chain.disks());
  const auto take = [&](const void *record, size_t size) {
    const auto &hop = *static_cast<const follow_hop *>(record);
    if (follow_disk disk; disks.next(hop, disk)) session.out().record(kDiskWire, &disk);
    session.out().record(wire_of(hop), record);
    chain.take(record, size);
  };
  const auto drain = [&] {
    while (ring.consume(take) != 0) {
    }
    if (limit != 0 && chain.ended() >= limit) session.loop().stop();
  };
  session.loop().watch(ring.fd(), drain);
  session.loop().every(Ring::kFlushNs, [&] {
    drain();
    windows.tick(monotonic_ns(), chain);
  });
  session.begin();
  session.out().record(kWayWire, &way.record);
  windows.open(monotonic_ns());
  session.run();
  windows.close();
  drain();

  std::vector<Loss> losses = object.losses(kLosses);
  const follow_sampled sampled = {.sampled = skel->bss->n_sampled};
  session.out().record(kSampledWire, &sampled);
  chain.end(sampled.sampled, losses);
  add_missed(chain, losses);
  return report(session, losses, summary_of(chain, way.record.text));
}

int replay(Recording &recording, Session &session) {
  session.begin(recording.clocks());
  const Replayed run = replay_follow(recording, [&](const Sample &sample) { session.out().sample(sample); });
  if (!run.whole) fprintf(stderr, "the recording was cut short: this is what is there\n");
  return report(session, run.losses, run.summary);
}

}  // namespace

extern const Tool tool_follow = {
    .name = "follow",
    .summary = "follow one write in N through every layer down to the device and back",
    .manual = kManual,
    .operands = kOperands,
    .options = kOptions,
    .formats = kSampleFormats,
    .loads = kLoads,
    .run = run,
    .replay = replay,
};

}  // namespace strata
