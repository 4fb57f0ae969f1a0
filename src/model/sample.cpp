// The words of an outcome.
#include "model/sample.h"

namespace strata {

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kCompleted:
      return "completed";
    case Outcome::kPending:
      return "not written back";
    case Outcome::kTruncated:
      return "truncated";
    case Outcome::kFailed:
      return "failed";
    case Outcome::kLost:
      return "lost";
  }
  return "";
}

}  // namespace strata
