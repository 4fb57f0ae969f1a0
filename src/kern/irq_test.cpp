// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/irq.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

#include "base/test.h"

namespace strata {

TEST_CASE("names of interrupts, of one CPU and of several, by the formats of several kernels") {
  Lines file = Lines::of(
      "           CPU0       CPU1\n"
      "  1:          0          9   IO-APIC   1-edge      i8042\n"
      " 16:         12          0   IO-APIC  16-fasteoi   i801_smbus, ehci_hcd:usb1\n"
      " 36:          0    5056635 PCI-MSIX-0000:00:02.0   1-edge      virtio1-req.0\n"
      " 40:          0          0\n"
      "NMI:          0          0   Non-maskable interrupts\n"
      "4294967296:   0          0   IO-APIC   1-edge      too large\n"
      "\n");
  const auto names = irq_names(file);
  CHECK(names.size() == 3);
  CHECK(names.at(1) == "i8042");
  CHECK(names.at(16) == "i801_smbus, ehci_hcd:usb1");
  CHECK(names.at(36) == "virtio1-req.0");
}

TEST_CASE("how CPUs of arm64 call each other") {
  Lines file = Lines::of(
      " 11:       2024       1907     GICv3  27 Level     arch_timer\n"
      "IPI0:        51         83  Rescheduling interrupts\n"
      "IPI1:       537        514  Function call interrupts\n"
      " Err:          0\n");
  CHECK(ipi_names(file) == std::vector<std::string>{"Rescheduling interrupts", "Function call interrupts"});
  namespace fs = std::filesystem;
  char folder[] = "/tmp/strata-irqs-XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  for (const auto &[number, action] : {std::pair("2", "IPI"), {"10", "IPI"}, {"1", ""}, {"11", "arch_timer"}}) {
    fs::create_directory(fs::path(folder) / number);
    std::ofstream(fs::path(folder) / number / "actions") << action << "\n";
  }
  CHECK(irqs_of("IPI", folder) == std::vector<uint32_t>{2, 10});
  fs::remove_all(folder);
  CHECK(irqs_of("IPI", folder).empty());
}

TEST_CASE("an interrupt that nobody knows") {
  Irqs irqs("");
  CHECK(irqs.name(24) == "irq 24");
  irqs.set(24, "nvme0q0");
  CHECK(irqs.name(24) == "nvme0q0");
  CHECK(softirq_name(3) == "NET_RX");
  CHECK(softirq_name(10) == "softirq 10");
}

}  // namespace strata
