// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "gate/gate.h"

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <string>

#include "base/test.h"
#include "gate/baseline.h"
#include "gate/gates.h"

namespace strata {
namespace {

TEST_CASE("a gate has a metric, rows and a demand") {
  const Gate gate(" execs( file ~ '/(ba)?sh$' && comm != ')' ) == 0 ");
  CHECK(gate.text() == "execs( file ~ '/(ba)?sh$' && comm != ')' ) == 0");
  CHECK(gate.term() == "execs( file ~ '/(ba)?sh$' && comm != ')' )");
  CHECK(gate.metric().name == "execs");
  CHECK(gate.rows() == "file ~ '/(ba)?sh$' && comm != ')'");
  CHECK(gate.wanted() == "== 0");
  CHECK(gate.holds(0));
  CHECK_FALSE(gate.holds(1));
}

TEST_CASE("units are those of the metric") {
  CHECK(Gate("bytes_written <= 10MiB").holds(10 << 20));
  CHECK_FALSE(Gate("bytes_written <= 10MiB").holds((10 << 20) + 1));
  CHECK(Gate("p99(fsync) < 10ms").holds(9'999'999));
  CHECK_FALSE(Gate("p99(fsync) < 10ms").holds(10'000'000));
  CHECK(Gate("count(fsync) < 10").holds(9));
  CHECK(Gate("opens >= 2 && opens < 5").holds(4));
  CHECK_FALSE(Gate("opens >= 2 && opens < 5").holds(5));
  CHECK_FALSE(Gate("opens").demands());
}

TEST_CASE("a percentile needs values") {
  CHECK(Gate("p50(fsync)").least_values() == 20);
  CHECK(Gate("p95(fsync)").least_values() == 20);
  CHECK(Gate("p99(fsync)").least_values() == 100);
  CHECK(Gate("p99.9(fsync)").least_values() == 1000);
  CHECK(Gate("max(fsync)").least_values() == 1);
}

TEST_CASE("what is no gate") {
  for (const char *text :
       {"", "opns < 3", "opens <", "opens 2", "opens(", "opens(error == ENOENT", "opens(file ~ ')", "fsync < 3ms",
        "p99(opens) < 3", "p99(fsync) < 3", "p0(fsync)", "p100(fsync)", "p99(fsync", "p99()", "p99(p50(fsync)) < 1s",
        "opens < 3 && execs < 2", "opens < many", "= 3", "opens <= 3 )"}) {
    INFO(text);
    CHECK_THROWS(Gate(text));
  }
}

TEST_CASE("gates share the runs of tools") {
  const Gate gates[] = {Gate("p99(fsync)"), Gate("opens"), Gate("count(read)"), Gate("opens(fd) > 2"), Gate("fsyncs")};
  const std::vector<ToolRun> runs = tool_runs_of(gates);
  REQUIRE(runs.size() == 2);
  CHECK(runs[0].tool == "fsdist");
  CHECK(runs[0].arguments == std::vector<std::string>{"--by=process", "--op=fsync", "--op=read"});
  CHECK(runs[0].gates == std::vector<size_t>{0, 2, 4});
  CHECK(runs[1].gates == std::vector<size_t>{1, 3});
}

bool is_near(double a, double b) { return std::abs(a - b) < 1e-6; }

// By hand: of the last one the half, and half of the term in the middle, C(10,5)^2 / C(20,10).
TEST_CASE("the tail of Fisher's test") {
  CHECK(is_near(fisher_tail(2, 2, 0, 2), 1.0 / 6));   // both of two among 4
  CHECK(is_near(fisher_tail(3, 3, 1, 4), 4.0 / 35));  // C(4,3) C(3,0) / C(7,3)
  CHECK(is_near(fisher_tail(0, 10, 5, 10), 1));
  CHECK(is_near(fisher_tail(5, 10, 5, 10), 0.6718591));
  CHECK(fisher_tail(30, 100, 10, 100) < 0.001);
  CHECK(fisher_tail(15, 100, 10, 100) > 0.1);
}

Measurement of(uint64_t value, uint64_t count, uint64_t slow = 0) {
  Measurement measurement;
  measurement.values.add(value, count);
  if (slow != 0) measurement.values.add(100 * value, slow);
  return measurement;
}

TEST_CASE("a distribution is worse where much and certainly more is above the baseline's percentile") {
  const Gate gate("p90(fsync)");
  Baseline::Entry before;
  before.values = of(1'000'000, 1000, 50).values;
  const auto worse = [&](const Measurement &now) { return change_of(gate, before, {&now, 1}).worse; };
  CHECK_FALSE(worse(of(1'000'000, 1000, 50)));
  CHECK_FALSE(worse(of(1'000'000, 1000, 90)));  // the percentile is where it was
  CHECK(worse(of(1'000'000, 1000, 300)));
  CHECK_FALSE(worse(of(1'000'000, 8, 2)));  // may be chance
  CHECK_FALSE(worse(of(1'100'000, 1000)));  // certain, but little
  CHECK(worse(of(1'400'000, 1000)));
  CHECK_FALSE(worse(of(100'000, 1000)));
  before.percentiles = {1'000'000, 1'200'000};  // one of its runs was slow as a whole
  CHECK_FALSE(worse(of(1'400'000, 1000)));
  CHECK(worse(of(1'600'000, 1000)));
  before.percentiles = {1'000'000, 99'000'000, 1'200'000};  // and one by accident
  CHECK_FALSE(worse(of(1'400'000, 1000)));
  CHECK(worse(of(1'600'000, 1000)));
}

TEST_CASE("a baseline has the percentiles of its runs, of those with values enough") {
  const Gate gate("p90(fsync)");
  const Measurement runs[] = {of(1'000'000, 1000), of(1'200'000, 1000), of(9'000'000, 3)}, now = of(1'400'000, 1000);
  const std::string file = std::string(getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp") + "/strata-baseline-test";
  Baseline baseline;
  baseline.set(gate, runs);
  CHECK(baseline.find(gate)->percentiles.size() == 2);
  baseline.write(file);
  const Baseline again(file);
  unlink(file.c_str());
  CHECK(again.find(gate)->percentiles == baseline.find(gate)->percentiles);
  const Change change = change_of(gate, *again.find(gate), {&now, 1});
  CHECK_FALSE(change.worse);
  CHECK(change.before == again.find(gate)->values.percentile(90));
}

TEST_CASE("a count is worse if it is more than in each run of the baseline") {
  const Gate gate("opens");
  Baseline::Entry before;
  before.counts = {118, 120};
  const auto worse = [&](uint64_t number) {
    Measurement now;
    now.number = number;
    return change_of(gate, before, {&now, 1}).worse;
  };
  CHECK_FALSE(worse(117));
  CHECK_FALSE(worse(120));
  CHECK(worse(121));
}

}  // namespace
}  // namespace strata
