//! A session without a command line: what a front end of a few lines gets, and the guards that hold behind every one.

mod company;
mod governed;

use company::{Company, REQUEST, nobody, target};
use incrowd_release::release::ReleaseFailure;
use incrowd_release::session::{
    Consent, Draws, FailureClass, LedgerLocation, LocationError, OpenError, ReleaseError, ReleasedAs, ReviewError,
    Session, Target, Warning, WrongClock,
};
use incrowd_release::verify::{MOST_WORK, verify};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::SystemTime;

/// A front end.
fn front_end(session: &Session, request: &Path) -> Result<String, (FailureClass, String)> {
    let opened = session.open(request).map_err(|error| (FailureClass::Unusable, error.to_string()))?;
    let plan = opened.plan(None).map_err(|refusal| (FailureClass::Refused, refusal.to_string()))?;
    let released = opened.release(&target(), Draws::Private, nobody());
    let released = released.map_err(|error| (error.class(), error.to_string()))?;
    let verdict = verify(&released.delivered.folder, MOST_WORK);
    let verdict = verdict.map_err(|error| (FailureClass::Unusable, error.to_string()))?;
    Ok(format!("{}: verified {}", plan.title(), verdict.is_passed()))
}

fn synthetic() -> String {
    REQUEST.replace("[data]\n", "[data]\nsynthetic = true\n")
}

#[test]
fn a_front_end_of_ten_lines_plans_releases_and_verifies() {
    let company = Company::with(REQUEST);
    let said = front_end(&company.session(), &company.home().join("request.toml")).expect("released");
    assert_eq!(said, "People by department, from employees.csv: verified true");
    assert_eq!(company.charges(), 1);
    let again = front_end(&company.session(), &company.home().join("request.toml")).expect_err("it is there");
    assert_eq!(again.0, FailureClass::Refused);
    assert!(again.1.starts_with("this request was delivered already"), "{}", again.1);
    assert!(again.1.ends_with(&format!("in {}", company.home().join("out").display())), "{}", again.1);
    assert_eq!(company.charges(), 1, "nothing more was charged");
}

#[test]
fn the_charge_is_in_the_book_before_the_engine_counts() {
    let company = Company::with(REQUEST);
    let released = company.release(Draws::Private).expect("released");
    assert_eq!(released.way, ReleasedAs::Charged);
    assert_eq!(released.ledger, LedgerLocation::File(company.book()));
    assert_eq!(released.after.expect("an account").charges(), 1);
    assert_eq!(company.watched.counted.load(Ordering::Relaxed), 1);
    assert_eq!(company.watched.charges_before_reading.load(Ordering::Relaxed), 1);
}

#[test]
fn an_account_that_nobody_opened_is_warned_of_once() {
    let company = Company::with(REQUEST);
    company.release(Draws::Private).expect("released");
    let warnings = company.warnings.lock().expect("warnings").clone();
    let [Warning::NewAccount { account, others, .. }] = &warnings[..] else { panic!("{warnings:?}") };
    assert_eq!((account.as_str(), others.len()), ("employees", 0));
    std::fs::remove_dir_all(company.home().join("out")).expect("removed");
    let (session, request) = (company.session(), company.home().join("request.toml"));
    let refused = company.release(Draws::Private).expect_err("delivered before");
    assert!(matches!(refused, ReleaseError::Repeated { folder: None, .. }), "{refused:?}");
    assert_eq!(company.watched.prepared.load(Ordering::Relaxed), 1, "the data was not looked at again");
    let again = session.open(&request).expect("a request").again();
    again.release(&target(), Draws::Private, nobody()).expect("released");
    assert_eq!(company.charges(), 2);
    assert_eq!(company.warnings.lock().expect("warnings").len(), 1);
}

#[test]
fn a_known_seed_is_refused_for_real_people_and_never_charged_to_a_book_that_lasts() {
    let company = Company::with(REQUEST);
    let refused = company.release(Draws::Known { seed: 7 }).expect_err("refused");
    assert!(matches!(refused, ReleaseError::KnownSeed), "{refused:?}");
    assert_eq!(refused.class(), FailureClass::Unusable);
    assert_eq!(company.watched.prepared.load(Ordering::Relaxed), 0, "the data was not looked at");
    let made_up = Company::with(&synthetic());
    let released = made_up.release(Draws::Known { seed: 7 }).expect("released");
    assert_eq!((released.way, released.ledger), (ReleasedAs::KnownSeed, LedgerLocation::Memory));
    assert!(!made_up.book().exists());
}

#[test]
fn a_book_that_forgets_is_refused_for_real_people() {
    for named in [":memory:".to_string(), String::new()] {
        let text = REQUEST.replace("[ledger]\n", "[ledger]\npath = \":memory:\"\n");
        let mut company = Company::with(if named.is_empty() { &text } else { REQUEST });
        company.ledger = (!named.is_empty()).then(|| named.into());
        let refused = company.release(Draws::Private).expect_err("refused");
        assert!(matches!(refused, ReleaseError::Location(LocationError::ForgottenBook)), "{refused:?}");
        assert_eq!(company.watched.prepared.load(Ordering::Relaxed), 0, "the data was not looked at");
    }
    let mut made_up = Company::with(&synthetic());
    made_up.ledger = Some(":memory:".into());
    assert_eq!(made_up.release(Draws::Private).expect("released").way, ReleasedAs::Forgotten);
    // Without a request there is nothing that could be made up.
    let alone = made_up.session().environment().ledger();
    assert_eq!(alone, Err(LocationError::NothingToRemember));
}

#[test]
fn nothing_runs_but_the_plan_that_was_reviewed() {
    let company = Company::with(REQUEST);
    let (session, saved) = (company.session(), company.home().join("plan.json"));
    let opened = session.open(&company.home().join("request.toml")).expect("a request");
    let plan = opened.plan(None).expect("a plan");
    let pins = opened.save_plan(&plan, &target(), None, &saved).expect("saved");
    let home = std::fs::canonicalize(company.home()).expect("a folder");
    let place = |name: &str| home.join(name).display().to_string();
    assert_eq!((pins.source, pins.output), (Some(place("employees.csv")), place("out")));
    assert_eq!(pins.ledger, place("data/incrowd/ledger.sqlite"));
    assert!(opened.save_plan(&plan, &target(), None, &saved).is_err(), "an existing file stays");
    let changed = REQUEST.replace("epsilon = 1", "epsilon = 2");
    let other = session.open_stream("a page", changed.as_bytes(), Some(company.home())).expect("a request");
    let refused = other.must_be(&saved).release(&target(), Draws::Private, nobody()).expect_err("refused");
    let ReleaseError::Review(ReviewError::Differs { fields, .. }) = &refused else { panic!("{refused:?}") };
    assert_eq!(fields[..], ["request_hash", "request", "cost", "exact"]);
    assert_eq!(refused.class(), FailureClass::Refused);
    assert_eq!((company.charges(), company.watched.prepared.load(Ordering::Relaxed)), (0, 0));
    let released = opened.must_be(&saved).release(&target(), Draws::Private, nobody());
    assert_eq!(released.expect("released").way, ReleasedAs::Charged);
}

#[test]
fn a_reviewed_plan_is_pinned_to_its_source_its_ledger_and_its_folder() {
    let mut company = Company::with(REQUEST);
    let (session, saved) = (company.session(), company.home().join("plan.json"));
    let request = company.home().join("request.toml");
    let opened = session.open(&request).expect("a request");
    opened.save_plan(&opened.plan(None).expect("a plan"), &target(), None, &saved).expect("saved");
    let differs = |session: &Session, text: &str, target: &Target| {
        let other = session.open_stream("a page", text.as_bytes(), Some(company.home())).expect("a request");
        let refused = other.must_be(&saved).release(target, Draws::Private, nobody()).expect_err("refused");
        let ReleaseError::Review(ReviewError::Differs { fields, .. }) = refused else { panic!("{refused:?}") };
        fields
    };
    let elsewhere = REQUEST.replace("employees.csv", "others.csv");
    assert_eq!(differs(&session, &elsewhere, &target()), ["source"]);
    let its_own_book = REQUEST.replace("[ledger]\n", "[ledger]\npath = \"throwaway.sqlite\"\n");
    assert_eq!(differs(&session, &its_own_book, &target()), ["ledger"]);
    let its_own_folder = format!("{REQUEST}[output]\nfolder = \"elsewhere\"\n");
    assert_eq!(differs(&session, &its_own_folder, &target()), ["output"]);
    let folder = Some(company.home().join("elsewhere"));
    assert_eq!(differs(&session, REQUEST, &Target { folder, ..target() }), ["output"]);
    let throwaway = Some(company.home().join("throwaway.sqlite"));
    assert_eq!((company.charges(), company.watched.prepared.load(Ordering::Relaxed)), (0, 0));
    // The same places in other words are the same places.
    let respelt = REQUEST.replace("employees.csv", "./data/../employees.csv");
    let other = session.open_stream("a page", respelt.as_bytes(), Some(company.home())).expect("a request");
    let rehearsed = other.must_be(&saved).rehearse(&target(), Draws::Private, nobody());
    assert_eq!(rehearsed.expect("rehearsed").way, ReleasedAs::Rehearsal);
    company.ledger = throwaway;
    let session = company.session();
    let other = session.open(&request).expect("a request").must_be(&saved);
    let refused = other.release(&target(), Draws::Private, nobody()).expect_err("refused");
    assert_eq!(refused.to_string(), "this is not the plan that was reviewed: ledger changed");
}

#[test]
fn a_name_that_a_book_with_others_does_not_know_is_refused_before_anything_is_charged() {
    let company = Company::with(REQUEST);
    company.release(Draws::Private).expect("released");
    let session = company.session();
    for name in ["employees ", "Employees", "emp1oyees", "employees2", "\u{435}mployees", "people"] {
        let text = REQUEST.replace("\"employees\"", &format!("\"{name}\""));
        let opened = session.open_stream("a page", text.as_bytes(), Some(company.home())).expect("a request");
        let other = Target { folder: Some(company.home().join("other")), ..target() };
        let refused = opened.release(&other, Draws::Private, nobody()).expect_err("refused");
        // A name that no account can have is refused by itself.
        if let ReleaseError::UnknownAccount(unknown) = &refused {
            assert_eq!(unknown.others.len(), 1);
            assert_eq!(unknown.hint().contains("did you mean \"employees\"?"), name != "people", "{}", unknown.hint());
        } else {
            assert!(matches!(refused, ReleaseError::Release(ReleaseFailure::Refused(_))), "{refused:?}");
        }
        assert_eq!(company.charges(), 1, "{name}");
    }
    let text = REQUEST.replace("\"employees\"", "\"people\"");
    let opened = session.open_stream("a page", text.as_bytes(), Some(company.home())).expect("a request").opening();
    let other = Target { folder: Some(company.home().join("other")), ..target() };
    assert!(opened.release(&other, Draws::Private, nobody()).expect("released").delivered.opened_account);
}

#[test]
fn who_is_asked_is_told_what_is_spent_of_what() {
    let company = Company::with(&synthetic());
    let session = company.session();
    let told = std::cell::RefCell::new(String::new());
    for answer in [Consent::Refused, Consent::Given] {
        let opened = session.open(&company.home().join("request.toml")).expect("a request");
        let opened = opened.agreed_by(|offer| {
            *told.borrow_mut() = offer.words();
            answer
        });
        let released = opened.release(&target(), Draws::Private, nobody());
        assert_eq!(released.is_ok(), answer == Consent::Given);
        assert_eq!(company.charges(), usize::from(answer == Consent::Given));
    }
    let told = told.into_inner();
    assert!(told.starts_with("this release charges epsilon 1, delta 0 to account employees in "), "{told}");
    assert!(told.contains("(it is not open, and would have no limit) and delivers "), "{told}");
    assert!(told.ends_with("made up (synthetic = true), with no person in it: asserted, not checked"), "{told}");
}

#[test]
fn a_rehearsal_reads_no_data_and_no_book_and_says_that_it_is_made_up() {
    let company = Company::with(REQUEST);
    let session = company.session();
    let opened = session.open(&company.home().join("request.toml")).expect("a request");
    let released = opened.rehearse(&target(), Draws::Private, nobody()).expect("rehearsed");
    assert_eq!((released.way, &released.ledger), (ReleasedAs::Rehearsal, &LedgerLocation::Memory));
    assert_eq!(released.target, company.home().join("out-rehearsal"));
    assert!(released.plan.request().data.as_ref().is_some_and(|data| data.synthetic));
    assert_eq!(company.watched.prepared.load(Ordering::Relaxed), 0, "the data was not looked at");
    assert!(!company.book().exists());
}

#[test]
fn a_clock_that_is_wrong_charges_nothing() {
    let mut company = Company::with(REQUEST);
    company.clock = SystemTime::UNIX_EPOCH;
    let refused = company.release(Draws::Private).expect_err("refused");
    assert!(matches!(refused, ReleaseError::Clock(WrongClock)), "{refused:?}");
    assert_eq!((company.charges(), company.watched.prepared.load(Ordering::Relaxed)), (0, 0));
}

#[test]
fn whatever_went_wrong_with_data_one_text_is_told_and_the_charge_stands() {
    let company = Company::with(REQUEST);
    company.watched.fails.store(true, Ordering::Relaxed);
    let failed = company.release(Draws::Private).expect_err("not counted");
    assert!(matches!(failed, ReleaseError::Release(ReleaseFailure::Undelivered { .. })), "{failed:?}");
    assert_eq!(failed.class(), FailureClass::Undelivered);
    assert!(failed.to_string().ends_with("): the data could not be counted to its end"), "{failed}");
    assert_eq!(company.charges(), 1);
    assert!(!company.home().join("out").exists());
}

#[test]
fn a_hierarchy_is_never_a_file_of_the_data() {
    let request = REQUEST.replace("release = \"histogram\"", "release = \"rows\"").replace(
        "[[bins]]\nname   = \"department\"\ncolumn = \"department\"\nvalues = [\"Sales\", \"Research\", \"Production\"]\n",
        "[[columns]]\nname = \"work\"\ncolumn = \"job\"\nhierarchy = \"work.csv\"\nlevel = 1\n",
    );
    let request = request.replace(
        "kind    = \"simple-outlier-dp\"\ngroup   = 100\nepsilon = 1",
        "kind = \"crowd-blending\"\ncrowd = 5\nepsilon = 0",
    );
    let company = Company::with(&request);
    std::fs::write(company.home().join("employees.csv"), "nurse,health\n").expect("written");
    std::fs::hard_link(company.home().join("employees.csv"), company.home().join("work.csv")).expect("linked");
    let (session, path) = (company.session(), company.home().join("request.toml"));
    let refused = session.open(&path).err().expect("refused");
    assert!(matches!(refused, OpenError::Hierarchy(_)), "{refused:?}");
    assert_eq!(refused.to_string(), "the hierarchy \"work.csv\" is a file of the data");
    std::fs::remove_file(company.home().join("work.csv")).expect("removed");
    std::fs::write(company.home().join("work.csv"), "nurse,health\n").expect("written");
    assert!(session.open(&path).is_ok());
}

#[test]
fn a_series_goes_on_after_what_its_book_has_delivered() {
    let series = REQUEST
        .replace("histogram", "series")
        .replace("[promise]", "[series]\nperiod = \"year\"\nfrom = 2020\nup-to = 2021\npeople = \"once\"\n[promise]");
    let company = Company::with(&series);
    company.release(Draws::Private).expect("released");
    std::fs::remove_dir_all(company.home().join("out")).expect("removed");
    let nothing_new = company.release(Draws::Private).expect_err("refused");
    assert_eq!(nothing_new.to_string(), "every period up to `up-to` was released before");
    assert_eq!((nothing_new.class(), company.charges()), (FailureClass::Refused, 1));
}

#[test]
fn a_wrong_request_says_where_it_was_read_from() {
    let company = Company::with(REQUEST);
    let session = company.session();
    let missing = session.open(&company.home().join("nowhere.toml")).err().expect("refused");
    assert!(matches!(missing, OpenError::Unreadable { .. }), "{missing:?}");
    let folder = session.open(company.home()).err().expect("refused");
    assert!(matches!(folder, OpenError::IsAFolder { .. }), "{folder:?}");
    let large = session.open_stream("a page", std::io::repeat(b' '), None).err().expect("refused");
    assert!(matches!(large, OpenError::TooLarge { .. }), "{large:?}");
    let wrong = session.open_stream("a page", "release = 7".as_bytes(), None).err().expect("refused");
    let OpenError::Request { name, text, .. } = &wrong else { panic!("{wrong:?}") };
    assert_eq!((name.as_str(), text.as_str()), ("a page", "release = 7"));
}
