use super::*;

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn delivered(target: &Path, existing: Existing, content: &str) -> PathBuf {
    let aside = Aside::create(target, existing).expect("an aside");
    aside.write("certificate.json", content.as_bytes()).expect("written");
    aside.seal(0).expect("sealed").publish().expect("published").folder
}

fn content(target: &Path) -> String {
    fs::read_to_string(target.join("certificate.json")).expect("a file")
}

#[test]
fn a_delivered_folder_is_all_that_is_left() {
    let home = tempfile::tempdir().expect("a folder");
    let target = home.path().join("out");
    assert_eq!(delivered(&target, Existing::Refuse, "one"), target);
    assert_eq!(names(home.path()), ["out"]);
    assert_eq!(names(&target), ["certificate.json"]);
    assert_eq!(content(&target), "one");
}

#[test]
fn a_dropped_folder_leaves_nothing() {
    let home = tempfile::tempdir().expect("a folder");
    let target = home.path().join("out");
    let aside = Aside::create(&target, Existing::Refuse).expect("an aside");
    aside.write("counts.csv", b"1").expect("written");
    assert_eq!(names(home.path()).len(), 2);
    drop(aside);
    assert!(names(home.path()).is_empty());
    let sealed = Aside::create(&target, Existing::Refuse).expect("an aside").seal(0).expect("sealed");
    drop(sealed);
    assert!(names(home.path()).is_empty());
}

#[test]
fn what_exists_is_refused_before_and_after_counting() {
    let home = tempfile::tempdir().expect("a folder");
    let target = home.path().join("out");
    for appears in ["empty folder", "full folder", "file"] {
        let sealed = Aside::create(&target, Existing::Refuse).expect("an aside").seal(0).expect("sealed");
        match appears {
            "file" => fs::write(&target, "mine").expect("written"),
            "full folder" => {
                fs::create_dir(&target).expect("made");
                fs::write(target.join("mine"), "mine").expect("written");
            }
            _ => fs::create_dir(&target).expect("made"),
        }
        assert_eq!(sealed.publish().expect_err("refused"), FolderError::Exists, "{appears}");
        assert_eq!(Aside::create(&target, Existing::Refuse).expect_err("refused"), FolderError::Exists);
        assert_eq!(names(home.path()), ["out"]);
        if appears == "file" { fs::remove_file(&target) } else { fs::remove_dir_all(&target) }.expect("removed");
    }
}

#[test]
fn the_last_rename_alone_replaces_nothing_either() {
    let home = tempfile::tempdir().expect("a folder");
    let (from, to) = (home.path().join("from"), home.path().join("to"));
    fs::create_dir(&from).expect("made");
    fs::create_dir(&to).expect("made");
    assert_eq!(rename::into_free_name(&from, &to), Err(FolderError::Exists));
    assert_eq!(names(home.path()), ["from", "to"]);
}

#[test]
fn replacing_swaps_whole_folders_and_only_deliveries() {
    let home = tempfile::tempdir().expect("a folder");
    let target = home.path().join("out");
    delivered(&target, Existing::Replace, "one");
    delivered(&target, Existing::Replace, "two");
    assert_eq!(content(&target), "two");
    assert_eq!(names(home.path()), ["out"]);
    let mine = home.path().join("mine");
    fs::create_dir(&mine).expect("made");
    fs::write(mine.join("thesis.txt"), "years").expect("written");
    assert_eq!(Aside::create(&mine, Existing::Replace).expect_err("refused"), FolderError::NotADelivery);
    assert_eq!(names(home.path()), ["mine", "out"]);
}

/// What a killed process leaves: its folder and a lock that nobody holds.
fn killed(home: &Path, random: &str) -> Place {
    let place = Place::of(home, OsStr::new("out"), &home.join("out"), random);
    fs::create_dir(&place.folder).expect("made");
    fs::write(place.folder.join("counts.csv"), "half").expect("written");
    fs::write(&place.lock, "").expect("written");
    place
}

#[test]
fn what_a_killed_process_left_is_removed_and_what_a_living_one_has_is_not() {
    let home = tempfile::tempdir().expect("a folder");
    let target = home.path().join("out");
    killed(home.path(), "aaaaaa");
    let living = Aside::create(&target, Existing::Refuse).expect("an aside");
    let other = Aside::create(&target, Existing::Refuse).expect("an aside");
    assert_eq!(names(home.path()).len(), 4, "two folders and two locks");
    drop(living);
    drop(other);
    assert!(names(home.path()).is_empty());
}

#[test]
fn a_crash_between_two_renames_is_undone() {
    let home = tempfile::tempdir().expect("a folder");
    let target = home.path().join("out");
    delivered(&target, Existing::Refuse, "one");
    let place = killed(home.path(), "bbbbbb");
    fs::rename(&target, &place.old).expect("renamed");
    assert_eq!(Aside::create(&target, Existing::Refuse).expect_err("refused"), FolderError::Exists);
    assert_eq!(content(&target), "one");
    assert_eq!(names(home.path()), ["out"]);
}

#[test]
fn a_crash_after_the_renames_leaves_the_new_folder() {
    let home = tempfile::tempdir().expect("a folder");
    let target = home.path().join("out");
    delivered(&target, Existing::Refuse, "two");
    let place = killed(home.path(), "cccccc");
    fs::rename(&place.folder, &place.old).expect("renamed");
    delivered(&target, Existing::Replace, "three");
    assert_eq!(content(&target), "three");
    assert_eq!(names(home.path()), ["out"]);
}

#[test]
fn paths_that_name_no_folder_are_refused() {
    for path in ["", ".", "..", "/", "a/..", "a\nb", "\u{1b}[2J", "a\u{7}/b"] {
        assert_eq!(
            Aside::create(Path::new(path), Existing::Refuse).expect_err("refused"),
            FolderError::NotAName,
            "{path:?}"
        );
    }
    let long = "x".repeat(300);
    assert_eq!(Aside::create(Path::new(&long), Existing::Refuse).expect_err("refused"), FolderError::NotAName);
    let home = tempfile::tempdir().expect("a folder");
    let missing = home.path().join("missing").join("out");
    assert_eq!(Aside::create(&missing, Existing::Refuse).expect_err("refused"), FolderError::NoParent);
    // A trailing slash is how shells complete names; spaces, quotes and dots are names like others.
    for name in ["out/", "a b 'c' \"d\"", "...", "-rf", "$(x)", "übung 🎈"] {
        let target = home.path().join(name);
        delivered(&target, Existing::Refuse, "x");
        assert_eq!(content(&target), "x");
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written_to_is_found_out_at_once() {
    use std::os::unix::fs::PermissionsExt;
    let home = tempfile::tempdir().expect("a folder");
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o555)).expect("set");
    let made = Aside::create(&home.path().join("out"), Existing::Refuse);
    // Whoever runs the tests as root may write anywhere.
    if let Err(error) = made {
        assert_eq!(error, FolderError::Write(WriteError::NotWritable));
    }
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o755)).expect("set");
}
