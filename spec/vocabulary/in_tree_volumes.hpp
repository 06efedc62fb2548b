#pragma once

#include <array>
#include <string_view>

#include "spec/releases/release.hpp"

/// What is known of kinds of volumes by name.
namespace touchstone {

/// The kinds that some filter looks at.
inline constexpr std::array<std::string_view, 9> k_filtered_kinds = {"persistentVolumeClaim",
                                                                     "ephemeral",
                                                                     "gcePersistentDisk",
                                                                     "awsElasticBlockStore",
                                                                     "azureDisk",
                                                                     "cinder",
                                                                     "iscsi",
                                                                     "portworxVolume",
                                                                     "rbd"};

/// A kind of volume that was Kubernetes' own and is now a CSI driver's. Clauses: PRE-ATTACH-2, PRE-BIND-1.
struct InTreeKind {
  std::string_view kind;          ///< member of a volume's source
  std::string_view plugin;        ///< as provisioners and annotations name it
  std::string_view driver;        ///< its CSI driver
  std::string_view topology_key;  ///< of the driver's zones; empty: it translates none
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

/// How the allocatable resources begin that limit a CSI driver's volumes. Clauses: PRE-ATTACH-3.
inline constexpr std::string_view k_csi_limit_prefix = "attachable-volumes-csi-";

/// The labels of nodes and volumes that name zone and region; the beta ones are older.
inline constexpr const char* k_zone = "topology.kubernetes.io/zone";
inline constexpr const char* k_region = "topology.kubernetes.io/region";
inline constexpr const char* k_beta_zone = "failure-domain.beta.kubernetes.io/zone";
inline constexpr const char* k_beta_region = "failure-domain.beta.kubernetes.io/region";

}  // namespace touchstone
