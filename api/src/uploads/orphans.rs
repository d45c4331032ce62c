//! Files that no row names: those of a process that was killed between the two, and those that a backup that was restored does
//! not know. Nobody can find or remove them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{fs, io};

use super::{Scene, Uploads};
use crate::db::Db;

/// A younger file may still get its row.
const YOUNG: Duration = Duration::from_secs(86_400);

impl Uploads {
    /// Removes files without a row; tells how many. Those from before the database had its first account are another
    /// database's, in whose place this one stands, and stay.
    ///
    /// # Errors
    /// A database that does not answer, or a folder that can't be read.
    pub async fn collect(&self, db: &Db) -> anyhow::Result<usize> {
        let root = self.root.clone();
        let files = tokio::task::spawn_blocking(move || old_files(&root)).await??;
        let began: Option<i64> = sqlx::query_scalar("select min(created_at) from users").fetch_one(db.pool()).await?;
        let Some(began) = began.and_then(|began| u64::try_from(began).ok()).filter(|_| !files.is_empty()) else {
            return Ok(0);
        };
        let paths: Vec<String> = sqlx::query_scalar("select path from files").fetch_all(db.pool()).await?;
        let named: HashSet<PathBuf> = paths.iter().map(|path| self.root.join(path)).collect();
        let began = UNIX_EPOCH + Duration::from_millis(began);
        let mut removed = 0;
        for (path, _) in files.into_iter().filter(|(path, written)| *written > began && !named.contains(path)) {
            fs::remove_file(&path)?;
            removed += 1;
        }
        Ok(removed)
    }
}

/// Files in the folders that uploads are written into, `<scene>/<month>/`, and when they were written; the young ones are left
/// out.
fn old_files(root: &Path) -> io::Result<Vec<(PathBuf, SystemTime)>> {
    let mut files = Vec::new();
    for scene in Scene::ALL {
        for month in entries(&root.join(scene.name()))? {
            for path in entries(&month)? {
                let about = fs::symlink_metadata(&path)?;
                let written = about.modified()?;
                if about.is_file() && written.elapsed().is_ok_and(|age| age > YOUNG) {
                    files.push((path, written));
                }
            }
        }
    }
    Ok(files)
}

fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect(),
        // Nothing was uploaded for this, or somebody put a file here.
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}
