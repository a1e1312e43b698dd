//! The policy of a machine: every way round it that is known, tried through a session.
//!
//! The policy lies in a folder of the test, because a session is told where it is; nothing here shows that a user
//! cannot move it, which `cli/tests/release/policy.rs` does with the binary.

use crate::company::{Company, REQUEST, nobody, target};
use incrowd_ledger::{AccountName, Ledger, OfficerKey, Terms};
use incrowd_release::session::{Draws, FailureClass, LocationError, ReleaseError, ReleasedAs, ReviewError, SaveError};
use incrowd_release::site_policy::{PolicyError, PolicyRefusal, SourcePlace};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// A company whose data about people lies in `data/hr`, with the book that its policy names.
struct Governed {
    company: Company,
}

impl Governed {
    fn with(policy: &str) -> Governed {
        let company = Company::with(REQUEST);
        let governed = Governed { company };
        std::fs::create_dir_all(governed.at("data/hr")).expect("folders");
        std::fs::create_dir_all(governed.at("work")).expect("folders");
        std::fs::write(governed.at("data/hr/employees.csv"), "employee_id,department\n").expect("written");
        governed.decree(policy);
        governed
    }

    fn decree(&self, policy: &str) {
        self.company.decree(&policy.replace("HOME", &self.home().display().to_string()));
    }

    fn home(&self) -> PathBuf {
        std::fs::canonicalize(self.company.home()).expect("a folder")
    }

    fn at(&self, name: &str) -> PathBuf {
        self.company.home().join(name)
    }

    /// Opens an account in a book, which is made.
    fn open(&self, book: &str, account: &str) {
        let mut book = Ledger::open(&self.at(book)).expect("a book");
        let name = AccountName::new(account).expect("a name");
        let now = self.company.session().environment().now().expect("a time");
        book.open_account(&name, &Terms::unlimited(), now).expect("opened");
    }

    /// Releases the request with these changes, from the folder `work`.
    fn release(&self, changes: &[(&str, &str)]) -> Result<ReleasedAs, ReleaseError> {
        let session = self.company.session();
        let text = changes.iter().fold(REQUEST.to_string(), |text, (from, to)| {
            assert!(text.contains(from), "{from}");
            text.replace(from, &to.replace("HOME", &self.home().display().to_string()))
        });
        let opened = session.open_stream("a page", text.as_bytes(), Some(&self.at("work"))).expect("a request");
        let released = opened.again().release(&target(), Draws::Private, nobody()).map(|released| released.way);
        let _ = std::fs::remove_dir_all(self.at("work/out"));
        released
    }

    /// Refused before anything was charged or looked at.
    fn refused(&self, changes: &[(&str, &str)]) -> PolicyRefusal {
        let error = self.release(changes).expect_err("refused");
        assert_eq!(error.class(), FailureClass::Refused, "{error:?}");
        assert!(!error.hint().is_empty());
        assert_eq!(self.company.watched.prepared.load(Ordering::Relaxed), 0, "the data was not looked at");
        match error {
            ReleaseError::Policy(refusal) | ReleaseError::Location(LocationError::Refused(refusal)) => refusal,
            error => panic!("{error:?}"),
        }
    }
}

const REAL: (&str, &str) = ("\"employees.csv\"", "\"HOME/data/hr/employees.csv\"");
const MADE_UP: (&str, &str) = ("[data]\n", "[data]\nsynthetic = true\n");

#[test]
fn without_a_policy_everything_is_as_it_was() {
    let company = Company::with(REQUEST);
    assert_eq!(company.session().environment().policy(), Ok(None));
    assert_eq!(company.release(Draws::Private).expect("released").way, ReleasedAs::Charged);
}

#[test]
fn the_book_of_the_policy_is_charged_whatever_else_is_named() {
    let mut governed = Governed::with("ledger = \"HOME/book.sqlite\"\n");
    assert_eq!(governed.release(&[REAL]).expect("released"), ReleasedAs::Charged);
    assert!(governed.at("book.sqlite").exists() && !governed.company.book().exists());
    governed.company.watched.prepared.store(0, Ordering::Relaxed);
    let its_own = |path: &str| [REAL, ("[ledger]\n", &*format!("[ledger]\npath = \"{path}\"\n").leak())];
    for other in ["throwaway.sqlite", ":memory:", "postgres://host/db", "../book.sqlite.other"] {
        let refusal = governed.refused(&its_own(other));
        let PolicyRefusal::OtherLedger { named_by, ledger } = &refusal else { panic!("{refusal:?}") };
        assert_eq!(
            (*named_by, ledger),
            ("[ledger] path of the request", &governed.home().join("book.sqlite").display().to_string())
        );
        assert!(!refusal.to_string().contains(other), "{refusal}");
    }
    governed.company.ledger = Some("throwaway.sqlite".into());
    assert!(matches!(governed.refused(&[REAL]), PolicyRefusal::OtherLedger { named_by: "--ledger", .. }));
    // Looking at another book is no charge; opening an account in it would be for nothing.
    let environment_of = |governed: &Governed| governed.company.session();
    let session = environment_of(&governed);
    assert!(session.environment().ledger_to_look_at().is_ok());
    assert!(matches!(session.environment().ledger(), Err(LocationError::Refused(_))));
    governed.company.ledger = None;
    governed.company.variable = Some("throwaway.sqlite".into());
    assert!(matches!(governed.refused(&[REAL]), PolicyRefusal::OtherLedger { named_by: "INCROWD_LEDGER", .. }));
    // The same book in other words is the same book.
    governed.company.variable = Some(governed.at("work/../book.sqlite").display().to_string());
    assert_eq!(governed.release(&[REAL]).expect("released"), ReleasedAs::Charged);
}

#[test]
fn a_database_is_the_same_whoever_asks_for_it_and_nothing_else_of_its_address_may_differ() {
    let mut governed = Governed::with("ledger = \"postgres://book.example/incrowd\"\n");
    for (address, same) in [
        ("postgres://ann:SECRET@book.example/incrowd", true),
        ("postgresql://book.example/incrowd", true),
        ("postgres://book.example/other", false),
        ("postgres://book.example:5433/incrowd", false),
        ("postgres://other.example/incrowd", false),
        ("postgres://ann:SECRET@book.example/incrowd?sslmode=disable", false),
    ] {
        governed.company.ledger = Some(address.into());
        let session = governed.company.session();
        let ledger = session.environment().ledger();
        assert_eq!(ledger.is_ok(), same, "{address}");
        let said = ledger.map_or_else(|error| error.to_string(), |ledger| ledger.to_string());
        assert!(!said.contains("SECRET"), "{said}");
    }
}

#[test]
fn no_release_opens_an_account_where_that_is_denied() {
    let governed = Governed::with("ledger = \"HOME/book.sqlite\"\nunknown-accounts = \"deny\"\n");
    let refusal = governed.refused(&[REAL]);
    assert_eq!(refusal, PolicyRefusal::UnknownAccount { account: "employees".into() });
    // Also where it is said that it is meant.
    let session = governed.company.session();
    let opened = session.open(&governed.at("request.toml")).expect("a request").opening();
    let error = opened.release(&target(), Draws::Private, nobody()).expect_err("refused");
    assert!(matches!(error, ReleaseError::Policy(PolicyRefusal::UnknownAccount { .. })), "{error:?}");
    governed.open("book.sqlite", "employees");
    assert_eq!(governed.release(&[REAL]).expect("released"), ReleasedAs::Charged);
}

/// Every spelling of one file that is about people.
const SPELLINGS: [&str; 8] = [
    "HOME/data/hr/employees.csv",
    "HOME/data/../data/hr/employees.csv",
    "HOME/data/./hr//employees.csv",
    "../data/hr/employees.csv",
    "../work/../data/hr/employees.csv",
    "linked/employees.csv",
    "link.csv",
    "linked/../hr/employees.csv",
];

#[cfg(unix)]
fn link(governed: &Governed) {
    std::os::unix::fs::symlink(governed.at("data/hr"), governed.at("work/linked")).expect("a link");
    std::os::unix::fs::symlink(governed.at("data/hr/employees.csv"), governed.at("work/link.csv")).expect("a link");
}

#[cfg(unix)]
#[test]
fn people_are_not_called_made_up_however_their_file_is_spelt() {
    let governed = Governed::with("[[real-data]]\nfolder = \"HOME/data\"\n");
    link(&governed);
    for spelling in SPELLINGS {
        let source = ("\"employees.csv\"", &*format!("\"{spelling}\"").leak());
        for more in [None, Some(("[ledger]\n", "[ledger]\npath = \":memory:\"\n"))] {
            let changes: Vec<(&str, &str)> = [source, MADE_UP].into_iter().chain(more).collect();
            let place = SourcePlace::Path(governed.home().join("data"));
            assert_eq!(governed.refused(&changes), PolicyRefusal::NotMadeUp { place }, "{spelling}");
        }
    }
    // A known seed reads the data, too.
    let session = governed.company.session();
    let home = governed.home().display().to_string();
    let text = REQUEST.replace(REAL.0, &REAL.1.replace("HOME", &home)).replace(MADE_UP.0, MADE_UP.1);
    let opened = session.open_stream("a page", text.as_bytes(), Some(&governed.at("work"))).expect("a request");
    let error = opened.release(&target(), Draws::Known { seed: 7 }, nobody()).expect_err("refused");
    assert!(matches!(error, ReleaseError::Policy(PolicyRefusal::NotMadeUp { .. })), "{error:?}");
    // Nobody can tell whose data comes in on a stream, and no address is a way to a file.
    assert_eq!(governed.refused(&[("employees.csv", "-"), MADE_UP]), PolicyRefusal::Stream);
    std::fs::create_dir_all(governed.at("work/file:")).expect("a folder");
    let scheme = ("\"employees.csv\"", "\"file://HOME/data/hr/employees.csv\"");
    assert!(
        governed.release(&[scheme, MADE_UP]).is_ok(),
        "an engine that reads no addresses is given none: {scheme:?}"
    );
    // What is elsewhere may be made up, and who is real may be released.
    assert!(governed.release(&[MADE_UP]).is_ok() && governed.release(&[REAL]).is_ok());
}

#[cfg(unix)]
#[test]
fn a_source_that_is_bound_is_paid_for_by_its_account_alone() {
    let governed = Governed::with(
        "[[account]]\nname = \"employees\"\nsources = [\"HOME/data/hr\"]\n[[account]]\nname = \"visits\"\n",
    );
    link(&governed);
    for name in ["employees-2027", "employees ", "Employees", "\u{435}mployees", "visits"] {
        let dataset = ("\"employees\"", &*format!("\"{name}\"").leak());
        for spelling in SPELLINGS {
            let source = ("\"employees.csv\"", &*format!("\"{spelling}\"").leak());
            let refusal = governed.refused(&[source, dataset]);
            assert_eq!(refusal, PolicyRefusal::SourceOfAnother { account: "employees".into() }, "{name} {spelling}");
        }
    }
    for elsewhere in ["copy.csv", "../data/employees.csv", "../data/hr2/employees.csv"] {
        let source = ("\"employees.csv\"", &*format!("\"{elsewhere}\"").leak());
        let refusal = governed.refused(&[source]);
        assert_eq!(refusal, PolicyRefusal::NotItsSource { account: "employees".into() }, "{elsewhere}");
    }
    assert_eq!(governed.refused(&[("employees.csv", "-")]), PolicyRefusal::Stream);
    assert!(governed.release(&[REAL]).is_ok());
    let others = [("\"employees\"", "\"visits\""), ("employees.csv", "visits.csv")];
    let error = governed.release(&others).expect_err("not open");
    assert!(matches!(error, ReleaseError::UnknownAccount(_)), "the policy has nothing against it: {error:?}");
}

#[test]
fn a_table_of_a_database_is_a_source_of_its_own() {
    let governed = Governed::with(
        "[[account]]\nname = \"pay\"\nsources = [{ path = \"HOME/data/hr/hr.sqlite\", table = \"pay\" }]\n",
    );
    std::fs::write(governed.at("data/hr/hr.sqlite"), "").expect("written");
    let table = |table: &str| ("\"employees.csv\"", &*format!("\"HOME/data/hr/hr.sqlite\"{table}").leak());
    for (words, account, refused) in [
        ("\ntable = \"pay\"", "employees", true),
        ("\ntable = \"PAY\"", "employees", true),
        ("", "employees", true),
        ("\ntable = \"sick\"", "employees", false),
        ("\ntable = \"sick\"", "pay", true),
        ("", "pay", true),
    ] {
        let account = ("\"employees\"", &*format!("\"{account}\"").leak());
        let released = governed.release(&[table(words), account]);
        let by_policy = matches!(released, Err(ReleaseError::Policy(_)));
        assert_eq!(by_policy, refused, "{words} {account:?}: {released:?}");
    }
}

#[test]
fn a_policy_that_cannot_be_followed_stops_every_charge() {
    let governed = Governed::with("");
    let whole = "ledger = \"HOME/book.sqlite\"\n";
    for (text, line, words) in [
        ("ledgr = \"x\"\n", Some(1), "there is no key \"ledgr\" here; did you mean ledger?"),
        ("\nunknown-accounts = \"denied\"\n", Some(2), "unknown-accounts is \"deny\" or \"allow\""),
        ("ledger = 7\n", Some(1), "ledger is a text in quotes"),
        ("ledger = \n", Some(1), "this is not TOML"),
        ("ledger = \"book.sqlite\"\n", None, "ledger: a file is written from the root on"),
        ("ledger = \":memory:\"\n", None, "ledger: "),
        ("ledger = \"postgres:/ann:SECRET@host/db\"\n", None, "ledger: this account book looks like an address"),
        ("[real-data]\nfolder = \"/data\"\n", Some(1), "real-data is written as a section [[real-data]]"),
        ("[[real-data]]\nfolder = \"data\"\n", Some(2), "a place is written from the root on"),
        ("[[real-data]]\nfoldr = \"/data\"\n", Some(2), "there is no key \"foldr\" here; did you mean folder?"),
        ("[[account]]\nsources = [\"/data\"]\n", Some(2), "name is missing here"),
        ("[[account]]\nname = \"a\"\nsources = []\n", Some(3), "an account that takes no source is not bound"),
        ("[[account]]\nname = \"a\"\n[[account]]\nname = \"a\"\n", Some(4), "there are two accounts \"a\""),
        ("reviewed-plan = \"required\"\n", None, "there is no [[reviewer]] whose signature counts"),
        ("reviewed-plan = true\n", Some(1), "reviewed-plan is a text in quotes"),
        ("[[reviewer]]\nname = \"o\"\nkey = \"00\"\n", Some(3), "key is a public key"),
    ] {
        governed.decree(text);
        let error = governed.release(&[REAL]).expect_err("stopped");
        assert_eq!(error.class(), FailureClass::Unusable, "{text}");
        let (ReleaseError::NoPolicy(error) | ReleaseError::Location(LocationError::Policy(error))) = &error else {
            panic!("{text}: {error:?}")
        };
        let PolicyError::Malformed { line: found, message, .. } = error else { panic!("{text}: {error:?}") };
        assert_eq!(*found, line, "{text}");
        assert!(message.contains(words) && !error.to_string().contains("SECRET"), "{text}: {message}");
    }
    governed.decree(&format!("{whole}# a line that is not UTF-8: "));
    let mut bytes = std::fs::read(governed.company.policy()).expect("a policy");
    bytes.push(0xff);
    std::fs::write(governed.company.policy(), bytes).expect("written");
    assert!(matches!(governed.release(&[REAL]), Err(ReleaseError::NoPolicy(PolicyError::Malformed { .. }))));
    governed.decree(&format!("{whole}{}", " ".repeat(2 << 20)));
    assert!(matches!(governed.release(&[REAL]), Err(ReleaseError::NoPolicy(PolicyError::Malformed { .. }))));
    std::fs::remove_file(governed.company.policy()).expect("removed");
    std::fs::create_dir(governed.company.policy()).expect("a folder in its place");
    assert!(matches!(governed.release(&[REAL]), Err(ReleaseError::NoPolicy(PolicyError::Unsafe { .. }))));
    assert_eq!(governed.company.watched.prepared.load(Ordering::Relaxed), 0, "the data was never looked at");
    assert_eq!(governed.company.charges(), 0);
}

#[cfg(unix)]
#[test]
fn a_policy_that_somebody_else_could_have_written_stops_every_charge() {
    use std::os::unix::fs::PermissionsExt;
    let governed = Governed::with("");
    let mode = |path: &Path, mode: u32| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("a mode");
    };
    let unsafe_path = |governed: &Governed| match governed.release(&[REAL]) {
        Err(ReleaseError::NoPolicy(PolicyError::Unsafe { path, .. })) => Some(path),
        Err(error) => panic!("{error:?}"),
        Ok(_) => None,
    };
    let (file, folder) = (governed.company.policy(), governed.at("etc"));
    for (path, wrong, right) in [(&file, 0o664, 0o644), (&file, 0o646, 0o644), (&folder, 0o775, 0o755)] {
        mode(path, wrong);
        assert_eq!(unsafe_path(&governed).as_ref(), Some(path), "{wrong:o}");
        mode(path, right);
        assert_eq!(unsafe_path(&governed), None);
    }
    // A link is as safe as where it leads, and one that leads nowhere is not the absence of a policy.
    let elsewhere = governed.at("work/policy.toml");
    std::fs::rename(&file, &elsewhere).expect("moved");
    std::os::unix::fs::symlink(&elsewhere, &file).expect("a link");
    assert_eq!(unsafe_path(&governed), None);
    mode(&governed.at("work"), 0o777);
    assert_eq!(unsafe_path(&governed), Some(governed.home().join("work")));
    std::fs::remove_file(&elsewhere).expect("removed");
    assert!(matches!(governed.release(&[REAL]), Err(ReleaseError::NoPolicy(PolicyError::Unreadable { .. }))));
}

#[test]
fn a_required_review_is_a_signature_of_a_reviewer_under_this_very_plan() {
    let officer = OfficerKey::of_random([7; 32]).expect("a key");
    let analyst = OfficerKey::of_random([9; 32]).expect("a key");
    let reviewer = format!("[[reviewer]]\nname = \"officer\"\nkey = \"{}\"\n", officer.public().digits());
    for policy in [
        format!("reviewed-plan = \"required\"\n{reviewer}"),
        format!("[[account]]\nname = \"employees\"\nreviewed-plan = \"required\"\n{reviewer}"),
    ] {
        let governed = Governed::with(&policy);
        let session = governed.company.session();
        let request = governed.at("request.toml");
        let open = || session.open(&request).expect("a request");
        let release = |plan: Option<&Path>| {
            let opened = plan.into_iter().fold(open(), |opened, plan| opened.must_be(plan));
            opened.release(&target(), Draws::Private, nobody()).map(|released| released.way)
        };
        let refused = |plan: Option<&Path>| {
            let error = release(plan).expect_err("refused");
            assert_eq!(error.class(), FailureClass::Refused, "{error:?}");
            matches!(error, ReleaseError::Policy(PolicyRefusal::NotReviewed))
        };
        assert!(refused(None));
        let (plan, saved, own) =
            (open().plan(None).expect("a plan"), governed.at("plan.json"), governed.at("own.json"));
        open().save_plan(&plan, &target(), None, &saved).expect("saved");
        assert!(refused(Some(&saved)), "nobody signed it");
        open().save_plan(&plan, &target(), Some(&analyst), &own).expect("saved");
        assert!(refused(Some(&own)), "signed by somebody who is no reviewer");
        let signed = governed.at("signed.json");
        let pins = open().sign_plan(&plan, &own, &officer, &signed).expect("signed");
        assert!(pins.source.is_some_and(|source| source.ends_with("employees.csv")));
        // A signature is of one key under one text: another key's name over it, or another text below it, is none.
        let text = std::fs::read_to_string(&signed).expect("a plan");
        let forged = governed.at("forged.json");
        for (from, to) in [
            (analyst.public().digits(), officer.public().digits()),
            ("\"signature\": \"".into(), "\"signature\": \"00".into()),
        ] {
            std::fs::write(&forged, text.replace(&from, &to)).expect("written");
            let error = release(Some(&forged)).expect_err("refused");
            assert!(matches!(error, ReleaseError::Review(ReviewError::WrongSignature)), "{error:?}");
        }
        std::fs::write(&forged, text.replace("employees.csv", "others.csv")).expect("written");
        assert!(matches!(release(Some(&forged)), Err(ReleaseError::Review(ReviewError::Differs { .. }))));
        // Nobody signs the plan of another request.
        let other = REQUEST.replace("epsilon = 1", "epsilon = 2");
        let other = session.open_stream("a page", other.as_bytes(), Some(governed.company.home())).expect("a request");
        let other_plan = other.plan(None).expect("a plan");
        let error = other.sign_plan(&other_plan, &saved, &officer, &forged).expect_err("another plan");
        assert!(matches!(error, SaveError::Review(ReviewError::Differs { .. })), "{error:?}");
        assert_eq!(governed.company.charges(), 0);
        assert_eq!(governed.company.watched.prepared.load(Ordering::Relaxed), 0, "the data was not looked at");
        // A rehearsal charges nothing, and needs no review.
        assert!(open().rehearse(&target(), Draws::Private, nobody()).is_ok());
        assert_eq!(release(Some(&signed)).expect("released"), ReleasedAs::Charged);
    }
}

#[test]
fn what_a_policy_says_of_a_request_is_told_before() {
    let governed = Governed::with(
        "ledger = \"HOME/book.sqlite\"\nunknown-accounts = \"deny\"\n\
         [[account]]\nname = \"employees\"\nsources = [\"HOME/data/hr\"]\n",
    );
    let session = governed.company.session();
    let refusals = |text: &str| {
        let opened = session.open_stream("a page", text.as_bytes(), Some(&governed.at("work"))).expect("a request");
        let findings = opened.policy_findings().expect("a policy");
        findings.into_iter().filter_map(|finding| Some((finding.what, finding.refusal?))).collect::<Vec<_>>()
    };
    let home = governed.home().display().to_string();
    let right = REQUEST.replace(REAL.0, &REAL.1.replace("HOME", &home));
    let unknown = PolicyRefusal::UnknownAccount { account: "employees".into() };
    assert_eq!(refusals(&right), [("account", unknown)]);
    governed.open("book.sqlite", "employees");
    assert_eq!(refusals(&right), []);
    let not_its = PolicyRefusal::NotItsSource { account: "employees".into() };
    assert_eq!(refusals(REQUEST), [("source", not_its)]);
    let elsewhere = right.replace("[ledger]\n", "[ledger]\npath = \"other.sqlite\"\n");
    assert_eq!(refusals(&elsewhere).len(), 1);
}
