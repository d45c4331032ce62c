//! A certificate that Quarry makes and signs itself, where the operator gives none: it encrypts, and proves nothing.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::{Certificate, Files};

/// The certificate in this file, which is made when it is missing.
pub fn self_made(file: &Path) -> Result<Certificate, String> {
    let files = Files { certificate: file.to_path_buf(), key: file.to_path_buf() };
    let bad = |why: String| format!("The TLS certificate {} can't be made: {why}.", file.display());
    if !file.exists() {
        let pem = make().map_err(|error| bad(error.to_string()))?;
        write(file, &pem).map_err(|error| bad(error.to_string()))?;
    }
    files.load()
}

fn make() -> Result<String, rcgen::Error> {
    let made = rcgen::generate_simple_self_signed(["localhost".to_string()])?;
    let key = encode("PRIVATE KEY", &made.signing_key.serialize_der());
    Ok(key + &encode("CERTIFICATE", made.cert.der()))
}

/// Written whole or not at all, and never readable for others.
fn write(file: &Path, pem: &str) -> std::io::Result<()> {
    let part = file.with_extension("part");
    match std::fs::remove_file(&part) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut out = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&part)?;
    out.write_all(pem.as_bytes())?;
    out.sync_all()?;
    std::fs::rename(&part, file)
}

/// PEM: base64 in lines of 64 characters.
fn encode(label: &str, der: &[u8]) -> String {
    let text = STANDARD.encode(der);
    let mut pem = format!("-----BEGIN {label}-----\n");
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let (line, more) = rest.split_at(rest.len().min(64));
        pem.push_str(line);
        pem.push('\n');
        rest = more;
    }
    pem + &format!("-----END {label}-----\n")
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn it_is_made_once_and_private() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("own.pem");
        self_made(&file).unwrap();
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        let made = std::fs::read(&file).unwrap();
        self_made(&file).unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), made);
    }
}
