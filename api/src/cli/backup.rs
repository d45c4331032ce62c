//! `quarry backup` and `quarry restore`: the platform database and the uploads as one compressed file of JSON lines.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, bail};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clap::Args;
use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use super::CliError;
use super::home::Home;
use crate::config::Settings;
use crate::db::{Db, dump};
use crate::keys;
use crate::time::{now_ms, text};

const UPLOADS: &str = "uploads";
/// Version of the file's form.
const FORM: u64 = 1;

#[derive(Debug, Args)]
pub struct Words {
    /// The backup.
    file: PathBuf,
}

/// Writes the backup; a server may run meanwhile.
pub async fn backup(settings: Settings, words: Words) -> Result<(), CliError> {
    let home = Home::open(&settings.home)?;
    let db = home.database(&settings).await?;
    let written = write(&db, &home.dir().join(UPLOADS), &words.file).await;
    db.close().await;
    let (rows, files) = written.map_err(|error| failed("written", &error))?;
    println!("{}: {rows} rows, {files} files", words.file.display());
    Ok(())
}

/// Puts a backup in the place of the platform database and the uploads; no server may run on the home or the database. Sessions
/// don't come back, since some may have been ended for a reason; keys do, and whoever restores is told how many.
pub async fn restore(settings: Settings, words: Words) -> Result<(), CliError> {
    let home = Home::open(&settings.home)?;
    let _lock = home.lock()?;
    let db = home.database_to_restore(&settings).await?;
    let read = read(&db, &home.dir().join(UPLOADS), &words.file).await;
    let keys = keys::count(&db).await;
    db.close().await;
    let (rows, files) = read.map_err(|error| failed("restored", &error))?;
    let keys = keys.map_err(|error| failed("restored", &error.into()))?;
    println!("{}: {rows} rows, {files} files", words.file.display());
    println!(
        "Everybody logs in again. API keys that work again: {keys}, with those that were deleted since the backup."
    );
    Ok(())
}

fn failed(what: &str, error: &anyhow::Error) -> CliError {
    CliError::Failed(format!("The backup can't be {what}: {error:#}."))
}

async fn write(db: &Db, uploads: &Path, file: &Path) -> anyhow::Result<(u64, u64)> {
    // Whoever stops in between leaves no half backup behind, and two at once don't write into each other. It holds password
    // hashes, so it is its owner's alone, which such files are.
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let beside = NamedTempFile::new_in(folder)?;
    let mut out = GzEncoder::new(BufWriter::new(beside), Compression::fast());
    let head = json!({"quarry": env!("CARGO_PKG_VERSION"), "form": FORM, "made": text(now_ms())});
    writeln!(out, "{head}")?;
    let rows = dump::write(db, &mut out).await?;
    // Files are written before their rows and never change, so those of every row read above are there.
    let files = write_files(uploads, uploads, &mut out)?;
    let beside = out.finish()?.into_inner().map_err(|error| error.into_error())?;
    beside.as_file().sync_all()?;
    beside.persist(file)?;
    Ok((rows, files))
}

fn write_files(root: &Path, folder: &Path, out: &mut impl Write) -> anyhow::Result<u64> {
    let mut count = 0;
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(error.into()),
    };
    for entry in entries {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            count += write_files(root, &entry.path(), out)?;
        } else if kind.is_file() {
            // A file that somebody removed since is not missed.
            let Ok(bytes) = fs::read(entry.path()) else { continue };
            let path = entry.path().strip_prefix(root)?.to_string_lossy().into_owned();
            writeln!(out, "{}", json!({"file": path, "bytes": STANDARD.encode(bytes)}))?;
            count += 1;
        }
    }
    Ok(count)
}

async fn read(db: &Db, uploads: &Path, file: &Path) -> anyhow::Result<(u64, u64)> {
    let mut lines = BufReader::new(GzDecoder::new(BufReader::new(File::open(file)?)));
    let mut head = String::new();
    let head = lines.read_line(&mut head).ok().and_then(|_| serde_json::from_str::<Value>(&head).ok());
    match head.as_ref().and_then(|head| head.get("form")).and_then(Value::as_u64) {
        Some(FORM) => {}
        Some(form) => bail!("it has the form {form}, which this version does not know"),
        None => bail!("it is no backup of Quarry"),
    }
    let mut files = 0;
    let rows = dump::read(db, lines, |line| {
        let Some(path) = line.get("file").and_then(Value::as_str) else { return Ok(false) };
        write_file(uploads, path, line)?;
        files += 1;
        Ok(true)
    })
    .await?;
    Ok((rows, files))
}

fn write_file(uploads: &Path, path: &str, line: &Value) -> anyhow::Result<()> {
    let inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    if !inside {
        bail!("the file {path} would lie outside of the uploads");
    }
    let bytes = line.get("bytes").and_then(Value::as_str).context("a file has no content")?;
    let target = uploads.join(path);
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut out = OpenOptions::new().create(true).write(true).truncate(true).mode(0o600).open(target)?;
    out.write_all(&STANDARD.decode(bytes)?)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::ROLE_DEFAULT;
    use crate::auth::accounts::{self, NewAccount};
    use crate::auth::codes::{self, Purpose};
    use crate::auth::sessions::{self, LoginKind, NewSession};
    use crate::db::sqlite_url;
    use crate::http::Client;

    async fn database(folder: &Path) -> Db {
        Db::open(&sqlite_url(&folder.join("platform.db"))).await.unwrap()
    }

    async fn add(db: &Db, name: &str) {
        let new = NewAccount { user_name: name, password_hash: "h", role: ROLE_DEFAULT, email: None, phone: None };
        accounts::create(db, &new).await.unwrap();
    }

    #[tokio::test]
    async fn a_backup_is_restored_into_another_home() {
        let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let db = database(here.path()).await;
        add(&db, "ada").await;
        let client = Client { address: std::net::IpAddr::from([192, 0, 2, 1]), agent: String::new() };
        let session = NewSession {
            id: "s",
            user_id: 1,
            kind: LoginKind::Password,
            password_hash: "h",
            expires_at: i64::MAX,
            client: &client,
        };
        assert!(sessions::open(&db, &session).await.unwrap());
        codes::make(&db, "a@b.io", Purpose::Reset).await.unwrap().unwrap();
        let uploads = here.path().join(UPLOADS);
        fs::create_dir_all(uploads.join("avatar")).unwrap();
        fs::write(uploads.join("avatar/a.png"), b"\x89PNG\0").unwrap();
        let file = here.path().join("backup.gz");
        write(&db, &uploads, &file).await.unwrap();
        let left = fs::read_dir(here.path()).unwrap().count();
        let again = write(&db, &uploads, &file);
        let (first, second) = tokio::join!(write(&db, &uploads, &file), again);
        assert_eq!(
            (first.unwrap(), fs::read_dir(here.path()).unwrap().count()),
            (second.unwrap(), left),
            "two at once"
        );
        let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&file).unwrap().permissions());
        assert_eq!(mode & 0o777, 0o600);

        let other = database(there.path()).await;
        add(&other, "eve").await;
        let (_, files) = read(&other, &there.path().join(UPLOADS), &file).await.unwrap();
        assert_eq!(files, 1);
        assert_eq!(fs::read(there.path().join(UPLOADS).join("avatar/a.png")).unwrap(), b"\x89PNG\0");
        assert!(accounts::find(&other, "ada").await.unwrap().is_some());
        assert!(accounts::find(&other, "eve").await.unwrap().is_none());
        assert!(sessions::find(&other, "s").await.unwrap().is_none(), "it may have been ended since");
        assert!(codes::make(&other, "a@b.io", Purpose::Reset).await.unwrap().is_some(), "no code came along");
        add(&other, "bob").await;
        assert_eq!(accounts::find(&other, "bob").await.unwrap().unwrap().id, 2, "counters go on");
    }

    #[tokio::test]
    async fn a_damaged_backup_changes_nothing() {
        let home = tempfile::tempdir().unwrap();
        let db = database(home.path()).await;
        add(&db, "ada").await;
        let file = home.path().join("backup.gz");
        let head = format!("{{\"form\":{FORM}}}\n");
        let users = "{\"table\":\"users\",\"columns\":[\"id\",\"user_name\"]}\n";
        for lines in [
            String::new(),
            "nonsense".to_string(),
            "{\"form\":99}\n".to_string(),
            format!("{head}{{\"table\":\"nothing\",\"columns\":[\"a\"]}}\n"),
            format!("{head}[1]\n"),
            format!("{head}{users}[1]\n"),
            format!("{head}{users}[1,\"eve\"]\n"),
            format!("{head}{{\"table\":\"users\",\"columns\":[\"id) values (1); --\"]}}\n[1]\n"),
            format!("{head}{{\"file\":\"../evil\",\"bytes\":\"\"}}\n"),
        ] {
            let mut out = GzEncoder::new(File::create(&file).unwrap(), Compression::fast());
            out.write_all(lines.as_bytes()).unwrap();
            out.finish().unwrap();
            assert!(read(&db, &home.path().join(UPLOADS), &file).await.is_err(), "{lines}");
            assert!(accounts::find(&db, "ada").await.unwrap().is_some(), "{lines}");
        }
        fs::write(&file, "not compressed").unwrap();
        assert!(read(&db, home.path(), &file).await.is_err());
    }
}
