// What this host permits, and which tools run on it, as rows: about, name, state, detail.
#pragma once

#include <span>

namespace strata {

class Session;
struct Tool;

int run_doctor(Session &session, std::span<const Tool *const> tools);  // the exit status: 0, whatever is missing

}  // namespace strata
