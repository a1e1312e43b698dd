use super::*;

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn delivered(target: &Path, existing: Existing, content: &str) -> PathBuf {
    let aside = StagedFolder::create(target, existing).expect("an aside");
    aside.write("certificate.json", certificate(content).as_bytes()).expect("written");
    aside.seal(0, None).expect("sealed").publish().expect("published").folder
}

/// A certificate that lists one table, which need not be there.
fn certificate(content: &str) -> String {
    format!(r#"{{"software":"incrowd 0.1.0","content":"{content}","tables":[{{"name":"counts.csv","sha256":"0"}}]}}"#)
}

fn content(target: &Path) -> String {
    let text = fs::read_to_string(target.join("certificate.json")).expect("a file");
    text.split_once(r#""content":""#).and_then(|(_, rest)| rest.split_once('"')).expect("a content").0.to_string()
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
    let aside = StagedFolder::create(&target, Existing::Refuse).expect("an aside");
    aside.write("counts.csv", b"1").expect("written");
    assert_eq!(names(home.path()).len(), 3, "the folder, its lock, and the name that is taken");
    drop(aside);
    assert!(names(home.path()).is_empty());
    let sealed = StagedFolder::create(&target, Existing::Refuse).expect("an aside").seal(0, None).expect("sealed");
    drop(sealed);
    assert!(names(home.path()).is_empty());
}

#[test]
fn what_exists_is_refused_before_and_after_counting() {
    let home = tempfile::tempdir().expect("a folder");
    let target = home.path().join("out");
    for appears in ["empty folder", "full folder", "file"] {
        let sealed = StagedFolder::create(&target, Existing::Refuse).expect("an aside").seal(0, None).expect("sealed");
        match appears {
            "file" => fs::write(&target, "mine").expect("written"),
            "full folder" => {
                fs::create_dir(&target).expect("made");
                fs::write(target.join("mine"), "mine").expect("written");
            }
            _ => fs::create_dir(&target).expect("made"),
        }
        assert_eq!(sealed.publish().expect_err("refused"), FolderError::Exists, "{appears}");
        assert_eq!(names(home.path()).len(), 3, "what is whole is kept");
        assert_eq!(StagedFolder::create(&target, Existing::Refuse).expect_err("refused"), FolderError::Exists);
        assert_eq!(names(home.path()), ["out"], "it had no seal");
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
    assert_eq!(StagedFolder::create(&mine, Existing::Replace).expect_err("refused"), FolderError::NotADelivery);
    assert_eq!(names(home.path()), ["mine", "out"]);
}

/// What a killed process leaves: its folder and a lock that nobody holds.
fn killed(home: &Path, random: &str) -> Place {
    let place = Place::of(home, OsStr::new("out"), random);
    fs::create_dir(&place.folder).expect("made");
    fs::write(place.folder.join("counts.csv"), "half").expect("written");
    fs::write(&place.lock, "").expect("written");
    place
}

#[test]
fn a_name_is_taken_once_and_free_again_afterwards() {
    let home = tempfile::tempdir().expect("a folder");
    let target = home.path().join("out");
    let first = StagedFolder::create(&target, Existing::Refuse).expect("an aside");
    for existing in [Existing::Refuse, Existing::Replace] {
        assert_eq!(StagedFolder::create(&target, existing).expect_err("refused"), FolderError::Busy);
    }
    let other = StagedFolder::create(&home.path().join("other"), Existing::Refuse).expect("another name is free");
    drop(first);
    drop(other);
    assert!(names(home.path()).is_empty());
    drop(StagedFolder::create(&target, Existing::Refuse).expect("free again"));
    assert!(names(home.path()).is_empty());
}

#[test]
fn of_many_who_want_one_name_at_once_exactly_one_has_it() {
    let home = tempfile::tempdir().expect("a folder");
    let target = home.path().join("out");
    for _ in 0..20 {
        let barrier = std::sync::Barrier::new(4);
        let made: Vec<Result<StagedFolder, FolderError>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(|| {
                        barrier.wait();
                        StagedFolder::create(&target, Existing::Refuse)
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        assert_eq!(made.iter().filter(|made| made.is_ok()).count(), 1, "{made:?}");
        drop(made);
        assert!(names(home.path()).is_empty());
    }
}

#[test]
fn what_a_killed_process_left_is_removed_and_what_a_living_one_has_is_not() {
    let home = tempfile::tempdir().expect("a folder");
    let target = home.path().join("out");
    killed(home.path(), "aaaaaa");
    fs::write(home.path().join(".out.incrowd-taken"), "").expect("nobody holds it");
    let living = killed(home.path(), "dddddd");
    let held = File::open(&living.lock).expect("a lock");
    held.try_lock().expect("held");
    drop(StagedFolder::create(&target, Existing::Refuse).expect("an aside"));
    assert_eq!(names(home.path()), [".out.incrowd-dddddd", ".out.incrowd-dddddd.lock"]);
    drop(held);
    drop(StagedFolder::create(&target, Existing::Refuse).expect("an aside"));
    assert!(names(home.path()).is_empty());
}

#[test]
fn what_incrowd_never_writes_is_never_removed() {
    let home = tempfile::tempdir().expect("a folder");
    let target = home.path().join("out");
    let place = killed(home.path(), "aaaaaa");
    fs::write(place.folder.join("thesis.txt"), "years").expect("written");
    let nested = killed(home.path(), "bbbbbb");
    fs::create_dir(nested.folder.join("report.html")).expect("made");
    drop(StagedFolder::create(&target, Existing::Refuse).expect("an aside"));
    assert!(place.folder.join("thesis.txt").is_file() && place.folder.join("counts.csv").is_file());
    assert!(nested.folder.join("report.html").is_dir());
}

#[test]
fn a_folder_is_replaced_only_if_its_certificate_lists_everything_in_it() {
    let home = tempfile::tempdir().expect("a folder");
    let target = home.path().join("out");
    type Change = fn(&Path);
    let changes: [(&str, Change); 6] = [
        ("a file", |out| fs::write(out.join("thesis.txt"), "years").expect("written")),
        ("a hidden folder", |out| fs::create_dir(out.join(".git")).expect("made")),
        ("a folder with a listed name", |out| fs::create_dir(out.join("counts.csv")).expect("made")),
        ("no certificate of incrowd's", |out| fs::write(out.join("certificate.json"), "{}").expect("written")),
        ("another certificate", |out| {
            fs::write(out.join("certificate.json"), r#"{"software":"other 1","tables":[]}"#).expect("written");
        }),
        ("no certificate", |out| {
            fs::remove_file(out.join("certificate.json")).expect("removed");
            fs::write(out.join("counts.csv"), "1").expect("written");
        }),
    ];
    for (what, change) in changes {
        delivered(&target, Existing::Refuse, "one");
        change(&target);
        let before = names(&target);
        let refused = StagedFolder::create(&target, Existing::Replace).expect_err("refused");
        assert_eq!(refused, FolderError::NotADelivery, "{what}");
        assert_eq!(names(&target), before, "{what}");
        // The same may happen while the data is counted.
        fs::rename(&target, home.path().join("aside")).expect("renamed");
        let sealed = StagedFolder::create(&target, Existing::Replace).expect("an aside").seal(0, None).expect("sealed");
        fs::rename(home.path().join("aside"), &target).expect("renamed");
        assert_eq!(sealed.publish().expect_err("refused"), FolderError::NotADelivery, "{what}");
        assert_eq!(names(&target), before, "{what}");
        fs::remove_dir_all(&target).expect("removed");
        drop(StagedFolder::create(&target, Existing::Replace).expect("an aside"));
    }
}

#[test]
fn a_folder_that_others_planted_gets_no_name() {
    let home = tempfile::tempdir().expect("a folder");
    let target = home.path().join("out");
    let place = killed(home.path(), "eeeeee");
    fs::create_dir(&place.old).expect("made");
    fs::write(place.old.join("certificate.json"), certificate("planted")).expect("written");
    // Without a seal nobody has taken anything away.
    drop(StagedFolder::create(&target, Existing::Refuse).expect("the name is free"));
    assert!(!target.exists());
}

/// What a process leaves that was killed between its seal and the folder's name.
fn killed_sealed(home: &Path, random: &str) -> Place {
    let place = Place::of(home, OsStr::new("out"), random);
    fs::create_dir(&place.folder).expect("made");
    let text = r#"{"software":"incrowd 0.1.0","content":"sealed","tables":[]}"#;
    fs::write(place.folder.join("certificate.json"), text).expect("written");
    fs::write(place.folder.join("report.html"), "a page").expect("written");
    let hash = incrowd_ledger::CertificateHash::of;
    let seal = Seal { certificate: hash(text.as_bytes()), report: hash(b"a page") };
    let sealing = Sealing { seal, existing: Existing::Refuse, mode: 0o750 };
    fs::write(&place.lock, sealing.text()).expect("written");
    place
}

#[test]
fn what_was_sealed_is_kept_and_what_differs_from_its_seal_is_not() {
    let home = tempfile::tempdir().expect("a folder");
    let target = home.path().join("out");
    let place = killed_sealed(home.path(), "ffffff");
    drop(StagedFolder::create(&target, Existing::Refuse).expect("an aside"));
    assert!(place.folder.is_dir(), "it is kept for whoever has the ledger");
    let (left, taken) = stale_of(&target).expect("the name is free");
    assert!(left[0].whole().is_some());
    left[0].publish(None).expect("it has its name");
    drop((left, taken));
    assert_eq!(content(&target), "sealed");
    assert_eq!(names(home.path()), ["out"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&target).expect("a folder").permissions().mode() & 0o7777, 0o750);
    }
    let other = killed_sealed(home.path(), "gggggg");
    fs::write(other.folder.join("report.html"), "another page").expect("written");
    drop(StagedFolder::create(&home.path().join("out"), Existing::Replace).expect("an aside"));
    assert_eq!(names(home.path()), ["out"], "it is not what was sealed");
}

#[test]
fn a_crash_between_two_renames_is_undone() {
    let home = tempfile::tempdir().expect("a folder");
    let target = home.path().join("out");
    delivered(&target, Existing::Refuse, "one");
    let place = killed_sealed(home.path(), "bbbbbb");
    fs::rename(&target, &place.old).expect("renamed");
    assert_eq!(StagedFolder::create(&target, Existing::Refuse).expect_err("refused"), FolderError::Exists);
    assert_eq!(content(&target), "one");
    assert!(place.folder.is_dir(), "what was sealed is kept");
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

#[cfg(unix)]
#[test]
fn only_its_owner_reads_a_folder_before_it_has_its_name_and_its_time_tells_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let home = tempfile::tempdir().expect("a folder");
    let target = home.path().join("out");
    let plain = home.path().join("plain");
    fs::create_dir(&plain).expect("made");
    let mode = |path: &Path| fs::metadata(path).expect("a folder").permissions().mode() & 0o7777;
    let aside = StagedFolder::create(&target, Existing::Refuse).expect("an aside");
    assert_eq!(mode(&aside.place.folder), 0o700);
    aside.write("certificate.json", certificate("one").as_bytes()).expect("written");
    let sealed = aside.seal(1_000_000_000, None).expect("sealed");
    assert_eq!(mode(&sealed.aside.place.folder), 0o700);
    sealed.publish().expect("published");
    assert_eq!(mode(&target), mode(&plain), "as the user's mask says");
    let dated = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    assert_eq!(fs::metadata(&target).expect("a folder").modified().expect("a time"), dated);
}

#[test]
fn paths_that_name_no_folder_are_refused() {
    for path in ["", ".", "..", "/", "a/..", "a\nb", "\u{1b}[2J", "a\u{7}/b"] {
        assert_eq!(
            StagedFolder::create(Path::new(path), Existing::Refuse).expect_err("refused"),
            FolderError::NotAName,
            "{path:?}"
        );
    }
    let long = "x".repeat(300);
    assert_eq!(StagedFolder::create(Path::new(&long), Existing::Refuse).expect_err("refused"), FolderError::NotAName);
    let home = tempfile::tempdir().expect("a folder");
    let missing = home.path().join("missing").join("out");
    assert_eq!(StagedFolder::create(&missing, Existing::Refuse).expect_err("refused"), FolderError::NoParent);
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
    let made = StagedFolder::create(&home.path().join("out"), Existing::Refuse);
    // Whoever runs the tests as root may write anywhere.
    if let Err(error) = made {
        assert_eq!(error, FolderError::Write(WriteError::NotWritable));
    }
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o755)).expect("set");
}
