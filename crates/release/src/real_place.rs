//! Where a path leads, whatever it is called: links followed, `..` taken back, relative paths made whole.
//!
//! It looks at names and never into files, and must never say that two places differ because they are spelt in two
//! ways. It is separate because a reviewed plan and a policy compare places in the same way. Read
//! `session/four_eyes.rs` next.

use std::io;
use std::path::{Component, Path, PathBuf};

/// Returns where a path leads. What does not exist, such as a pattern or a folder that is to be made, keeps its name
/// behind what does; an error where that cannot be told.
pub(crate) fn real_place(path: &Path) -> io::Result<PathBuf> {
    let whole = std::path::absolute(path)?;
    let mut real = PathBuf::new();
    for part in whole.components() {
        match part {
            Component::Prefix(_) | Component::RootDir => real.push(part),
            Component::CurDir => {}
            // What stands before it has no links any more, so that the folder above is what its name says.
            Component::ParentDir => drop(real.pop()),
            Component::Normal(name) => {
                let next = real.join(name);
                real = match std::fs::canonicalize(&next) {
                    Ok(found) => found,
                    Err(error) if is_nothing_there(&error) => next,
                    // Something may be there that this cannot follow and others can: a path that is too long, for one.
                    Err(error) => return Err(error),
                };
            }
        }
    }
    Ok(real)
}

fn is_nothing_there(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn all_spellings_of_a_place_are_one() {
        let home = tempfile::tempdir().expect("a folder");
        let home = std::fs::canonicalize(home.path()).expect("a folder");
        std::fs::create_dir_all(home.join("data/hr")).expect("folders");
        std::fs::write(home.join("data/hr/p.csv"), "x").expect("a file");
        std::os::unix::fs::symlink(home.join("data/hr"), home.join("mine")).expect("a link");
        std::os::unix::fs::symlink(home.join("data/hr/p.csv"), home.join("p.txt")).expect("a link");
        let expected = home.join("data/hr/p.csv");
        for spelling in [
            "data/hr/p.csv",
            "data/../data/hr/p.csv",
            "data/./hr//p.csv",
            "mine/p.csv",
            "mine/../hr/p.csv",
            "p.txt",
            "data/nowhere/../hr/p.csv",
        ] {
            assert_eq!(real_place(&home.join(spelling)).expect("a place"), expected, "{spelling}");
        }
        assert_eq!(real_place(&home.join("mine/*.csv")).expect("a place"), home.join("data/hr/*.csv"));
        assert_eq!(real_place(&home.join("mine/new/out")).expect("a place"), home.join("data/hr/new/out"));
        // What is too long to be followed is no place that does not exist.
        assert!(real_place(&home.join("n".repeat(300))).is_err());
        let here = std::env::current_dir().and_then(std::fs::canonicalize).expect("a folder");
        assert_eq!(real_place(Path::new("out")).expect("a place"), here.join("out"));
    }
}
