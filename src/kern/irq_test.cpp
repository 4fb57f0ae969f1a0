// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/irq.h"

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

TEST_CASE("an interrupt that nobody knows") {
  Irqs irqs("");
  CHECK(irqs.name(24) == "irq 24");
  irqs.set(24, "nvme0q0");
  CHECK(irqs.name(24) == "nvme0q0");
  CHECK(softirq_name(3) == "NET_RX");
  CHECK(softirq_name(10) == "softirq 10");
}

}  // namespace strata
