#pragma once

#include "spec/releases/release.hpp"

/// The orders in which releases run their filters. Each inner list is a group of filters that report their
/// reasons together. PRE-FILTER-1, PRE-FILTER-2.
namespace touchstone {

/// The filter order of v1.10 and v1.11.
inline const std::vector<std::vector<Filter>> k_general_predicates = {
    {Filter::node_unschedulable},
    {Filter::node_resources_fit, Filter::node_name, Filter::node_ports, Filter::node_affinity},
    {Filter::volume_restrictions},
    {Filter::taint_toleration},
    {Filter::ebs_limits},
    {Filter::gce_pd_limits},
    {Filter::azure_disk_limits},
    {Filter::volume_binding},
    {Filter::volume_zone},
    {Filter::inter_pod_affinity}};

/// The filter order of v1.12 to v1.16.
inline const std::vector<std::vector<Filter>> k_csi_limits = {
    {Filter::node_unschedulable},
    {Filter::node_resources_fit, Filter::node_name, Filter::node_ports, Filter::node_affinity},
    {Filter::volume_restrictions},
    {Filter::taint_toleration},
    {Filter::ebs_limits},
    {Filter::gce_pd_limits},
    {Filter::node_volume_limits},
    {Filter::azure_disk_limits},
    {Filter::volume_binding},
    {Filter::volume_zone},
    {Filter::inter_pod_affinity}};

/// The filter order of v1.8 and v1.9.
inline const std::vector<std::vector<Filter>> k_all_predicates = {
    {Filter::node_unschedulable, Filter::node_resources_fit, Filter::node_name, Filter::node_ports,
     Filter::node_affinity, Filter::volume_restrictions, Filter::taint_toleration, Filter::ebs_limits,
     Filter::gce_pd_limits, Filter::azure_disk_limits, Filter::volume_zone, Filter::inter_pod_affinity}};

/// The filter order of v1.17.
inline const std::vector<std::vector<Filter>> k_resources_early = {
    {Filter::node_unschedulable}, {Filter::node_resources_fit}, {Filter::node_name},
    {Filter::node_ports},         {Filter::node_affinity},      {Filter::volume_restrictions},
    {Filter::taint_toleration},   {Filter::ebs_limits},         {Filter::gce_pd_limits},
    {Filter::node_volume_limits}, {Filter::azure_disk_limits},  {Filter::volume_binding},
    {Filter::volume_zone},        {Filter::inter_pod_affinity}};

/// The filter order of v1.18.
inline const std::vector<std::vector<Filter>> k_spread_last = {
    {Filter::node_unschedulable}, {Filter::node_resources_fit}, {Filter::node_name},
    {Filter::node_ports},         {Filter::node_affinity},      {Filter::volume_restrictions},
    {Filter::taint_toleration},   {Filter::ebs_limits},         {Filter::gce_pd_limits},
    {Filter::node_volume_limits}, {Filter::azure_disk_limits},  {Filter::volume_binding},
    {Filter::volume_zone},        {Filter::inter_pod_affinity}, {Filter::pod_topology_spread}};

/// The filter order of v1.19.
inline const std::vector<std::vector<Filter>> k_affinity_last = {
    {Filter::node_unschedulable}, {Filter::node_resources_fit},  {Filter::node_name},
    {Filter::node_ports},         {Filter::node_affinity},       {Filter::volume_restrictions},
    {Filter::taint_toleration},   {Filter::ebs_limits},          {Filter::gce_pd_limits},
    {Filter::node_volume_limits}, {Filter::azure_disk_limits},   {Filter::volume_binding},
    {Filter::volume_zone},        {Filter::pod_topology_spread}, {Filter::inter_pod_affinity}};

/// The filter order of v1.20 to v1.30.
inline const std::vector<std::vector<Filter>> k_unresolvable_first = {
    {Filter::node_unschedulable},  {Filter::node_name},           {Filter::taint_toleration},
    {Filter::node_affinity},       {Filter::node_ports},          {Filter::node_resources_fit},
    {Filter::volume_restrictions}, {Filter::ebs_limits},          {Filter::gce_pd_limits},
    {Filter::node_volume_limits},  {Filter::azure_disk_limits},   {Filter::volume_binding},
    {Filter::volume_zone},         {Filter::pod_topology_spread}, {Filter::inter_pod_affinity}};

/// The filter order of v1.31 to v1.35.
inline const std::vector<std::vector<Filter>> k_csi_limits_alone = {
    {Filter::node_unschedulable},  {Filter::node_name},           {Filter::taint_toleration},
    {Filter::node_affinity},       {Filter::node_ports},          {Filter::node_resources_fit},
    {Filter::volume_restrictions}, {Filter::node_volume_limits},  {Filter::volume_binding},
    {Filter::volume_zone},         {Filter::pod_topology_spread}, {Filter::inter_pod_affinity}};

/// The filter order of v1.36.
inline const std::vector<std::vector<Filter>> k_features_last = {
    {Filter::node_unschedulable},    {Filter::node_name},           {Filter::taint_toleration},
    {Filter::node_affinity},         {Filter::node_ports},          {Filter::node_resources_fit},
    {Filter::volume_restrictions},   {Filter::node_volume_limits},  {Filter::volume_binding},
    {Filter::volume_zone},           {Filter::pod_topology_spread}, {Filter::inter_pod_affinity},
    {Filter::node_declared_features}};

/// The filter order of v1.37 and later.
inline const std::vector<std::vector<Filter>> k_node_name_first = {{Filter::node_name},
                                                                   {Filter::node_unschedulable},
                                                                   {Filter::taint_toleration},
                                                                   {Filter::node_affinity},
                                                                   {Filter::node_ports},
                                                                   {Filter::node_resources_fit},
                                                                   {Filter::volume_restrictions},
                                                                   {Filter::node_volume_limits},
                                                                   {Filter::volume_binding},
                                                                   {Filter::volume_zone},
                                                                   {Filter::pod_topology_spread},
                                                                   {Filter::inter_pod_affinity},
                                                                   {Filter::node_declared_features}};

}  // namespace touchstone
