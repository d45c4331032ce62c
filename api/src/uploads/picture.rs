//! Pictures: of a known type by their content, of a bounded size, and written anew, so that nothing but pixels is kept.

use std::io::Cursor;
use std::path::Path;

use axum::http::StatusCode;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, guess_format};

use super::Checked;
use crate::http::ApiError;
use crate::http::error::{NOT_A_PICTURE, PICTURE_TOO_LARGE};

/// Largest file, in bytes: under 2 MB.
pub const LARGEST: usize = 2 * 1024 * 1024 - 1;
/// Longest side of an avatar that is kept, in pixels.
pub const AVATAR: u32 = 512;
/// Longest side that is decoded, in pixels.
const LONGEST_SIDE: u32 = 10_000;
/// Memory that decoding may take, in bytes.
const MEMORY: u64 = 128 * 1024 * 1024;

/// Checks a picture and writes it anew, made smaller to fit into a square of `fit` pixels.
pub fn check(name: &str, bytes: &[u8], fit: Option<u32>) -> Result<Checked, ApiError> {
    if bytes.len() > LARGEST {
        let msg = PICTURE_TOO_LARGE;
        return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "picture_too_large", msg).param("file"));
    }
    let ending = Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
    if !matches!(ending.as_str(), "jpg" | "jpeg" | "png" | "gif") {
        return Err(refused());
    }
    let format = guess_format(bytes).map_err(|_| refused())?;
    let (kept, media, ending) = match format {
        ImageFormat::Jpeg => (ImageFormat::Jpeg, "image/jpeg", "jpg"),
        ImageFormat::Png | ImageFormat::Gif => (ImageFormat::Png, "image/png", "png"),
        _ => return Err(refused()),
    };
    let (mut picture, orientation) = decode(bytes, format)?;
    if let Some(side) = fit.filter(|side| picture.width() > *side || picture.height() > *side) {
        picture = picture.thumbnail(side, side);
    }
    // Cameras write pictures as they hold them and say beside it how to turn them; only the pixels are kept.
    picture.apply_orientation(orientation);
    if kept == ImageFormat::Jpeg {
        // A JPEG knows no transparency.
        picture = DynamicImage::ImageRgb8(picture.into_rgb8());
    }
    let mut written = Cursor::new(Vec::new());
    picture.write_to(&mut written, kept).map_err(ApiError::internal)?;
    Ok(Checked { bytes: written.into_inner(), media, ending })
}

/// The pixels, and how they are to be turned.
fn decode(bytes: &[u8], format: ImageFormat) -> Result<(DynamicImage, Orientation), ApiError> {
    let mut limits = Limits::default();
    limits.max_image_width = Some(LONGEST_SIDE);
    limits.max_image_height = Some(LONGEST_SIDE);
    limits.max_alloc = Some(MEMORY);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits.clone());
    let mut decoder = reader.into_decoder().map_err(|_| refused())?;
    limits.reserve(decoder.total_bytes()).map_err(|_| refused())?;
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let picture = DynamicImage::from_decoder(decoder).map_err(|_| refused())?;
    Ok((picture, orientation))
}

fn refused() -> ApiError {
    ApiError::new(StatusCode::BAD_REQUEST, "not_a_picture", NOT_A_PICTURE).param("file")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut written = Cursor::new(Vec::new());
        DynamicImage::new_rgb8(width, height).write_to(&mut written, ImageFormat::Png).unwrap();
        written.into_inner()
    }

    #[test]
    fn a_picture_is_written_anew_and_made_to_fit() {
        let mut bytes = png(1024, 256);
        bytes.extend_from_slice(b"<script>alert(1)</script>");
        let kept = check("me.PNG", &bytes, Some(512)).unwrap();
        assert_eq!((kept.media, kept.ending), ("image/png", "png"));
        assert!(!kept.bytes.windows(7).any(|part| part == b"<script"));
        let picture = image::load_from_memory(&kept.bytes).unwrap();
        assert_eq!((picture.width(), picture.height()), (512, 128));
    }

    #[test]
    fn a_photo_is_turned_as_its_camera_says() {
        let mut written = Cursor::new(Vec::new());
        DynamicImage::new_rgb8(64, 16).write_to(&mut written, ImageFormat::Jpeg).unwrap();
        // Behind the start of the file: one entry, which says to turn it by a quarter.
        let mut photo = b"\xff\xd8\xff\xe1\x00\x22Exif\0\0II*\0\x08\0\0\0\x01\0".to_vec();
        photo.extend_from_slice(b"\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0");
        photo.extend_from_slice(&written.into_inner()[2..]);
        for (fit, size) in [(None, (16, 64)), (Some(32), (8, 32))] {
            let kept = check("photo.jpg", &photo, fit).unwrap();
            let picture = image::load_from_memory(&kept.bytes).unwrap();
            assert_eq!((picture.width(), picture.height()), size);
        }
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        let html = b"<html><script>alert(1)</script></html>".as_slice();
        let svg = b"<svg xmlns='http://www.w3.org/2000/svg'/>".as_slice();
        let cut = &png(64, 64)[..60];
        let bmp = b"BM\x1e\0\0\0\0\0\0\0".as_slice();
        for (name, bytes) in [("a.png", html), ("a.svg", svg), ("a.png", svg), ("a.png", cut), ("a.png", bmp)] {
            assert_eq!(check(name, bytes, None).err().unwrap().code, "not_a_picture", "{name}");
        }
        assert_eq!(check("a.html", &png(4, 4), None).err().unwrap().code, "not_a_picture");
        assert_eq!(check("a.png", &vec![0; LARGEST + 1], None).err().unwrap().code, "picture_too_large");
    }

    #[test]
    fn a_picture_of_too_many_pixels_is_refused() {
        // 9,000 × 9,000 pixels of one colour: a small file that would take 243 MB.
        let bomb = png(9_000, 9_000);
        assert!(bomb.len() < LARGEST, "{}", bomb.len());
        assert_eq!(check("a.png", &bomb, None).err().unwrap().code, "not_a_picture");
    }
}
