// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/datagram/hops.h"

#include "follow/recv/hops.h"
#include "follow/send/hops.h"

namespace strata {

namespace {

constexpr const Outcome *kOfSend[] = {&kCompleted, &kSent,    &kTaken,  &kCorked, &kSegmentNotRead,
                                      &kNotSent,   &kDropped, &kFailed, &kLost};
constexpr const Outcome *kOfRecv[] = {&kCompleted, &kSent,    &kTaken, &kSegmentNotRead, &kNotSent, &kNotDelivered,
                                      &kOfOthers,  &kDropped, &kLost};
constexpr std::string_view kDown[] = {"syscall", kUdp,          kNeighbour,    kQdisc,   kDeviceLayer, kForward,
                                      kPeerUdp,  kArrivalQueue, kReaderWakeUp, kCpuWait, kReader,      "drop"};
constexpr std::string_view kUp[] = {kDeviceLayer, kUdp,     kArrivalQueue, kReaderWakeUp, kCpuWait,
                                    kReader,      kForward, kNeighbour,    kQdisc,        "drop"};

std::string_view attributed_layer(const Hop &hop) { return hop.layer; }

}  // namespace

const Procedure kDatagramSendProcedure = {.outcomes = kOfSend, .layers = kDown, .attributed_layer = attributed_layer};
const Procedure kDatagramRecvProcedure = {.outcomes = kOfRecv, .layers = kUp, .attributed_layer = attributed_layer};

}  // namespace strata
