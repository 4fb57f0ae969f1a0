// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/netdb.h"

namespace strata {

std::string eai_name(int32_t code) {
  switch (code) {
    case -1:
      return "EAI_BADFLAGS";
    case -2:
      return "EAI_NONAME";
    case -3:
      return "EAI_AGAIN";
    case -4:
      return "EAI_FAIL";
    case -5:
      return "EAI_NODATA";
    case -6:
      return "EAI_FAMILY";
    case -7:
      return "EAI_SOCKTYPE";
    case -8:
      return "EAI_SERVICE";
    case -9:
      return "EAI_ADDRFAMILY";
    case -10:
      return "EAI_MEMORY";
    case -11:
      return "EAI_SYSTEM";
    case -12:
      return "EAI_OVERFLOW";
    case -104:
      return "EAI_INTR";
    case -105:
      return "EAI_IDN_ENCODE";
    default:
      return "EAI " + std::to_string(code);
  }
}

std::string h_errno_name(int32_t code) {
  switch (code) {
    case 1:
      return "HOST_NOT_FOUND";
    case 2:
      return "TRY_AGAIN";
    case 3:
      return "NO_RECOVERY";
    case 4:
      return "NO_DATA";
    default:
      return "h_errno " + std::to_string(code);
  }
}

}  // namespace strata
