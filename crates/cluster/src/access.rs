//! How a cluster is reached: where its scheduler is, and the files that open its doors.

use std::path::PathBuf;

/// A cluster that works for a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterAccess {
    /// The address of its scheduler.
    pub scheduler: String,
    /// What opens its doors.
    pub keys: DoorKeys,
}

/// Files that open the doors of a cluster: a certificate, its key and the authority, or on one machine a secret.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DoorKeys {
    /// The certificate of this process, in PEM.
    pub cert: Option<PathBuf>,
    /// The private key of that certificate, in PEM.
    pub key: Option<PathBuf>,
    /// The authority whose certificates are let in, in PEM.
    pub ca: Option<PathBuf>,
    /// A secret that all processes of one machine share.
    pub secret: Option<PathBuf>,
}
