#pragma once

#include <array>
#include <string_view>

#include "spec/releases/release.hpp"

/// Constants about kinds of volumes: the kinds that filters read, in-tree kinds with their CSI drivers, and
/// labels of zones.
namespace touchstone {

/// The kinds that at least one filter reads.
inline constexpr std::array<std::string_view, 9> k_filtered_kinds = {"persistentVolumeClaim",
                                                                     "ephemeral",
                                                                     "gcePersistentDisk",
                                                                     "awsElasticBlockStore",
                                                                     "azureDisk",
                                                                     "cinder",
                                                                     "iscsi",
                                                                     "portworxVolume",
                                                                     "rbd"};

/// A kind of in-tree volume that a CSI driver replaces (CSI migration). Clauses: PRE-ATTACH-2, PRE-BIND-1.
struct InTreeKind {
  std::string_view kind;          ///< field of the volume's source
  std::string_view plugin;        ///< its name in provisioners and annotations
  std::string_view driver;        ///< name of the CSI driver
  std::string_view topology_key;  ///< node label for the driver's zones; empty: zones are not translated
  Migration Release::* migration;
};

inline constexpr std::array<InTreeKind, 5> k_in_tree_kinds = {{
    {"gcePersistentDisk", "kubernetes.io/gce-pd", "pd.csi.storage.gke.io", "topology.gke.io/zone",
     &Release::migration_of_gce},
    {"awsElasticBlockStore", "kubernetes.io/aws-ebs", "ebs.csi.aws.com", "topology.ebs.csi.aws.com/zone",
     &Release::migration_of_ebs_and_azure},
    {"azureDisk", "kubernetes.io/azure-disk", "disk.csi.azure.com", "", &Release::migration_of_ebs_and_azure},
    {"cinder", "kubernetes.io/cinder", "cinder.csi.openstack.org", "topology.cinder.csi.openstack.org/zone",
     &Release::migration_of_cinder},
    {"portworxVolume", "kubernetes.io/portworx-volume", "pxd.portworx.com", "",
     &Release::migration_of_portworx},
}};

/// Prefix of the allocatable resources of a node that limit the volumes of a CSI driver. Clauses:
/// PRE-ATTACH-3.
inline constexpr std::string_view k_csi_limit_prefix = "attachable-volumes-csi-";

/// Labels of nodes and volumes that name their zone and region. The beta labels are the older ones.
inline constexpr const char* k_zone = "topology.kubernetes.io/zone";
inline constexpr const char* k_region = "topology.kubernetes.io/region";
inline constexpr const char* k_beta_zone = "failure-domain.beta.kubernetes.io/zone";
inline constexpr const char* k_beta_region = "failure-domain.beta.kubernetes.io/region";

}  // namespace touchstone
