//! What a server is told apart by from others on the same platform database: an id that its home keeps.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::auth::token::random_key;

const FILE: &str = "home.id";

/// The id of this home, which the first start makes.
pub fn id(home: &Path) -> io::Result<String> {
    let file = home.join(FILE);
    match fs::read_to_string(&file) {
        Ok(id) if !id.trim().is_empty() => return Ok(id.trim().to_string()),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let id = random_key();
    let mut beside = NamedTempFile::new_in(home)?;
    beside.write_all(id.as_bytes())?;
    beside.persist(&file).map_err(|error| error.error)?;
    Ok(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_home_keeps_its_id_and_another_has_its_own() {
        let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let first = id(here.path()).unwrap();
        assert_eq!(id(here.path()).unwrap(), first);
        assert_ne!(id(there.path()).unwrap(), first);
    }
}
