// Attach, print what comes, detach, print what is left, say what was lost.
#include "run/events.h"

#include "bpf/object.h"
#include "bpf/ring.h"
#include "run/session.h"
#include "run/tool.h"

namespace strata {

int run_events(Session &session, Object &object, size_t record_size, Row (*decode)(const void *record),
               std::span<const std::string_view> losses) {
  session.prepare(object);
  Ring ring(object.map_fd("events"));
  uint64_t short_records = 0;
  const auto drain = [&] {
    return ring.consume([&](const void *record, size_t size) {
      if (size >= record_size) {
        session.out().row(session.columns(), decode(record));
      } else {
        short_records++;
      }
    });
  };
  session.loop().watch(ring.fd(), drain);
  session.loop().every(Ring::kFlushNs, drain);
  object.attach();
  session.run();
  object.detach();
  while (drain() > 0) {
  }
  std::vector<Loss> lost = object.losses(losses);
  lost.push_back({.reason = "record shorter than expected", .count = short_records});
  session.report(std::move(lost));
  return session.finish();
}

}  // namespace strata
