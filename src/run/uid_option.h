// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// -u USER, of the tools that know whose user an event is.
#pragma once

#include "cli/option.h"
#include "kern/users.h"

namespace strata {

bool uid_of_name(std::string_view name, uint64_t &uid);  // of /etc/passwd

// What an entry does not say is as usual.
constexpr Option uid_option(Option option) {
  option.name = "uid";
  option.short_name = 'u';
  option.value = "USER";
  option.kind = OptionKind::kNumber;
  option.high = UINT32_MAX;
  option.named = uid_of_name;
  option.names = "a user of /etc/passwd";
  option.candidates = user_names;
  return option;
}

}  // namespace strata
