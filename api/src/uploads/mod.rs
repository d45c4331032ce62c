//! Files that users upload: checked by what is in them, written under names of our own, and found only by a path that is
//! in the database, so no path of a request ever reaches the file system by itself.

mod document;
mod orphans;
mod picture;
mod store;

use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::task::TaskTracker;
use utoipa::ToSchema;

use crate::auth::token::random_key;
use crate::db::Db;
use crate::http::ApiError;
use crate::time;

pub use document::LARGEST as LARGEST_DOCUMENT;
pub use picture::LARGEST as LARGEST_PICTURE;
pub use store::{FileRow, Filter, find, is_published, list};

/// What a file is for; also the folder it lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Scene {
    /// Pictures of users.
    Avatar,
    /// Screenshots of feedback.
    Feedback,
    WhitePaper,
}

impl Scene {
    pub const ALL: [Scene; 3] = [Scene::Avatar, Scene::Feedback, Scene::WhitePaper];

    pub fn name(self) -> &'static str {
        match self {
            Scene::Avatar => "avatar",
            Scene::Feedback => "feedback",
            Scene::WhitePaper => "white-paper",
        }
    }
}

/// A file on its way in.
#[derive(Debug)]
pub struct Incoming {
    pub scene: Scene,
    pub owner: i64,
    /// What the person calls it.
    pub name: String,
    pub bytes: Vec<u8>,
}

/// What was made of it.
struct Checked {
    bytes: Vec<u8>,
    media: &'static str,
    ending: &'static str,
}

/// The folder of uploads.
#[derive(Debug)]
pub struct Uploads {
    root: PathBuf,
    /// Decoding a picture takes up to 128 MiB.
    permits: Arc<Semaphore>,
    tasks: TaskTracker,
}

impl Uploads {
    /// Makes the folder when it is missing. `tasks` are those that the server waits for at its end.
    pub fn open(root: &Path, tasks: TaskTracker) -> io::Result<Uploads> {
        fs::create_dir_all(root)?;
        Ok(Uploads { root: root.canonicalize()?, permits: Arc::new(Semaphore::new(2)), tasks })
    }

    /// Checks a file and keeps it; answers its path.
    pub async fn keep(&self, db: &Db, file: Incoming) -> Result<String, ApiError> {
        let permit = self.permits.clone().acquire_owned().await.map_err(ApiError::internal)?;
        // It goes on when the client goes: a file without its row would be found, and removed, by nobody.
        let kept = self.tasks.spawn(keep(db.clone(), self.root.clone(), file, permit));
        kept.await.map_err(ApiError::internal)?
    }

    /// The content of a file.
    pub async fn read(&self, row: &FileRow) -> Result<Vec<u8>, ApiError> {
        let (root, path) = (self.root.clone(), row.path.clone());
        let read = tokio::task::spawn_blocking(move || read(&root, &path));
        match read.await.map_err(ApiError::internal)? {
            Ok(bytes) => Ok(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(ApiError::not_found("file")),
            Err(error) => Err(ApiError::internal(error)),
        }
    }

    /// Removes a file, its row, and what it was the picture of.
    pub async fn remove(&self, db: &Db, row: &FileRow) -> Result<(), ApiError> {
        store::remove(db, &row.path).await?;
        remove_file(&self.root.join(&row.path)).await
    }
}

async fn keep(db: Db, root: PathBuf, file: Incoming, permit: OwnedSemaphorePermit) -> Result<String, ApiError> {
    let Incoming { scene, owner, name, bytes } = file;
    let path = format!("{}/{}/{}", scene.name(), &time::text(time::now_ms())[..7], &random_key()[..32]);
    let shown = store::shown_name(&name);
    let folder = root.clone();
    let written = tokio::task::spawn_blocking(move || -> Result<(String, &'static str, usize), ApiError> {
        let _permit = permit;
        let checked = match scene {
            Scene::Avatar => picture::check(&name, &bytes, Some(picture::AVATAR))?,
            Scene::Feedback => picture::check(&name, &bytes, None)?,
            Scene::WhitePaper => document::check(bytes)?,
        };
        let path = format!("{path}.{}", checked.ending);
        write(&folder.join(&path), &checked.bytes).map_err(ApiError::internal)?;
        Ok((path, checked.media, checked.bytes.len()))
    });
    let (path, media, size) = written.await.map_err(ApiError::internal)??;
    let row = FileRow {
        path,
        scene: scene.name().to_string(),
        owner_id: owner,
        owner_name: String::new(),
        name: shown,
        media: media.to_string(),
        size: i64::try_from(size).unwrap_or(i64::MAX),
        created_at: time::now_ms(),
    };
    if let Err(error) = store::insert(&db, &row).await {
        remove_file(&root.join(&row.path)).await?;
        return Err(error.into());
    }
    Ok(row.path)
}

async fn remove_file(file: &Path) -> Result<(), ApiError> {
    match tokio::fs::remove_file(file).await {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(ApiError::internal(error)),
        _ => Ok(()),
    }
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// A link that somebody put into the folder does not lead out of it.
fn read(root: &Path, path: &str) -> io::Result<Vec<u8>> {
    let file = root.join(path).canonicalize()?;
    if !file.starts_with(root) {
        return Err(io::ErrorKind::NotFound.into());
    }
    let mut bytes = Vec::new();
    fs::File::open(file)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_does_not_lead_out_of_the_folder() {
        let home = tempfile::tempdir().unwrap();
        let root = home.path().canonicalize().unwrap().join("uploads");
        write(&root.join("avatar/x.png"), b"inside").unwrap();
        fs::write(home.path().join("secret"), "outside").unwrap();
        std::os::unix::fs::symlink(home.path().join("secret"), root.join("link")).unwrap();
        assert_eq!(read(&root, "avatar/x.png").unwrap(), b"inside");
        for path in ["link", "../secret", "/etc/hostname", "avatar/../../secret", "a\0b"] {
            assert!(read(&root, path).is_err(), "{path}");
        }
    }
}
