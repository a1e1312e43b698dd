//! Whether a small group can be found by subtraction: from totals, from a second table, from another year's.
//!
//! By the rules of the account book (`docs/decisions/0008-what-adds-up.md`) and by group privacy: it must never call
//! safe what the book would refuse, nor what somebody could compute who knows a total from elsewhere. It is separate
//! because these answers are about more than one release. Read `account_facts.rs` next.

use super::{AccountFacts, ChargedBefore, KnownAccount, PlainAnswer};
use crate::odds::{Odds, Reader};
use crate::plan::Plan;
use crate::refusal::readable;
use crate::request::printable;
use incrowd_definition::{Binning, Difference, Reading};
use incrowd_exact::Rational;
use incrowd_privacy::{Epsilon, Level, group_delta};

/// What bounds the loss of people in the largest groups.
pub(super) enum Tail {
    /// An epsilon that holds for everybody.
    Bounded(Rational),
    /// Counts of groups of so many people may be exact.
    Exact,
    /// An epsilon that grows with every person by this much.
    Growing(Rational),
}

impl Plan {
    /// Returns what bounds the loss of people in the largest groups.
    pub(super) fn tail(&self) -> Tail {
        let last = &self.curve.runs()[self.curve.runs().len() - 1];
        match (self.cost().epsilon, &last.level) {
            (Epsilon::Finite(epsilon), _) => Tail::Bounded(epsilon),
            (Epsilon::Infinite, Level::Proportional(slope)) => Tail::Growing(slope.clone()),
            (Epsilon::Infinite, Level::Constant(_)) => Tail::Exact,
        }
    }

    /// Returns the three answers about subtraction.
    pub(super) fn adding_up(&self, account: &AccountFacts) -> Vec<PlainAnswer> {
        vec![
            PlainAnswer::new("By subtraction from totals?", self.total_words()),
            PlainAnswer::new("From a second table?", self.second_table_words(account)),
            PlainAnswer::new("From last year's table?", self.last_year_words(account)),
        ]
    }

    fn total_words(&self) -> Vec<String> {
        let sums =
            "not from totals of this release: they are sums of published values, and tell nothing that these do not"
                .to_string();
        let sampled = self.sampling_chance().is_some();
        match (self.tail(), sampled) {
            (Tail::Bounded(epsilon), _) => vec![sums, self.known_total_words(&epsilon)],
            (Tail::Exact, true) => {
                vec![sums, "nobody knows the true totals of a secret sample but from what is published".into()]
            }
            (Tail::Exact, false) => {
                let yes = "from a total that is known from elsewhere, yes: large groups are published exactly";
                let example = match self.margin() {
                    Some(Difference { larger, smaller, left, .. }) => {
                        format!(
                            ": the true total of {larger} minus what is published of {smaller} = {left}, however few"
                        )
                    }
                    None => String::new(),
                };
                vec![sums, format!("{yes}{example}")]
            }
            (Tail::Growing(slope), _) => vec![
                sums,
                format!(
                    "from a total that is known from elsewhere, nothing bounds it: epsilon grows by {} with every person, so \
                     that large groups are published ever more exactly",
                    readable(&slope)
                ),
            ],
        }
    }

    /// Whoever knows a total can ask in which of two groups a person is: to move her is to take her out and to put her
    /// in again, which costs both epsilons and `delta (1 + e^eps)` (group privacy of two).
    fn known_total_words(&self, largest: &Rational) -> String {
        let (step, _) = self.steps(largest);
        let odds = self.moved(&step);
        let [noun, nouns] = self.nouns();
        let several = self.request.bins_per_person() > 1 || self.request.periods_per_person() > 1;
        let which = match (several, step.1) {
            (true, None) => format!("in which of two sets of {nouns} a person is"),
            (true, Some(to)) => format!("in which of two sets of {nouns}, all of up to {to}, a person is"),
            (false, None) => format!("in which of two {nouns} a person is"),
            (false, Some(1)) => format!("in which of two {nouns} a person is alone"),
            (false, Some(to)) => format!("in which of two {nouns} of up to {to} a person is"),
        };
        let knowing = match self.reader(&odds, &step) {
            Reader::Anybody => "whoever knows the true total from elsewhere",
            Reader::KnowsTheOthers => "whoever knows the true total from elsewhere, and how many others are in both,",
        };
        format!(
            "{knowing} may ask {which}: what it costs to take her out of one {noun} and to put her into another adds up, and \
             from even odds nobody {}becomes surer than {} %{}",
            odds.rightly(),
            odds.surer_than,
            odds.except_words()
        )
    }

    fn second_table_words(&self, account: &AccountFacts) -> Vec<String> {
        match self.tail() {
            Tail::Bounded(epsilon) => {
                let charged = "every further release about the same people is charged to the same account, and what they may tell \
                               adds up";
                let together = match account.before() {
                    Some((before, known)) => self.together_words(&epsilon, before, known),
                    None => self.twice_words(&epsilon),
                };
                std::iter::once(charged.to_string()).chain(together).collect()
            }
            Tail::Exact if self.request.bins_per_person() > 1 => {
                vec!["a table of other bins is refused by the account: exact counts of people in several bins add up with the same bins alone".into()]
            }
            Tail::Exact => {
                let refused = "a second table of exact counts in other bins is refused by the account, because two exact counts can \
                               be subtracted from each other";
                let again = match self.request.ledger.snapshot {
                    Some(_) => ", and so do the same bins of this snapshot once more",
                    None => "",
                };
                vec![
                    refused.into(),
                    format!("tables that promise a finite epsilon to everybody add up with this one{again}"),
                ]
            }
            Tail::Growing(_) => vec![
                "only tables of the same bins add up with this one; others are refused by the account, because epsilon grows without \
                 an end: a `cap` in [promise] ends it"
                    .into(),
            ],
        }
    }

    fn last_year_words(&self, account: &AccountFacts) -> Vec<String> {
        if let Some(period) = account.own_people_of_each() {
            return vec![format!(
                "the account declares that nobody is in two {period}s: each has a budget of its own, and tables of two of them \
                 are about different people"
            )];
        }
        match self.tail() {
            Tail::Bounded(_) => vec![
                "that is charged to the same account, as another `snapshot`, and adds up like a second table; whoever is in both \
                 has lost both"
                    .into(),
            ],
            Tail::Exact => vec![
                "exact counts of another state of the data are refused by the account: whoever came, went or changed in between \
                 would be the difference"
                    .into(),
            ],
            Tail::Growing(_) => vec!["refused by the account as well: another `snapshot` is another table".into()],
        }
    }

    /// How sure anybody can become by two such releases: losses of a person add up.
    fn twice_words(&self, largest: &Rational) -> Vec<String> {
        let (step, whole) = self.steps(largest);
        let about_all = self.twice(&whole);
        let nobody = self.reader(&about_all, &whole).nobody();
        let all = format!(
            "after two such releases {nobody} {}becomes surer than {} % whether a person is in the data, from even odds{}",
            about_all.rightly(),
            about_all.surer_than,
            about_all.except_words()
        );
        let small = step.1.map(|to| {
            let odds = self.twice(&step);
            format!(
                "of a person whose groups are of up to {to} in both, {} {}becomes surer than {} %{}",
                Reader::KnowsTheOthers.nobody(),
                odds.rightly(),
                odds.surer_than,
                odds.except_words()
            )
        });
        std::iter::once(all).chain(small).collect()
    }

    /// How sure anybody can become by what the account has paid for and this release together.
    fn together_words(&self, largest: &Rational, before: &ChargedBefore, known: &KnownAccount) -> Vec<String> {
        let (step, whole) = self.steps(largest);
        let delta = &before.delta + &known.charged_delta;
        let odds = |to: Option<u64>, epsilon: Rational| Odds::bounded((1, to), &epsilon, &delta);
        let about_all = odds(None, &before.epsilon + &whole.0);
        let nobody = self.reader(&about_all, &whole).nobody();
        let charges =
            if before.charges == 1 { "1 release".to_string() } else { format!("{} releases", before.charges) };
        let all = format!(
            "account {} has paid for {charges} about these people: by them and this one together {nobody} {}becomes surer than {} \
             % whether a person is in the data, from even odds{}",
            printable(&known.account),
            about_all.rightly(),
            about_all.surer_than,
            about_all.except_words()
        );
        let small = step.1.zip(before.epsilon_of_small.as_ref()).map(|(to, earlier)| {
            let odds = odds(Some(to), earlier + &step.0);
            format!(
                "of a person whose groups are of up to {to} in all of them, {} {}becomes surer than {} %{}",
                Reader::KnowsTheOthers.nobody(),
                odds.rightly(),
                odds.surer_than,
                odds.except_words()
            )
        });
        std::iter::once(all).chain(small).collect()
    }

    /// The strictest step, and what holds for everybody: each with its end and its epsilon over all bins and periods.
    fn steps(&self, largest: &Rational) -> (PromisedStep, PromisedStep) {
        let whole = (largest.clone(), None);
        let small = self.small().filter(|_| self.charged_sample().is_none() && self.kind.is_one_law());
        let epsilon = |to: u64| self.whole_curve().epsilon(to).finite().cloned();
        match small.and_then(|to| Some((epsilon(to)?, Some(to)))) {
            Some(step) => (step, whole),
            None => (whole.clone(), whole),
        }
    }

    pub(super) fn twice(&self, step: &PromisedStep) -> Odds {
        let two = Rational::from(2u8);
        Odds::bounded((1, step.1), &(&step.0 * &two), &(self.cost().delta * two))
    }

    /// Out of a group of one step and into another; the delta of a person is that of everybody.
    pub(super) fn moved(&self, step: &PromisedStep) -> Odds {
        let both = &step.0 * Rational::from(2u8);
        Odds::bounded((1, step.1), &both, &group_delta(2, &both, &self.cost().delta))
    }

    /// Of everybody it holds whatever anybody knows, where it cannot fail.
    fn reader(&self, odds: &Odds, step: &PromisedStep) -> Reader {
        if step.1.is_none() && !odds.may_fail() { Reader::Anybody } else { Reader::KnowsTheOthers }
    }

    /// Returns how a known total isolates a cell, from the definitions alone.
    fn margin(&self) -> Option<Difference> {
        Binning::read(&self.request.binning_text(Some(&Reading::default().canonical()))).and_then(|own| own.margin())
    }
}

/// An epsilon, and the largest size of a group that it is promised to.
pub(super) type PromisedStep = (Rational, Option<u64>);
