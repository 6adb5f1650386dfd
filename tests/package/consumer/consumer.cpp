// A program outside of nplab's checkout: runs BV1 for 500 packets and prints its rate.
#include <iostream>

#include "experiments/nplab.h"

int main() {
  nplab::experiments::ExperimentOptions options;
  options.packets = 500;
  nplab::Diagnostics diagnostics;
  const auto record = nplab::run_mapping("bv1", options, diagnostics);
  if (!record) {
    std::cerr << diagnostics.to_string();
    return 2;
  }
  std::cout << "bv1 receives " << record->rates_mbps.receive << " Mb/s\n";
  return record->failure ? 1 : 0;
}
