//! A program read as a distribution: cell by cell, rounded down, with the error and the lost tails bounded.
//!
//! Every true probability lies between a cell and the cell plus `error` units; nothing may be dropped without being
//! added to `lost`. It is separate from `law.rs` because accounts need speed and laws need words. Read `account.rs`
//! next.

use crate::cells::{Cells, MAX_CELLS, Mass, TooManyOutcomes, reach};
use crate::curve::{Curve, Epsilon};
use crate::mechanism::SideOutput;
use crate::mechanism::lower_bound::LowerBound;
use crate::mechanism::program::{Outcome, Program, Publish, SideValue, Step, rate_of_count};
use crate::mechanism::tailored::Walker;
use crate::relay::RelayTable;
use incrowd_exact::{BitTest, Enclosure, Fixed, Integer, Rational, exp_neg};
use std::collections::BTreeMap;

/// What a bin may show at one count.
#[derive(Debug, Clone)]
pub struct Distribution<const N: usize> {
    /// Published values (for ranges: the middle), by what is told beside them.
    pub values: BTreeMap<SideValue, Cells<N>>,
    /// Outcomes without a value.
    pub others: BTreeMap<(SideValue, Outcome), Mass<N>>,
    /// An upper bound on the mass that is in no cell.
    pub lost: Fixed<N>,
}

impl<const N: usize> Distribution<N> {
    /// Returns what an absent bin shows: surely nothing.
    pub fn absent() -> Self {
        let sure = Mass { low: Fixed::one(), error: 0 };
        Distribution {
            values: BTreeMap::new(),
            others: BTreeMap::from([((SideValue::Nothing, Outcome::Suppressed), sure)]),
            lost: Fixed::ZERO,
        }
    }

    /// Returns the law of a program at a count, with tails cut below about `2^-tail_bits`.
    pub fn of(program: &Program, count: u64, tail_bits: usize) -> Result<Self, TooManyOutcomes> {
        let mut reader = Reader::new(program, count, tail_bits);
        let start = i64::try_from(count).map_err(|_| TooManyOutcomes)?;
        let mut states = BTreeMap::from([(side_value_at_first(program), Cells::sure(start))]);
        for step in &program.steps {
            states = reader.step(step, states)?;
        }
        for (side_value, cells) in states {
            reader.publish(&program.publish, side_value, cells)?;
        }
        Ok(reader.distribution)
    }
}

pub(crate) type States<const N: usize> = BTreeMap<SideValue, Cells<N>>;

/// Reads a program step by step.
pub(crate) struct Reader<const N: usize> {
    count: u64,
    side_output: SideOutput,
    tail_bits: usize,
    /// What was read so far.
    pub(crate) distribution: Distribution<N>,
}

impl<const N: usize> Reader<N> {
    /// Returns a reader of the program at a count; steps that only look at the working number do not ask for it.
    pub(crate) fn new(program: &Program, count: u64, tail_bits: usize) -> Self {
        let distribution = Distribution { values: BTreeMap::new(), others: BTreeMap::new(), lost: Fixed::ZERO };
        Reader { count, side_output: program.side_output, tail_bits, distribution }
    }

    fn step(&mut self, step: &Step, states: States<N>) -> Result<States<N>, TooManyOutcomes> {
        let mut after = States::new();
        for (side_value, cells) in states {
            match step {
                Step::AddNoise(rate) => merge(&mut after, side_value, self.noisy(cells, rate)?)?,
                Step::AddNoiseOfCount { curve, at_zero } => {
                    let rate = rate_of_count(curve, at_zero, self.count);
                    merge(&mut after, side_value, self.noisy(cells, &rate)?)?;
                }
                Step::AddNoiseOfDrawnEpsilon(bound) => self.draw_epsilon(bound, &mut after)?,
                Step::Walk(curve) => {
                    let cells = self.walk(curve, &side_value)?;
                    merge(&mut after, side_value, cells)?;
                }
                Step::Relay(table) => {
                    let cells = self.relay(table, &side_value)?;
                    merge(&mut after, side_value, cells)?;
                }
                Step::IfCountAtMost { limit, then } => {
                    let inner = States::from([(side_value, cells)]);
                    let done = if self.count <= *limit { self.steps(then, inner)? } else { inner };
                    for (side_value, cells) in done {
                        merge(&mut after, side_value, cells)?;
                    }
                }
                Step::IfAtMost { limit, then } => {
                    let (fired, kept) = cells.split_at_most(*limit);
                    merge(&mut after, heard(&side_value, false), kept)?;
                    let inner = States::from([(heard(&side_value, true), fired)]);
                    for (side_value, cells) in self.steps(then, inner)? {
                        merge(&mut after, side_value, cells)?;
                    }
                }
                Step::Suppress => self.no_value(side_value, Outcome::Suppressed, cells.total()),
            }
        }
        Ok(after)
    }

    pub(crate) fn steps(&mut self, steps: &[Step], mut states: States<N>) -> Result<States<N>, TooManyOutcomes> {
        for step in steps {
            states = self.step(step, states)?;
        }
        Ok(states)
    }

    fn noisy(&mut self, cells: Cells<N>, rate: &Epsilon) -> Result<Cells<N>, TooManyOutcomes> {
        match rate {
            Epsilon::Infinite => Ok(cells),
            Epsilon::Finite(rate) => cells.with_noise(rate, self.tail_bits, &mut self.distribution.lost),
        }
    }

    fn draw_epsilon(&mut self, bound: &LowerBound, after: &mut States<N>) -> Result<(), TooManyOutcomes> {
        let number = bound.number(self.count);
        let far = match &number.rate {
            Epsilon::Infinite => 0,
            Epsilon::Finite(rate) => reach(rate, self.tail_bits).ok_or(TooManyOutcomes)? as i64,
        };
        let bits = Fixed::<N>::BITS + 32;
        let (low, high) = (number.centre.saturating_sub(far), number.centre.saturating_add(far));
        let beyond = number.between(None, Some(low - 1), bits).plus(&number.between(Some(high + 1), None, bits));
        self.distribution.lost = self.distribution.lost.plus(Fixed::rounding_up(&beyond));
        let centre = i64::try_from(self.count).map_err(|_| TooManyOutcomes)?;
        let ready = number.ready(bits);
        let mut mixture = Vec::new();
        let mut work = 0usize;
        for (from, to, epsilon) in bound.stretches(low, high) {
            let weight = ready.sum(Some(from), Some(to));
            let side_value = match self.side_output {
                SideOutput::Published => SideValue::EpsilonTotal(epsilon.clone()),
                SideOutput::Hidden => SideValue::Nothing,
            };
            let left = bound.left_for_the_count(&epsilon);
            let (low, high) = (Fixed::<N>::rounding_down(&weight), Fixed::<N>::rounding_up(&weight));
            let error = error_between(low, high);
            if left.is_zero() {
                self.no_value(side_value, Outcome::Suppressed, Mass { low, error });
                continue;
            }
            let noisy = match &left {
                Epsilon::Infinite => Cells { start: centre, low: vec![low], error },
                Epsilon::Finite(rate) => self.noisy_point(centre, Mass { low, error }, rate)?,
            };
            work += noisy.low.len() + 1024;
            if work > MAX_CELLS {
                return Err(TooManyOutcomes);
            }
            match self.side_output {
                SideOutput::Published => merge(after, side_value, noisy)?,
                SideOutput::Hidden => mixture.push(noisy),
            }
        }
        merge(after, SideValue::Nothing, Cells::sum(mixture)?)?;
        Ok(())
    }

    /// Noise around one value: `s z^|d|`, built up by one product for each distance.
    ///
    /// Rounding down loses at most two units a step, which fade with the cells: `2/(1 - z)` in all. A light value needs
    /// a shorter reach: tails count with its weight.
    fn noisy_point(&mut self, centre: i64, weight: Mass<N>, rate: &Rational) -> Result<Cells<N>, TooManyOutcomes> {
        let lightness = weight.high().to_units();
        let lightness = Fixed::<N>::BITS.saturating_sub(lightness.bit_len());
        let tail_bits = self.tail_bits.saturating_sub(lightness);
        let reach = reach(rate, tail_bits).ok_or(TooManyOutcomes)?;
        let bits = Fixed::<N>::BITS + 32;
        let decay = exp_neg(rate, bits);
        let one = Enclosure::one(bits);
        let scale = Fixed::<N>::rounding_down(&one.minus(&decay).over(&one.plus(&decay)));
        // The tails, times a weight that is at most 2^-lightness.
        let tail = decay.power(reach as u64 + 1).over(&one.plus(&decay)).times_integer(2);
        let weight_up = Fixed::<N>::rounding_up(&tail).times_rounding_down(weight.high()).plus(Fixed::units(1));
        self.distribution.lost = self.distribution.lost.plus(weight_up);
        let fading = one.over(&one.minus(&decay)).times_integer(2).upper().ceil();
        let fading = u64::try_from(&fading).map_err(|_| TooManyOutcomes)?;
        let decay = Fixed::rounding_down(&decay);
        let mut cell = weight.low.times_rounding_down(scale);
        let mut low = vec![Fixed::ZERO; 2 * reach + 1];
        low[reach] = cell;
        for distance in 1..=reach {
            cell = cell.times_rounding_down(decay);
            low[reach - distance] = cell;
            low[reach + distance] = cell;
        }
        let error = weight.error.saturating_add(fading).saturating_add(4);
        Ok(Cells { start: centre - reach as i64, low, error })
    }

    fn walk(&mut self, curve: &Curve, side_value: &SideValue) -> Result<Cells<N>, TooManyOutcomes> {
        let walked = Walker::<N>::new(curve).cells(self.count, self.tail_bits).ok_or(TooManyOutcomes)?;
        self.distribution.lost = self.distribution.lost.plus(walked.lost);
        if let Some((at_most, low)) = walked.at_most {
            self.no_value(side_value.clone(), Outcome::AtMost(at_most), Mass { low, error: walked.error });
        }
        Ok(Cells { start: walked.start, low: walked.low, error: walked.error })
    }

    fn relay(&mut self, table: &RelayTable, side_value: &SideValue) -> Result<Cells<N>, TooManyOutcomes> {
        let law = table.law(self.count);
        let bits = Fixed::<N>::BITS.max(128);
        let mass = |units: Integer| {
            let enclosure = Enclosure::between(units.clone(), units, 128).with_bits(bits);
            let (low, high) = (Fixed::<N>::rounding_down(&enclosure), Fixed::<N>::rounding_up(&enclosure));
            Mass { low, error: error_between(low, high) }
        };
        self.no_value(side_value.clone(), Outcome::Suppressed, mass(Integer::from(law.nothing.clone())));
        let Some((first, _)) = law.published.first() else { return Ok(Cells::EMPTY) };
        let first = *first;
        let last = law.published.last().map_or(first, |(value, _)| *value);
        let length = usize::try_from(last - first + 1).unwrap_or(usize::MAX);
        if length > MAX_CELLS {
            return Err(TooManyOutcomes);
        }
        let mut low = vec![Fixed::ZERO; length];
        let mut error = 0;
        for (value, units) in &law.published {
            let mass = mass(Integer::from(units.clone()));
            low[(value - first) as usize] = mass.low;
            error = error.max(mass.error);
        }
        Ok(Cells { start: i64::try_from(first).map_err(|_| TooManyOutcomes)?, low, error })
    }

    pub(crate) fn publish(
        &mut self,
        publish: &Publish,
        side_value: SideValue,
        cells: Cells<N>,
    ) -> Result<(), TooManyOutcomes> {
        match publish {
            Publish::Value { from: None } => merge(&mut self.distribution.values, side_value, cells),
            Publish::Value { from: Some(from) } => {
                let (below, kept) = cells.split_at_most(from - 1);
                self.no_value(side_value.clone(), Outcome::Suppressed, below.total());
                self.hide_at_most(&side_value);
                merge(&mut self.distribution.values, side_value, kept)
            }
            Publish::Range { half_width } => {
                let half = i64::try_from(*half_width).unwrap_or(i64::MAX / 4);
                let count = i64::try_from(self.count).map_err(|_| TooManyOutcomes)?;
                let (below, rest) = cells.split_at_most(count - half - 1);
                let (kept, above) = rest.split_at_most(count + half);
                let mut outside = below.total();
                outside.add(above.total());
                self.no_value(side_value.clone(), Outcome::Suppressed, outside);
                merge(&mut self.distribution.values, side_value, kept)
            }
        }
    }

    /// Where only values from a threshold on are published, "at most Z" is not one of them.
    fn hide_at_most(&mut self, side_value: &SideValue) {
        let (hidden, kept) = std::mem::take(&mut self.distribution.others)
            .into_iter()
            .partition(|((beside, outcome), _)| beside == side_value && matches!(outcome, Outcome::AtMost(_)));
        self.distribution.others = kept;
        for (_, mass) in hidden {
            self.no_value(side_value.clone(), Outcome::Suppressed, mass);
        }
    }

    pub(crate) fn no_value(&mut self, side_value: SideValue, outcome: Outcome, mass: Mass<N>) {
        self.distribution.others.entry((side_value, outcome)).or_insert(Mass::NONE).add(mass);
    }
}

/// Returns what is told before the first step.
pub(crate) fn side_value_at_first(program: &Program) -> SideValue {
    match (program.side_output, program.steps.iter().any(|step| matches!(step, Step::IfAtMost { .. }))) {
        (SideOutput::Published, true) => SideValue::Levels(Vec::new()),
        (SideOutput::Published, false) | (SideOutput::Hidden, _) => SideValue::Nothing,
    }
}

pub(crate) fn merge<const N: usize>(
    states: &mut States<N>,
    side_value: SideValue,
    cells: Cells<N>,
) -> Result<(), TooManyOutcomes> {
    states.entry(side_value).or_insert(Cells::EMPTY).add(cells)
}

fn heard(side_value: &SideValue, fired: bool) -> SideValue {
    match side_value {
        SideValue::Levels(levels) => SideValue::Levels(levels.iter().copied().chain([fired]).collect()),
        SideValue::Nothing => SideValue::Nothing,
        SideValue::EpsilonTotal(epsilon) => SideValue::EpsilonTotal(epsilon.clone()),
    }
}

/// Returns how many units `high` is above `low`, rounded up.
fn error_between<const N: usize>(low: Fixed<N>, high: Fixed<N>) -> u64 {
    u64::try_from(&(high.to_units() - low.to_units())).unwrap_or(u64::MAX / 1024)
}
