// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Who reads a ring buffer must get a CPU before those who fill it: beside 100 threads that do nothing but open files, a
// reader like them gets a fiftieth of a CPU, and loses nine records in ten.
//
// So it has the lowest real-time priority; where that is not permitted (RT_GROUP_SCHED gives the cgroup of a container
// no time), the highest of the others, nice -20. Of 2,000,000 opens by 100 threads were lost:
//
//   on two CPUs   nice 0: 1,906,000   nice -20: 305,000     real-time: none, and the threads took 2.7 s instead of 1.9
//   on one CPU    nice 0: 1,921,000   nice -20: 1,193,000   real-time: none
//
// The host bears it. The reader sleeps whenever the ring is empty; all other real-time tasks come before it, or in
// turn; and it leaves 5 % of each second (sched_rt_runtime_us; since 6.12 the fair server), which is more than one
// thread of nice 0 gets beside one of nice -20. In that flood a thread tied to one of the CPUs waited at most 216 ms
// without strata, 284 ms at nice 0, 360 ms at nice -20, 309 ms beside the real-time reader.
//
// A priority that somebody gave strata (nice, chrt) stays, and what was forked before has its own.
#pragma once

namespace strata {

class ReaderPriority {
 public:
  ReaderPriority();  // of the calling thread; refused, it changes nothing
  ReaderPriority(const ReaderPriority &) = delete;
  ReaderPriority &operator=(const ReaderPriority &) = delete;
  ~ReaderPriority();  // as it was

 private:
  bool raised_;
};

}  // namespace strata
