//! Without memory: one text and one exit code, whatever asked for it, and no size of anybody's value.
//!
//! A limit of address space stands for a small machine. It must never be content with a machine that is too small for
//! anything: each limit lies above what a small release needs. Read `incrowd_memory` first.

use crate::place::{FOUND_TOWNS, Place, Said, WITH_DELTA, request};
use std::fmt::Write as _;
use std::process::Command;

/// Runs the binary with so many kilobytes of address space.
fn limited(place: &Place, arguments: &[&str], kilobytes: u64) -> Said {
    let inner = place.command(arguments);
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("ulimit -v {kilobytes}; exec \"$0\" \"$@\"")).arg(inner.get_program());
    command.args(inner.get_args());
    if let Some(folder) = inner.get_current_dir() {
        command.current_dir(folder);
    }
    for (name, value) in inner.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let output = command.output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("what is printed is UTF-8");
    Said { code: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// How much the binary needs to start and to count next to nothing.
fn enough_for_little(place: &Place) -> u64 {
    place.write("little.csv", "town\nBern\n");
    place.write("little.toml", request("little.csv", "", FOUND_TOWNS, WITH_DELTA));
    let works = |kilobytes: &u64| {
        let arguments = ["release", "little.toml", "--folder", "little", "--replace", "--again", "--threads", "1"];
        limited(place, &arguments, *kilobytes).code == 0
    };
    (10..400).map(|steps| steps * 10_000).find(works).expect("it works somewhere")
}

#[test]
fn more_keys_than_memory_end_with_the_one_text_and_the_name_of_the_charge() {
    let place = Place::new();
    let little = enough_for_little(&place);
    let mut towns = String::from("town\n");
    for town in 0..150_000 {
        writeln!(towns, "{town:01600}").expect("a text takes all");
    }
    place.write("d.csv", towns);
    place.write("request.toml", request("d.csv", "", FOUND_TOWNS, WITH_DELTA));
    let charges = || place.events().iter().filter(|event| *event == "charge").count();
    let before = charges();
    // No spilling: the engine believes in more memory than there is.
    let arguments = ["release", "request.toml", "--threads", "1", "--memory", "64GB", "--again"];
    let said = limited(&place, &arguments, little + 100_000);
    assert_eq!(said.code, 3, "{}", said.stderr);
    assert!(said.stderr.starts_with("error: charged but not delivered (charge "), "{}", said.stderr);
    assert!(said.stderr.contains("): the data could not be counted to its end\nhint: "), "{}", said.stderr);
    assert!(!said.stderr.contains("memory allocation") && !said.stderr.contains("bytes"), "{}", said.stderr);
    // The same text as for any other failure of data, but for the name of the charge.
    place.write("d.csv", "town\nBern,Chur\n");
    let ragged = place.run(&["release", "request.toml", "--threads", "1", "--again"]);
    let without_name = |text: &str| {
        let (before, rest) = text.split_once("(charge ").expect("a charge");
        format!("{before}{}", rest.split_once(')').expect("its end").1)
    };
    assert_eq!(without_name(&said.stderr), without_name(&ragged.stderr));
    assert!(!place.path("out").exists());
    assert_eq!(charges(), before + 2);
}

#[test]
fn without_memory_before_the_charge_nothing_is_charged() {
    let place = Place::new();
    let little = enough_for_little(&place);
    let events = place.events();
    // So many columns must be planned before anything is charged.
    let names: Vec<String> = (0..130_000).map(|column| format!("c{column}")).collect();
    place.write("d.csv", format!("{}\n", names.join(",")));
    let bins = "[[bins]]\nname = \"town\"\ncolumn = \"c7\"\n";
    place.write("request.toml", request("d.csv", "", bins, WITH_DELTA));
    let said = limited(&place, &["release", "request.toml", "--threads", "1", "--again"], little);
    assert_eq!(said.code, 2, "{}", said.stderr);
    assert!(said.stderr.starts_with("error: out of memory; nothing was charged\nhint: "), "{}", said.stderr);
    assert_eq!(place.events(), events);
}

#[test]
fn a_line_of_gigabytes_is_the_one_text_in_little_memory() {
    let place = Place::new();
    let little = enough_for_little(&place);
    // A gigabyte of one letter is a megabyte once packed.
    let file = std::fs::File::create(place.path("d.csv.gz")).expect("a file");
    let mut packed = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, b"town\nBern\n").expect("written");
    let piece = vec![b'x'; 1 << 20];
    for _ in 0..1024 {
        std::io::Write::write_all(&mut packed, &piece).expect("written");
    }
    packed.finish().expect("finished");
    place.write("request.toml", request("d.csv.gz", "", FOUND_TOWNS, WITH_DELTA));
    let arguments = ["release", "request.toml", "--threads", "1", "--memory", "64MiB", "--again"];
    let said = limited(&place, &arguments, little + 400_000);
    assert_eq!(said.code, 3, "{}", said.stderr);
    assert!(said.stderr.contains("the data could not be counted to its end"), "{}", said.stderr);
    // Not by the allocator: the ledger was told.
    assert_eq!(place.events().last().map(String::as_str), Some("failed"), "{:?}", place.events());
}

#[test]
fn a_request_cannot_make_one_person_take_all_memory() {
    let place = Place::new();
    let little = enough_for_little(&place);
    let mut nested = "case when town = 'Alice' then 'wwwwwwwwww' else '' end".to_string();
    for _ in 0..8 {
        nested = format!("replace({nested}, 'w', 'wwwwwwwwwwwwwwww')");
    }
    let more = format!("where = \"length({nested}) >= 0\"");
    place.write("request.toml", request("d.csv", &more, FOUND_TOWNS, WITH_DELTA));
    for town in ["Bern", "Alice"] {
        place.write("d.csv", format!("town\n{town}\n"));
        let arguments = ["release", "request.toml", "--folder", town, "--threads", "1", "--again"];
        let said = limited(&place, &arguments, little + 400_000);
        assert_eq!(said.code, 0, "{town}: {}", said.stderr);
    }
}
