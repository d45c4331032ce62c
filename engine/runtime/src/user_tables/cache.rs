//! Manifests that were read before: every query asks what its user's tables and the labels are, and they seldom change.

use std::collections::HashMap;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use super::manifest::Manifest;
use quarry_types::Result;

/// Folders that are remembered at most.
const MOST: usize = 256;
/// A manifest that is younger may change again without a later time of change: file systems count in milliseconds.
const SETTLED: Duration = Duration::from_secs(1);

/// A manifest is replaced as a whole, so what a file of the same number, length and time holds is known.
type Stamp = (u64, u64, SystemTime);
type Known = HashMap<PathBuf, (Stamp, Arc<Manifest>)>;

/// Manifests by folder. Clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct Manifests(Arc<Mutex<Known>>);

impl Manifests {
    /// What a folder's manifest says now, also when another process wrote it.
    pub fn read(&self, folder: &Path) -> Result<Arc<Manifest>> {
        let Some(stamp) = stamp(folder) else { return Ok(Arc::new(Manifest::read(folder)?)) };
        let held = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, manifest)) = held().get(folder).filter(|(known, _)| *known == stamp) {
            return Ok(manifest.clone());
        }
        let manifest = Arc::new(Manifest::read(folder)?);
        if stamp.2.elapsed().is_ok_and(|age| age >= SETTLED) {
            let mut held = held();
            if held.len() >= MOST {
                held.clear();
            }
            held.insert(folder.to_path_buf(), (stamp, manifest.clone()));
        }
        Ok(manifest)
    }
}

fn stamp(folder: &Path) -> Option<Stamp> {
    let of = |data: Metadata| Some((data.ino(), data.len(), data.modified().ok()?));
    std::fs::metadata(Manifest::file(folder)).ok().and_then(of)
}

#[cfg(test)]
mod tests {
    use std::fs::{File, write};

    use super::*;

    fn at(tables: &str, folder: &Path, age: Duration) {
        let file = Manifest::file(folder);
        write(&file, format!("{{\"tables\": {{{tables}}}}}")).unwrap();
        File::options().write(true).open(file).unwrap().set_modified(SystemTime::now() - age).unwrap();
    }

    #[test]
    fn a_manifest_is_read_again_when_it_changed() {
        const TABLE: &str = r#""a": {"schema": "", "files": [], "created": 1, "modified": 1}"#;
        let dir = tempfile::tempdir().unwrap();
        let manifests = Manifests::default();
        let names = || manifests.read(dir.path()).unwrap().tables.len();
        assert_eq!(names(), 0);
        at("", dir.path(), Duration::from_secs(60));
        assert_eq!(names(), 0);
        let first = manifests.read(dir.path()).unwrap();
        assert!(Arc::ptr_eq(&first, &manifests.read(dir.path()).unwrap()));
        // What has just been written may be written again within the same tick.
        at(TABLE, dir.path(), Duration::ZERO);
        assert_eq!(names(), 1);
        assert!(!Arc::ptr_eq(&manifests.read(dir.path()).unwrap(), &manifests.read(dir.path()).unwrap()));
        at(TABLE, dir.path(), Duration::from_secs(30));
        assert_eq!(names(), 1);
        std::fs::remove_file(Manifest::file(dir.path())).unwrap();
        assert_eq!(names(), 0);
    }
}
