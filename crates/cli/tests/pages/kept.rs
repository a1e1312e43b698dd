//! Pages of expected output, and the one way to compare with them.
//!
//! `SNAPSHOTS=overwrite` writes them again, and a reviewer reads the difference. Nothing in a page may depend on a
//! version number, a duration, a folder or a terminal. It is separate so that every test program keeps its pages here.

use std::path::Path;

/// Compares a text with the page that is kept under this name.
pub fn kept(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages").join(name);
    let text = text.replace(env!("CARGO_PKG_VERSION"), "VERSION");
    let assert = snapbox::Assert::new().action_env("SNAPSHOTS");
    assert.eq(
        snapbox::Data::text(text).raw(),
        snapbox::Data::read_from(&path, Some(snapbox::data::DataFormat::Text)).raw(),
    );
}
