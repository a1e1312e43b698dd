//! The releases that an account has paid for, and what they promise together.
//!
//! Equal releases are kept together with how often they were made, so that a million charges are as quickly added up as
//! ten; it must never leave one out, however it ended. It is separate from `account.rs`, which judges, because this
//! only counts. Read `incrowd_privacy::compose` for the rules.

use crate::account_name::is_line;
use crate::charge::MOST_IN_A_NAME;
use crate::damage::Fault;
use crate::entry::Charged;
use crate::line::Line;
use crate::promise::curve;
use incrowd_definition::Binning;
use incrowd_exact::Rational;
use incrowd_privacy::{
    Apart, Bins, Clash, Epsilon, Loss, Part, Relation, ReleasedLoss, Total, by_group, compose, in_every_table,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// What was released, in groups of equal releases.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Tally {
    groups: Vec<Group>,
    /// Where a group is, by what makes it equal.
    places: BTreeMap<Charged, usize>,
    /// The binnings whose definitions the book has, by their hashes.
    binnings: BTreeMap<String, Arc<Binning>>,
    /// The group of the last release: the next is often the same.
    last: usize,
    /// Where a group is, by the texts of its lines.
    lines: HashMap<Texts, usize>,
}

/// The texts of a line by which releases are equal, each with its length.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Texts(String);

impl Texts {
    fn key(texts: [Option<&str>; 5]) -> Texts {
        let mut key = String::with_capacity(256);
        for text in texts {
            let text = text.unwrap_or_default();
            key.push_str(text);
            // No text of a charge holds a control character, so that nothing runs together.
            key.push('\n');
        }
        Texts(key)
    }
}

/// Equal releases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    /// What each of them charged; which plan it was does not matter here.
    pub charged: Charged,
    pub times: u64,
}

impl Tally {
    /// Counts the release of a line that was verified; a line like one before it is not read again.
    pub fn add_line(&mut self, line: &Line<'_>) -> Result<(), Fault> {
        let texts = [line.snapshot, line.binning_hash, line.promise, line.epsilon, line.delta];
        let plain = line.plan_hash.is_some_and(|hash| is_line(hash, MOST_IN_A_NAME)) && !line.has_surplus();
        if plain && let Some(group) = self.lines.get(&Texts::key(texts)).and_then(|group| self.groups.get_mut(*group)) {
            group.times += 1;
            return Ok(());
        }
        let charged = line.charged()?;
        self.add(&charged);
        self.lines.insert(Texts::key(texts), self.last);
        Ok(())
    }

    /// Counts a release.
    pub fn add(&mut self, charged: &Charged) {
        let equal = |group: &Group| {
            let (one, other) = (&group.charged, charged);
            one.snapshot == other.snapshot
                && one.binning_hash == other.binning_hash
                && one.promise == other.promise
                && one.epsilon == other.epsilon
                && one.delta == other.delta
        };
        if !self.groups.get(self.last).is_some_and(equal) {
            let key = Charged { plan_hash: String::new(), ..charged.clone() };
            let next = self.groups.len();
            self.last = *self.places.entry(key.clone()).or_insert(next);
            if self.last == next {
                self.groups.push(Group { charged: key, times: 0 });
            }
        }
        if let Some(group) = self.groups.get_mut(self.last) {
            group.times += 1;
        }
    }

    /// The groups, in the order of their first releases.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Every binning that was released, by its hash.
    pub fn binning_hashes(&self) -> BTreeSet<&str> {
        self.groups.iter().map(|group| group.charged.binning_hash.as_str()).collect()
    }

    /// Takes the definition of a binning.
    pub fn define(&mut self, hash: &str, binning: Arc<Binning>) {
        self.binnings.insert(hash.to_string(), binning);
    }

    /// Returns a tally of nothing that knows the same definitions.
    pub fn without_releases(&self) -> Tally {
        Tally { binnings: self.binnings.clone(), ..Tally::default() }
    }

    /// Whether the book has a definition of a binning that is understood.
    pub fn is_defined(&self, hash: &str) -> bool {
        self.binnings.contains_key(hash)
    }

    /// Returns the releases of one snapshot, or of all; splits by these columns are of different people.
    pub fn releases(&self, snapshot: Option<&str>, splits: &BTreeSet<String>) -> Releases {
        let splits = Splits(splits.clone());
        let mut releases =
            Releases { all: Vec::new(), hashes: Vec::new(), binnings: Vec::new(), splits, tangled: BTreeSet::new() };
        let wanted = |group: &&Group| snapshot.is_none_or(|snapshot| snapshot == group.charged.snapshot);
        for group in self.groups.iter().filter(wanted) {
            let binning = self.binnings.get(&group.charged.binning_hash).cloned();
            releases.push(&group.charged, binning, group.times);
        }
        releases
    }
}

/// Releases as composition sees them.
pub(crate) struct Releases {
    pub all: Vec<ReleasedLoss>,
    hashes: Vec<String>,
    binnings: Vec<Option<Arc<Binning>>>,
    splits: Splits,
    /// The series whose runs share periods.
    tangled: BTreeSet<String>,
}

/// The columns of which the account declares that nobody has two values.
struct Splits(BTreeSet<String>);

impl Splits {
    fn is_declared(&self, binning: &Binning) -> bool {
        binning.split_column().is_some_and(|column| self.0.contains(column))
    }

    /// Whether nobody is in two periods of a series: each row has one period, and where a person has many rows, the
    /// account declares the column of the periods.
    fn keeps_periods_apart(&self, binning: &Binning) -> bool {
        binning.series().is_some_and(|series| binning.rows_are_people() || self.0.contains(&series.column))
    }

    /// Whether the account declares what a reason rests on, by which two binnings have nobody in common.
    fn confirm(&self, reason: Apart, first: &Binning, second: &Binning) -> bool {
        match reason {
            Apart::Parts => self.is_declared(first) && self.is_declared(second),
            Apart::Periods => self.keeps_periods_apart(first) && self.keeps_periods_apart(second),
        }
    }
}

impl Releases {
    /// Adds a release that was made so often.
    ///
    /// Where nobody named the state of the data, every release is of a state of its own: a second one stands beside the
    /// first.
    pub fn push(&mut self, charged: &Charged, binning: Option<Arc<Binning>>, times: u64) {
        let unnamed = binning.as_ref().is_some_and(|binning| !binning.names_its_snapshot());
        if unnamed && times > 1 {
            self.push_alike(charged, binning.clone(), times - 1);
            self.push_alike(charged, binning, 1);
        } else {
            self.push_alike(charged, binning, times);
        }
    }

    fn push_alike(&mut self, charged: &Charged, binning: Option<Arc<Binning>>, times: u64) {
        let named = binning.as_ref().is_none_or(|binning| binning.names_its_snapshot());
        let known = self.hashes.iter().position(|hash| named && *hash == charged.binning_hash);
        let number = known.unwrap_or_else(|| {
            self.hashes.push(charged.binning_hash.clone());
            self.binnings.push(binning.clone());
            self.hashes.len() - 1
        });
        let part = binning.as_ref().and_then(|binning| match binning.series() {
            Some(_) if self.splits.keeps_periods_apart(binning) => self.periods(binning),
            Some(_) => None,
            None => binning.part().filter(|_| self.splits.is_declared(binning)),
        });
        self.all.push(ReleasedLoss {
            curve: curve(&charged.promise),
            epsilon: charged.epsilon.clone(),
            delta: charged.delta.clone(),
            binning: number,
            bins: match binning.as_ref().map(|binning| binning.bins_per_person()) {
                Some(1) => Bins::One,
                Some(_) | None => Bins::Several,
            },
            unit: binning.as_ref().map(|binning| binning.unit()),
            part,
            times,
        });
    }

    /// Returns the periods of a run as a part of the people, if nobody is in two.
    ///
    /// Runs of one series that share some periods are not parts: then all of its runs add up.
    fn periods(&mut self, binning: &Binning) -> Option<Part> {
        let (part, series) = binning.periods_part().zip(binning.series())?;
        let others = self.binnings.iter().flatten();
        let others = others.filter(|other| other.periods_part().is_some_and(|other| other.split == part.split));
        let tangled = others.filter_map(|other| other.series()).any(|other| {
            let same = (other.first, other.last) == (series.first, series.last);
            !same && other.first <= series.last && series.first <= other.last
        });
        if tangled {
            self.tangled.insert(part.split.clone());
            let of_it =
                |release: &&mut ReleasedLoss| release.part.as_ref().is_some_and(|other| other.split == part.split);
            self.all.iter_mut().filter(of_it).for_each(|release| release.part = None);
        }
        (!self.tangled.contains(&part.split)).then_some(part)
    }

    /// What they promise together.
    pub fn total(&self) -> Result<Total, Clash> {
        compose(&self.all, &|first, second| self.relation(first, second))
    }

    /// What a person in groups of at most `count` is promised.
    pub fn by_group(&self, count: u64) -> Epsilon {
        by_group(&self.all, &|first, second| self.relation(first, second), count)
    }

    /// What a person whose groups have at most `count` people in every table is promised.
    pub fn in_every_table(&self, count: u64) -> Epsilon {
        in_every_table(&self.all, count)
    }

    /// The definition of a release's binning.
    pub fn binning(&self, release: usize) -> Option<&Arc<Binning>> {
        self.all.get(release).and_then(|release| self.binnings.get(release.binning)?.as_ref())
    }

    /// Returns the worst pairs of all releases, bin by bin; nothing if one of them is unbounded.
    pub fn losses(&self) -> Option<Vec<Loss>> {
        self.all
            .iter()
            .map(|release| {
                let binning = self.binnings.get(release.binning)?.as_ref();
                // What is chosen among all of her bins at once cannot be taken apart.
                let apart = binning.filter(|binning| binning.draws_bin_by_bin());
                let bins = apart.map_or(1, |binning| binning.bins_per_person());
                let parts = Rational::from(bins);
                let epsilon = release.epsilon.finite()? / &parts;
                Some(Loss { epsilon, delta: &release.delta / &parts, times: release.times.checked_mul(bins)? })
            })
            .collect()
    }

    fn relation(&self, first: usize, second: usize) -> Relation {
        if first == second {
            return Relation::Same;
        }
        match (self.binnings.get(first), self.binnings.get(second)) {
            (Some(Some(first)), Some(Some(second))) => {
                first.relation_where(second, &|reason| self.splits.confirm(reason, first, second))
            }
            // Without its definition nothing is proved about a binning.
            (Some(_) | None, Some(_) | None) => Relation::Different,
        }
    }
}
