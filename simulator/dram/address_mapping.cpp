#include "simulator/dram/address_mapping.h"

#include <bit>

namespace nplab::simulator::dram {
namespace {

constexpr std::array kMappings{
    MappingRow{
        "row_rank_bank_column_group_channel",
        {Field::kChannel, Field::kGroup, Field::kColumn, Field::kBank, Field::kRank, Field::kRow},
        false,
        "neighbouring bursts alternate channels and bank groups: streams reach the peak"},
    MappingRow{
        "row_column_rank_bank_group_channel",
        {Field::kChannel, Field::kGroup, Field::kBank, Field::kRank, Field::kColumn, Field::kRow},
        false,
        "neighbouring bursts lie in different banks: for closed pages"},
    MappingRow{
        "row_channel_rank_bank_group_column",
        {Field::kColumn, Field::kGroup, Field::kBank, Field::kRank, Field::kChannel, Field::kRow},
        false,
        "a row's bursts are neighbours: streams stay in one bank and wait tCCD_L"},
    MappingRow{
        "row_rank_bank_column_group_channel_permuted",
        {Field::kChannel, Field::kGroup, Field::kColumn, Field::kBank, Field::kRank, Field::kRow},
        true,
        "as the first, with banks permuted by the row (Zhang and others 2000): rows at equal "
        "distances do not meet in one bank"},
};

}  // namespace

std::span<const MappingRow> mapping_rows() {
  return kMappings;
}

std::vector<std::string> choice_words(Mapping /*mapping*/) {
  std::vector<std::string> words;
  for (const MappingRow& row : kMappings)
    words.emplace_back(row.name);
  return words;
}

AddressMapping::AddressMapping(Mapping mapping, const Organization& organization)
    : permuted_(kMappings[static_cast<std::size_t>(mapping)].permuted),
      group_bits_(static_cast<unsigned>(std::countr_zero(organization.groups))) {
  const std::array<unsigned, kFields> sizes{organization.channels, organization.ranks,
                                            organization.groups,   organization.banks,
                                            organization.rows,     organization.columns};
  unsigned shift = 0;
  for (const Field field : kMappings[static_cast<std::size_t>(mapping)].from_low) {
    const unsigned size = sizes[static_cast<unsigned>(field)];
    bits_[static_cast<unsigned>(field)] = {shift, size - 1};
    shift += static_cast<unsigned>(std::countr_zero(size));
  }
  bursts_ = std::uint64_t{1} << shift;
}

AddressMapping::Target AddressMapping::target(std::uint64_t burst) const {
  Target target{
      value(Field::kChannel, burst),
      {value(Field::kRank, burst), value(Field::kGroup, burst), value(Field::kBank, burst),
       value(Field::kRow, burst), value(Field::kColumn, burst)}};
  if (permuted_) {
    const auto mask = [this](Field field) {
      return static_cast<unsigned>(bits_[static_cast<unsigned>(field)].mask);
    };
    target.place.group ^= target.place.row & mask(Field::kGroup);
    target.place.bank ^= target.place.row >> group_bits_ & mask(Field::kBank);
  }
  return target;
}

}  // namespace nplab::simulator::dram
