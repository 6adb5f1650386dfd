// Results that a folder keeps by key (prepare/run_key.h), for studies and sweeps that go on where
// they stopped and share what they have. One file per result, KEY.json.gz: the record, compressed
// by gzip, whose header holds the name KEY.json.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/record/run_record.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

// A file of the store.
struct StoredResult {
  std::string key;
  std::string path;
  std::uint64_t bytes = 0;
  std::optional<reports::RunRecord> record;  // nothing when it does not verify
  std::string problem;                       // and why
};

// Any number of processes may use a store at once: a result appears complete, under its name, or
// not at all.
class ResultStore {
 public:
  // Makes the folder when it is not there. Nothing, and a diagnostic, when it cannot be made.
  static std::optional<ResultStore> open(const std::string& folder, Diagnostics& diagnostics);

  // The record that is kept under `key`. One that does not verify is a warning and is not there.
  [[nodiscard]] std::optional<reports::RunRecord> find(const std::string& key,
                                                       Diagnostics& diagnostics) const;
  // Puts the record there, or in the place of the one that is; what cannot be written is reported.
  void keep(const std::string& key, const reports::RunRecord& record,
            Diagnostics& diagnostics) const;

  // All results, by key, each read and verified: the compressed text's checksum, the name in its
  // header, the record's schema, and everything that holds in every record
  // (reports/analysis/invariants.h) unless the run failed.
  [[nodiscard]] std::vector<StoredResult> results() const;
  // What writers that were killed left, older than an hour.
  [[nodiscard]] std::vector<std::string> leftovers() const;

  [[nodiscard]] const std::string& folder() const { return folder_; }

 private:
  explicit ResultStore(std::string folder) : folder_(std::move(folder)) {}

  std::string folder_;
};

}  // namespace nplab::experiments
