use std::fs::File;
use std::io::{Read, Write};

use super::*;

/// Writes a file of some length with its checksums.
fn written(path: &std::path::Path, length: usize) -> (Vec<u8>, Checksums) {
    let bytes: Vec<u8> = (0..length).map(|place| (place * 31 + place / 7) as u8).collect();
    let mut writer = ChecksumWriter::new(File::create(path).unwrap());
    for part in bytes.chunks(1000) {
        writer.write_all(part).unwrap();
    }
    let sums = writer.begin_tail();
    writer.write_all(&sums).unwrap();
    writer.write_all(b"the footer").unwrap();
    (bytes, writer.checksums())
}

#[test]
fn every_part_of_a_file_is_verified() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    for length in [0, 1, 4095, 4096, 4097, 20_000] {
        let (bytes, known) = written(&path, length);
        assert_eq!(known.file, xxh64(&std::fs::read(&path).unwrap()));
        let file = CheckedFile::new(File::open(&path).unwrap(), Some(known)).unwrap();
        for (from, to) in [(0, length), (0, length.min(1)), (length / 2, length), (length / 3, length / 2)] {
            assert_eq!(file.read(from as u64..to as u64).unwrap(), bytes[from..to], "{length}: {from} to {to}");
        }
        let all = std::fs::read(&path).unwrap();
        assert_eq!(file.read(0..all.len() as u64).unwrap(), all);
        assert!(file.read(0..all.len() as u64 + 1).is_err());
        assert!(file.read(all.len() as u64..all.len() as u64 + 1).is_err());
        let mut body = Vec::new();
        file.body().read_to_end(&mut body).unwrap();
        assert_eq!(body, bytes);
    }
}

#[test]
fn checksums_detect_every_bit_flip() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    let (bytes, known) = written(&path, 9000);
    let whole = std::fs::read(&path).unwrap();
    for place in (0..whole.len()).step_by(7).chain(whole.len() - 60..whole.len()) {
        let mut changed = whole.clone();
        changed[place] ^= 1 << (place % 8);
        std::fs::write(&path, &changed).unwrap();
        let file = CheckedFile::new(File::open(&path).unwrap(), Some(known));
        if place >= 9000 {
            assert!(file.is_err(), "{place}");
            continue;
        }
        let file = file.unwrap();
        assert!(file.read(0..9000).is_err(), "{place}");
        assert!(file.read(place as u64..place as u64 + 1).is_err(), "{place}");
        // Other blocks can be read.
        let other = if place < 4096 { 4096..9000 } else { 0..4096 };
        assert_eq!(file.read(other.start as u64..other.end as u64).unwrap(), bytes[other], "{place}");
    }
}

#[test]
fn text_checksums_detect_every_bit_flip() {
    let text = br#"{"rows":12}"#.to_vec();
    assert_eq!(strip_checksum(&text).unwrap(), text, "of an older version");
    let whole = append_checksum(text.clone());
    assert_eq!(strip_checksum(&whole).unwrap(), text);
    for place in 0..whole.len() {
        for bit in 0..8 {
            let mut changed = whole.clone();
            changed[place] ^= 1 << bit;
            let read =
                strip_checksum(&changed).ok().and_then(|text| serde_json::from_slice::<serde_json::Value>(text).ok());
            assert_eq!(read, None, "bit {bit} of byte {place}");
        }
    }
}
