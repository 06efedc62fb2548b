#pragma once

#include <array>
#include <string_view>

#include "kubernetes/text/json.hpp"
#include "spec/vocabulary/cluster.hpp"

/// Readers for objects that select pods: Services and controllers of pods.
namespace touchstone::kubernetes {

/// The names of a kind of selecting objects.
struct SelectingNames {
  SelectingKind kind;
  std::string_view key;  ///< its list in a question
  std::string_view name;
  std::string_view api_version;  ///< when written
};

/// In the order of SelectingKind.
extern const std::array<SelectingNames, 4> k_selecting_kinds;

/// The names of the kind with this `name`. Null for a kind of which no object selects pods.
const SelectingNames* selecting_kind(std::string_view name);

/// True if spec.selector of this kind is a map of labels, and not a LabelSelector.
bool selects_by_labels(SelectingKind kind);

/// Reads an object of this kind, of any version of its API.
/// Ensures: a missing selector is no value, and an empty one is an empty LabelSelector.
/// Errors: throws InvalidInput; as read_pdb.
SelectingObject read_selecting(const Value& value, const SelectingNames& names);

}  // namespace touchstone::kubernetes
