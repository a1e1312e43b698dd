//! kill -9 at random moments: afterwards the folder is complete and the ledger says so, or there is no folder.

use crate::place::{PLAIN, Place, TOWNS, request};
use std::time::{Duration, Instant};

/// How many releases are killed.
const KILLS: u32 = 200;

#[test]
fn a_killed_release_leaves_a_whole_folder_or_none() {
    let place = Place::new();
    let rows: String = (0..60_000).map(|row| if row % 3 == 0 { "Bern\n" } else { "Chur\n" }).collect();
    place.write("d.csv", format!("town\n{rows}"));
    place.write("request.toml", request("d.csv", "", TOWNS, PLAIN));
    // How long a release takes here, so that the moments cover all of it.
    let begun = Instant::now();
    place.released();
    let whole = begun.elapsed();
    std::fs::remove_dir_all(place.path("out")).expect("removed");
    let (mut charges, mut finished, mut cut_short) = (1, 1, 0);
    let delivered = |place: &Place| place.events().iter().filter(|event| *event == "delivered").count();
    for kill in 0..KILLS {
        // A stride that is prime to the number of kills visits every moment once, in a scattered order.
        let moment = whole.mul_f64(f64::from(kill * 77 % KILLS) / f64::from(KILLS) * 1.1);
        let mut child = place.command(&["release", "request.toml", "--again"]).spawn().expect("started");
        std::thread::sleep(moment);
        let _ = child.kill();
        let ended = child.wait().expect("ended");
        let there = place.path("out").exists();
        let events = place.events();
        let now = events.iter().filter(|event| *event == "charge").count();
        assert!(now == charges || now == charges + 1, "one release, at most one charge");
        if there {
            assert_eq!(now, charges + 1, "no folder without its charge");
            assert_eq!(events.last().map(String::as_str), Some("delivered"), "the ledger says that it is there");
            let said = place.run(&["verify", "out"]);
            assert_eq!(said.code, 0, "a folder that is there is complete: {}", said.stdout);
            finished += 1;
            std::fs::remove_dir_all(place.path("out")).expect("removed");
        } else {
            assert!(!ended.success(), "a release that ends well is there");
            cut_short += 1;
            // What was whole already gets its name, for nothing.
            let said = place.run(&["recover", "out"]);
            assert_eq!(said.code, 0, "{}", said.stderr);
            if place.path("out").exists() {
                assert_eq!(now, charges + 1, "no folder without its charge");
                let events = place.events();
                assert_eq!(events.iter().filter(|event| *event == "charge").count(), now, "nothing more is charged");
                assert_eq!(events.last().map(String::as_str), Some("delivered"), "the ledger says that it is there");
                assert_eq!(place.run(&["ledger", "verify", "--against", "out"]).code, 0);
                finished += 1;
                std::fs::remove_dir_all(place.path("out")).expect("removed");
            }
        }
        charges = now;
    }
    assert_eq!(delivered(&place), finished, "everything that was delivered is, or was, there");
    assert!(cut_short > 20, "only {cut_short} of {KILLS} were cut short");
    // What the dead left aside is cleared away by the next release.
    assert_eq!(place.run(&["release", "request.toml", "--again"]).code, 0);
    let aside = std::fs::read_dir(place.path(".")).expect("a folder").filter_map(Result::ok);
    let aside: Vec<_> = aside.filter(|entry| entry.file_name().to_string_lossy().starts_with(".out")).collect();
    assert!(aside.is_empty(), "{aside:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_at_work_lets_no_memory_into_core_dumps_and_two_interrupts_leave_nothing_spilled() {
    let place = Place::new();
    let rows: String = (0..1_500_000).map(|row| format!("p{row},Bern\n")).collect();
    place.write("d.csv", format!("id,town\n{rows}"));
    place.write("request.toml", request("d.csv", "person = \"id\"", TOWNS, PLAIN));
    std::fs::create_dir(place.path("spill")).expect("made");
    let release = ["release", "request.toml", "--memory", "64MiB", "--spill", "spill"];
    let child = place.command(&release).spawn().expect("started");
    let spilled = || std::fs::read_dir(place.path("spill")).expect("a folder").count();
    let patience = Instant::now();
    while !place.events().contains(&"charge".to_string()) && patience.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(spilled(), 1, "a private folder is there while it counts");
    let filter = std::fs::read_to_string(format!("/proc/{}/coredump_filter", child.id())).expect("a process");
    assert_eq!(filter.trim().trim_matches('0'), "", "{filter}");
    for _ in 0..2 {
        let interrupted = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(interrupted.expect("kill runs").success());
        std::thread::sleep(Duration::from_millis(50));
    }
    let output = child.wait_with_output().expect("ended");
    let words = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{words}");
    assert!(words.contains("error:"), "{words}");
    assert_eq!(spilled(), 0, "nothing is left");
}

#[cfg(unix)]
#[test]
fn an_interrupt_after_the_charge_is_told_and_costs_what_was_charged() {
    let place = Place::new();
    // So many persons that grouping them takes long after the charge.
    let rows: String = (0..3_000_000).map(|person| format!("{person},Bern\n")).collect();
    place.write("d.csv", format!("id,town\n{rows}"));
    place.write("request.toml", request("d.csv", "person = \"id\"", TOWNS, PLAIN));
    let child = place.command(&["release", "request.toml"]).spawn().expect("started");
    let patience = Instant::now();
    while !place.events().contains(&"charge".to_string()) && patience.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
    }
    let interrupted = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupted.expect("kill runs").success());
    let output = child.wait_with_output().expect("ended");
    let events = place.events();
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(events, ["open", "charge", "failed"]);
    assert!(!place.path("out").exists());
}
