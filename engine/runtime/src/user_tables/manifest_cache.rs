//! A cache of manifests: every query reads those of its user and of the labels, and they rarely change.

use std::collections::HashMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use super::manifest::Manifest;
use quarry_types::Result;

/// Manifests that are cached; one more empties the cache.
const MAX_CACHED: usize = 256;
/// Younger manifests are not cached: they may change again within the resolution of file times.
const MIN_AGE: Duration = Duration::from_secs(1);

/// Inode, length and time of change. A manifest is only ever replaced by a new file.
type Version = (u64, u64, SystemTime);
type Cached = HashMap<PathBuf, (Version, Arc<Manifest>)>;

/// Manifests by folder. Clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct ManifestCache(Arc<Mutex<Cached>>);

impl ManifestCache {
    /// The current manifest of a folder, also after another process wrote it.
    pub fn read(&self, folder: &Path) -> Result<Arc<Manifest>> {
        let Some(version) = version(folder) else { return Ok(Arc::new(Manifest::read(folder)?)) };
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, manifest)) = lock().get(folder).filter(|(cached, _)| *cached == version) {
            return Ok(manifest.clone());
        }
        let manifest = Arc::new(Manifest::read(folder)?);
        if version.2.elapsed().is_ok_and(|age| age >= MIN_AGE) {
            let mut cached = lock();
            if cached.len() >= MAX_CACHED {
                cached.clear();
            }
            cached.insert(folder.to_path_buf(), (version, manifest.clone()));
        }
        Ok(manifest)
    }
}

fn version(folder: &Path) -> Option<Version> {
    let metadata = std::fs::metadata(Manifest::file(folder)).ok()?;
    Some((metadata.ino(), metadata.len(), metadata.modified().ok()?))
}

#[cfg(test)]
mod tests {
    use std::fs::{File, write};

    use super::*;

    fn write_manifest(tables: &str, folder: &Path, age: Duration) {
        let file = Manifest::file(folder);
        write(&file, format!("{{\"tables\": {{{tables}}}}}")).unwrap();
        File::options().write(true).open(file).unwrap().set_modified(SystemTime::now() - age).unwrap();
    }

    #[test]
    fn changed_manifest_is_reloaded() {
        const TABLE: &str = r#""a": {"schema": "", "files": [], "created": 1, "modified": 1}"#;
        let dir = tempfile::tempdir().unwrap();
        let manifests = ManifestCache::default();
        let names = || manifests.read(dir.path()).unwrap().tables.len();
        assert_eq!(names(), 0);
        write_manifest("", dir.path(), Duration::from_secs(60));
        assert_eq!(names(), 0);
        let first = manifests.read(dir.path()).unwrap();
        assert!(Arc::ptr_eq(&first, &manifests.read(dir.path()).unwrap()));
        // A new manifest may change again within the resolution of file times.
        write_manifest(TABLE, dir.path(), Duration::ZERO);
        assert_eq!(names(), 1);
        assert!(!Arc::ptr_eq(&manifests.read(dir.path()).unwrap(), &manifests.read(dir.path()).unwrap()));
        write_manifest(TABLE, dir.path(), Duration::from_secs(30));
        assert_eq!(names(), 1);
        std::fs::remove_file(Manifest::file(dir.path())).unwrap();
        assert_eq!(names(), 0);
    }
}
