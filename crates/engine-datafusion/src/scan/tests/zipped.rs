//! Archives with one file, whole and damaged.
//!
//! A test must never unpack what an archive does not say. It is separate because every text format may be packed so.
//! Read `csv.rs` for the format inside.

use super::folder::{Folder, deflated, table, zipped};
use crate::file::zipped::NotOneFile;
use crate::scan::Fault;
use crate::source::{FileError, Files};
use incrowd_engine::Dialect;

const TEXT: &[u8] = b"a,b\n1,x\n2,y\n";

fn problem(folder: &Folder, name: &str) -> incrowd_engine::PrepareError {
    Files::resolve(&folder.path(name), &Dialect::default()).expect_err("a problem")
}

#[test]
fn an_archive_of_one_file_is_that_file() {
    let folder = Folder::new();
    folder.write("d.csv.zip", TEXT);
    folder.write_as_is("people.zip", &zipped(&[("folder/d.csv", TEXT), ("__MACOSX/folder/._d.csv", b"x")]));
    folder.write_as_is("deflated.zip", &deflated("d.csv", TEXT, TEXT.len() as u32));
    folder.write_as_is("lines.zip", &zipped(&[("d.ndjson", b"{\"a\":1,\"b\":\"x\"}\n{\"a\":2,\"b\":\"y\"}\n")]));
    for name in ["d.csv.zip", "people.zip", "deflated.zip", "lines.zip"] {
        assert_eq!(folder.rows(name, &["b", "a"]), Ok(table(&[&["x", "1"], &["y", "2"]])), "{name}");
    }
}

#[test]
fn other_archives_are_refused_before_the_charge() {
    let folder = Folder::new();
    let refused = |name: &str, why: NotOneFile| {
        let location = folder.path(name);
        assert_eq!(problem(&folder, name), FileError::NotOneFile { location, why }.into(), "{name}");
    };
    folder.write_as_is("two.zip", &zipped(&[("a.csv", TEXT), ("b.csv", TEXT)]));
    refused("two.zip", NotOneFile::Files(2));
    folder.write_as_is("none.zip", &zipped(&[]));
    refused("none.zip", NotOneFile::Files(0));
    let whole = deflated("d.csv", TEXT, TEXT.len() as u32);
    for cut in [1, 10, 22, 40, whole.len() - 4] {
        folder.write_as_is("part.zip", &whole[..whole.len() - cut]);
        refused("part.zip", NotOneFile::CutOff);
    }
    folder.write_as_is("text.zip", TEXT);
    refused("text.zip", NotOneFile::Damaged);
    // The bit that says that there is a password, in both places.
    let mut secret = whole.clone();
    for mark in [&b"PK\x03\x04"[..], b"PK\x01\x02"] {
        let place = secret.windows(4).position(|window| window == mark).expect("a mark");
        secret[place + if mark[2] == 3 { 6 } else { 8 }] |= 1;
    }
    folder.write_as_is("secret.zip", &secret);
    refused("secret.zip", NotOneFile::Unreadable);
    folder.write_as_is("deep.zip", &zipped(&[("d.csv.gz", TEXT)]));
    assert_eq!(problem(&folder, "deep.zip"), FileError::UnknownFormat { location: folder.path("deep.zip") }.into());
}

#[test]
fn a_file_that_is_not_what_the_archive_says_is_damage() {
    let folder = Folder::new();
    for said in [0, TEXT.len() as u32 - 1, TEXT.len() as u32 + 1, u32::MAX - 1] {
        folder.write_as_is("d.zip", &deflated("d.csv", TEXT, said));
        if let Ok(files) = Files::resolve(&folder.path("d.zip"), &Dialect::default()) {
            let read = super::folder::read(&files, &["a"], 1, 10, std::sync::Arc::new(incrowd_engine::Unwatched));
            assert_eq!(read.err(), Some(Fault::Damaged), "{said}");
        }
    }
    let mut wrong = deflated("d.csv", TEXT, TEXT.len() as u32);
    // Its sum, in both places.
    for mark in [&b"PK\x03\x04"[..], b"PK\x01\x02"] {
        let place = wrong.windows(4).position(|window| window == mark).expect("a mark");
        wrong[place + if mark[2] == 3 { 14 } else { 16 }] ^= 1;
    }
    folder.write_as_is("d.zip", &wrong);
    assert_eq!(folder.rows("d.zip", &["a"]), Err(Fault::Damaged), "its sum");
}

#[test]
fn a_bomb_is_bounded_by_the_records_in_it() {
    // A thousand times as long once it is unpacked, and one record without an end.
    let mut bomb = b"a\n\"".to_vec();
    bomb.resize(40 << 20, b'x');
    let folder = Folder::new();
    folder.write_as_is("d.zip", &deflated("d.csv", &bomb, bomb.len() as u32));
    assert_eq!(folder.rows("d.zip", &["a"]), Err(Fault::Damaged));
}
