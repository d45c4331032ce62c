//! White papers: PDF files without scripts, bounded in size.

use axum::http::StatusCode;

use super::Checked;
use crate::http::ApiError;

/// Largest file, in bytes.
pub const LARGEST: usize = 20 * 1024 * 1024;
/// The end mark stands within so many last bytes.
const TAIL: usize = 2048;
/// What would make a viewer run or open something.
const ACTIVE: [&[u8]; 4] = [b"/JavaScript", b"/Launch", b"/EmbeddedFile", b"/RichMedia"];

/// Checks a PDF file.
pub fn check(bytes: Vec<u8>) -> Result<Checked, ApiError> {
    if bytes.len() > LARGEST {
        let msg = "A white paper may have 20 MB.";
        return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "document_too_large", msg).param("file"));
    }
    let tail = &bytes[bytes.len().saturating_sub(TAIL)..];
    if !bytes.starts_with(b"%PDF-") || !contains(tail, b"%%EOF") {
        let msg = "A white paper must be a PDF file.";
        return Err(ApiError::new(StatusCode::BAD_REQUEST, "not_a_document", msg).param("file"));
    }
    if ACTIVE.iter().any(|active| contains(&bytes, active)) {
        let msg = "A white paper must not hold scripts or other files.";
        return Err(ApiError::new(StatusCode::BAD_REQUEST, "active_document", msg).param("file"));
    }
    Ok(Checked { bytes, media: "application/pdf", ending: "pdf" })
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_pdf_files_are_kept() {
        assert_eq!(check(b"%PDF-1.7\n1 0 obj\n%%EOF\n".to_vec()).unwrap().media, "application/pdf");
        for (bytes, code) in [
            (b"%PDF-1.7\n".to_vec(), "not_a_document"),
            (b"<html>%PDF-1.7 %%EOF".to_vec(), "not_a_document"),
            (b"%PDF-1.7 /OpenAction << /S /JavaScript >> %%EOF".to_vec(), "active_document"),
            (vec![b'%'; LARGEST + 1], "document_too_large"),
        ] {
            assert_eq!(check(bytes).err().unwrap().code, code);
        }
    }
}
