//! `incrowd ledger setup`: a book in a database, for a team.
//!
//! It must never repeat an address, which may hold a password. It is separate because it is the one command of the book
//! that its owner runs. Read `incrowd_ledger::SetUp` for what is done.

use crate::args::{LedgerSetup, PrintFormat};
use crate::failure::Failure;
use crate::session::environment;
use crate::terminal::{print, print_json, print_page};
use incrowd_ledger::{Grant, Ledger, SetUp, TeamRoles};
use incrowd_release::request::printable;
use incrowd_release::session::LedgerLocation;
use incrowd_report::{Block, Facts, Page};
use serde_json::{Value, json};
use std::path::Path;

/// Runs the command.
pub fn run(command: &LedgerSetup, format: PrintFormat) -> Result<(), Failure> {
    let roles = TeamRoles { officer: command.officer.clone(), analyst: command.analyst.clone() };
    let Some(address) = &command.address else {
        let script = Ledger::set_up_script(&roles)?;
        return if format == PrintFormat::Json { print_json(&json!({ "statements": script })) } else { print(&script) };
    };
    // The policy of the machine and slips in addresses are judged as for every other command.
    let location = environment(Some(Path::new(address))).ledger()?;
    let LedgerLocation::Database(address) = &location else {
        let hint =
            "a book in a file belongs to one user; for a team: incrowd ledger setup postgres://owner@host/database";
        return Err(Failure::usage("only a book in a PostgreSQL database is set up for a team", hint));
    };
    let done = Ledger::set_up(address, &roles, !command.look)?;
    if format == PrintFormat::Json {
        print_json(&object(&done, &roles))?;
    } else {
        print_page(&page(&done, &roles, &location, command.look), "")?;
    }
    let strange = strange_grants(&done, &roles);
    if command.look && !(strange.is_empty() && done.mighty.is_empty() && done.foreign.is_empty()) {
        return Err(Failure::Differs {
            message: "somebody may do more with this book than a team's roles may".into(),
            hint: "incrowd ledger setup ADDRESS takes rights back; who has the rights of the owner is for the \
                   administrator of the database to say"
                .into(),
        });
    }
    Ok(())
}

/// What somebody may do who has neither of the two roles.
fn strange_grants<'a>(done: &'a SetUp, roles: &TeamRoles) -> Vec<&'a Grant> {
    let on_tables = ["book", "account", "definition", "entry", "aside"];
    let is_ours = |grant: &&Grant| {
        let named = grant.role == roles.officer || grant.role == roles.analyst;
        let table = grant.object.split('.').next().is_some_and(|table| on_tables.contains(&table));
        let functions: &[&str] = match grant.role == roles.officer {
            true => &["append_release()", "append_terms()", "begin_writing()"],
            false => &["append_release()", "begin_writing()"],
        };
        let right = match grant.right.as_str() {
            "USAGE" | "SELECT" => true,
            "EXECUTE" => functions.contains(&grant.object.as_str()),
            _ => false,
        };
        named && !table && right
    };
    done.granted.iter().filter(|grant| !is_ours(grant)).collect()
}

fn words(grant: &Grant) -> String {
    format!("{}: {} on {}", printable(&grant.role), grant.right, printable(&grant.object))
}

fn page(done: &SetUp, roles: &TeamRoles, location: &LedgerLocation, look: bool) -> Page {
    let mut facts = Facts::default();
    facts.add("ledger", location.to_string());
    facts.add("owner", format!("{}, the only one with a right to the tables", printable(&done.owner)));
    if done.made {
        facts.add("made", "the schema incrowd with tables, views and functions");
    }
    if let Some((schema, version)) = &done.moved {
        let from = printable(schema);
        facts
            .add("moved", format!("the book of version {version} from the schema {from} to incrowd; no entry changed"));
    }
    if !(look || done.made || done.moved.is_some()) {
        facts.add("found", "the book in the schema incrowd; its functions were written anew");
    }
    for role in &done.new_roles {
        facts.add("made", format!("the role {}", printable(role)));
    }
    for grant in &done.revoked {
        facts.add("taken back", words(grant));
    }
    let people = |people: &[String]| match people.is_empty() {
        true => "nobody yet".to_string(),
        false => people.iter().map(|name| printable(name)).collect::<Vec<_>>().join(", "),
    };
    let role = |what: &str, role: &str, members: &[String]| {
        format!("{what}; {} has the role {}", people(members), printable(role))
    };
    let officers = "open accounts and change their terms, and may do what analysts do";
    facts.add("officers", role(officers, &roles.officer, &done.officers));
    facts.add("analysts", role("read the book, and pay for releases", &roles.analyst, &done.analysts));
    for grant in strange_grants(done, roles) {
        facts.add("mind", words(grant));
    }
    for name in &done.mighty {
        let words = "has rights of the owner or the server, or may make roles: it can change the book";
        facts.add("mind", format!("{} {words}", printable(name)));
    }
    for part in &done.foreign {
        facts.add("mind", format!("not the book's: {}", printable(part)));
    }
    facts.add("on trust", "the owner of the book and the administrators of the server, who can change anything");
    let title = if look { "How this book is set up" } else { "This book is set up for a team" };
    let mut page = Page::titled(title);
    page.add("", vec![facts.block()]);
    if !look {
        let (officer, analyst) = (quoted(&roles.officer), quoted(&roles.analyst));
        let next = [officer, analyst]
            .into_iter()
            .zip(["olga", "ann"])
            .map(|(role, name)| format!("CREATE ROLE {name} LOGIN IN ROLE {role};"));
        let say = "Give people the roles, in psql, under the names by which their systems know them:".to_string();
        let close =
            "An address without a user, postgres://host/database, is then the book of everybody, each under a name \
                     of their own."
                .to_string();
        page.add("Next", vec![Block::Paragraph(say), Block::List(next.collect()), Block::Paragraph(close)]);
    }
    page
}

/// A role as statements name it.
fn quoted(role: &str) -> String {
    let plain = role.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    if plain { role.to_string() } else { format!("\"{}\"", printable(role).replace('"', "\"\"")) }
}

fn object(done: &SetUp, roles: &TeamRoles) -> Value {
    let grants = |grants: &[Grant]| -> Vec<Value> {
        grants.iter().map(|grant| json!({ "role": grant.role, "right": grant.right, "object": grant.object })).collect()
    };
    json!({
        "owner": done.owner,
        "made": done.made,
        "moved": done.moved.as_ref().map(|(schema, version)| json!({ "schema": schema, "version": version })),
        "new_roles": done.new_roles,
        "revoked": grants(&done.revoked),
        "granted": grants(&done.granted),
        "officer": { "role": roles.officer, "members": done.officers },
        "analyst": { "role": roles.analyst, "members": done.analysts },
        "mighty": done.mighty,
        "foreign": done.foreign,
        "strange": strange_grants(done, roles).into_iter().map(words).collect::<Vec<_>>(),
    })
}
