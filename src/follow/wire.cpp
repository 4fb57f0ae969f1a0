// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/wire.h"

namespace strata {
namespace {

constexpr Field kAttachModeFields[] = {
    {STORED(follow_attach_mode, until_writeback)},
    {STORED(follow_attach_mode, text)},
};
constexpr Field kSampledFields[] = {{STORED(follow_sampled, sampled)}, {STORED(follow_sampled, submits)}};

}  // namespace

const RecordType kAttachModeRecord =
    about(About::kAllThatFollows, record_type<follow_attach_mode>("way", kAttachModeFields));
const RecordType kSampledRecord = record_type<follow_sampled>("sampled", kSampledFields);

follow_attach_mode attach_mode_of(const std::string &text, bool until_writeback) {
  follow_attach_mode mode = {.until_writeback = until_writeback, .text = {}};
  text.copy(mode.text, sizeof(mode.text) - 1);
  return mode;
}

}  // namespace strata
