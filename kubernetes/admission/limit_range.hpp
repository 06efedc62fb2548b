#pragma once

#include <string>
#include <vector>

#include "kubernetes/admission/pod_limits.hpp"
#include "kubernetes/text/json.hpp"
#include "spec/vocabulary/cluster.hpp"

namespace touchstone::kubernetes {

/// An element of a LimitRange's spec.limits.
struct LimitRangeItem {
  std::string type;  ///< Container, Pod, PersistentVolumeClaim
  ResourceList max;
  ResourceList min;
  ResourceList default_limits;
  ResourceList default_requests;
  ResourceList max_ratio_milli;  ///< maxLimitRequestRatio, in thousandths
};

struct LimitRange {
  std::string ns;
  std::string name;
  std::vector<LimitRangeItem> items;
};

/// Reads a LimitRange. Errors: throws InvalidInput, as read_node.
LimitRange read_limit_range(const Value& value);

/// The defaults of plugin LimitRanger, plugin/pkg/admission/limitranger@v1.34.4. Gives containers the
/// requests and limits that they lack, from the items of type Container. Adds a note to `notes` for each
/// container that it changes.
void default_by_limit_ranges(const std::vector<LimitRange>& ranges, Pod& pod, PodLimits& limits,
                             std::vector<std::string>& notes);

/// The checks of plugin LimitRanger: minimum, maximum and ratio, of containers and of the pod as a whole.
/// Errors: throws InvalidInput (limit-range-exceeded) about `spec` or one of its containers.
void check_limit_ranges(const Value& spec, const std::vector<LimitRange>& ranges, const Pod& pod,
                        const PodLimits& limits);

}  // namespace touchstone::kubernetes
