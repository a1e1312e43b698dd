//! The tailored geometric law as a walk: a coin for up, stay or down, then geometric runs.
//!
//! It must never step across a joint of the curve without tossing the joint's own coin. It is separate from
//! `sampler.rs` because no other mechanism walks. The chances are those of the tails in `incrowd_privacy::tailored`.
//!
//! From the count `k`: down with `r_k/(1+r_k)`, up with `r_{k+1}/(1+r_{k+1})`, else stay. Having come up to `j`, on to
//! `j+1` with `r_{j+1}(1+r_j)/(1+r_{j+1})`; having come down to `j`, on to `j-1` with `r_j(1+r_{j+1})/(1+r_j)`. Inside
//! a stretch of equal epsilon both are plain `r`: a geometric number of steps, cut at the end of the stretch.

use crate::bits::Bits;
use crate::coin::{Coin, bernoulli};
use crate::geometric::Geometric;
use crate::rate::RateError;
use incrowd_exact::Enclosure;
use incrowd_privacy::{Curve, Epsilon, Level, tailored};
use std::sync::OnceLock;

/// A curve made ready for drawing; tables are built when a stretch is first walked through.
pub(crate) struct Walk {
    curve: Curve,
    last_zero: u64,
    last_finite: Option<u64>,
    stretches: Vec<Stretch>,
}

/// What a walk ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Landing {
    Value(u64),
    AtMost(u64),
}

#[derive(Default)]
struct Stretch {
    steps: OnceLock<Geometric>,
    /// First choice for counts strictly inside, and for the last count of the stretch.
    inside: OnceLock<[Coin; 2]>,
    at_end: OnceLock<[Coin; 2]>,
    /// Across the joint to the next stretch, upwards and downwards.
    up: OnceLock<Coin>,
    down: OnceLock<Coin>,
}

impl Walk {
    /// Returns the walk of a curve that is not zero everywhere, or why its noise cannot be drawn.
    pub(crate) fn new(curve: &Curve) -> Result<Self, RateError> {
        for run in curve.runs() {
            if let Some(epsilon) = curve.epsilon(run.from).finite()
                && !curve.epsilon(run.from).is_zero()
            {
                crate::rate::check(epsilon)?;
            }
        }
        Ok(Walk {
            last_zero: curve.last_zero().unwrap_or(0),
            last_finite: curve.last_finite(),
            stretches: curve.runs().iter().map(|_| Stretch::default()).collect(),
            curve: curve.clone(),
        })
    }

    /// Returns one draw at a count.
    pub(crate) fn draw(&self, count: u64, bits: &mut impl Bits) -> Landing {
        if self.last_finite.is_some_and(|last| count > last) {
            return Landing::Value(count);
        }
        let start = count.max(self.last_zero);
        match self.first_choice(start, bits) {
            Choice::Up => Landing::Value(self.climb(start + 1, bits)),
            Choice::Stay | Choice::Down if start == self.last_zero && start > 0 => Landing::AtMost(start),
            Choice::Stay => Landing::Value(start),
            Choice::Down => {
                let value = self.descend(start - 1, bits);
                if self.last_zero > 0 && value <= self.last_zero {
                    Landing::AtMost(self.last_zero)
                } else {
                    Landing::Value(value)
                }
            }
        }
    }

    fn first_choice(&self, count: u64, bits: &mut impl Bits) -> Choice {
        let curve = self.curve.clone();
        let chances = move |places: usize| {
            let one = Enclosure::one(places);
            let share = |r: Enclosure| r.over(&one.plus(&r));
            (share(tailored::ratio(&curve, count + 1, places)), share(tailored::ratio(&curve, count, places)))
        };
        // Nothing is above the last finite count, nothing below an empty bin or inside a zero run.
        let can_rise = self.last_finite != Some(count);
        let can_fall = count > self.last_zero;
        let up = {
            let chances = chances.clone();
            move |places: usize| chances(places).0
        };
        let down = move |places: usize| {
            let (up, down) = chances(places);
            if can_rise { down.over(&Enclosure::one(places).minus(&up)) } else { down }
        };
        let index = if count == 0 { None } else { self.constant_stretch(count) };
        let Some(index) = index else {
            if can_rise && bernoulli(up, bits) {
                return Choice::Up;
            }
            return if can_fall && bernoulli(down, bits) { Choice::Down } else { Choice::Stay };
        };
        let place = match self.curve.runs()[index].to {
            Some(to) if to == count => &self.stretches[index].at_end,
            Some(_) | None => &self.stretches[index].inside,
        };
        let coins = place.get_or_init(|| [Coin::new(up), Coin::new(down)]);
        if can_rise && coins[0].toss(bits) {
            Choice::Up
        } else if can_fall && coins[1].toss(bits) {
            Choice::Down
        } else {
            Choice::Stay
        }
    }

    /// Goes on upwards, having come to `at`: a draw of `Y` given `Y >= at`, at any count below `at`.
    pub(crate) fn climb(&self, mut at: u64, bits: &mut impl Bits) -> u64 {
        loop {
            if let Some(index) = self.constant_stretch(at) {
                let room = self.curve.runs()[index].to.map_or(u64::MAX, |to| to - at);
                if room > 0 {
                    let steps = self.steps(index, bits);
                    if steps < room {
                        return at.saturating_add(steps);
                    }
                    at += room;
                }
            }
            if self.last_finite == Some(at) || !self.crosses(at, Direction::Up, bits) {
                return at;
            }
            at += 1;
        }
    }

    /// Goes on downwards, having come to `at`.
    fn descend(&self, mut at: u64, bits: &mut impl Bits) -> u64 {
        loop {
            if at <= self.last_zero {
                return at;
            }
            let plain = self.constant_stretch(at).filter(|index| self.curve.runs()[*index].to != Some(at));
            match plain {
                Some(index) => {
                    let room = at - self.curve.runs()[index].from + 1;
                    let steps = self.steps(index, bits);
                    if steps < room {
                        return at - steps;
                    }
                    at -= room;
                }
                None => {
                    if !self.crosses(at, Direction::Down, bits) {
                        return at;
                    }
                    at -= 1;
                }
            }
        }
    }

    /// Tosses the coin of the joint: from `at` up to `at + 1`, or, having come from `at + 1`, down to `at - 1`.
    fn crosses(&self, at: u64, direction: Direction, bits: &mut impl Bits) -> bool {
        let curve = self.curve.clone();
        let chance = move |places: usize| {
            let one = Enclosure::one(places);
            let (here, above) = (tailored::ratio(&curve, at, places), tailored::ratio(&curve, at + 1, places));
            match direction {
                Direction::Up => above.times(&one.plus(&here)).over(&one.plus(&above)),
                Direction::Down => here.times(&one.plus(&above)).over(&one.plus(&here)),
            }
        };
        match self.constant_stretch(at) {
            Some(index) if self.curve.runs()[index].to == Some(at) => {
                let stretch = &self.stretches[index];
                let coin = match direction {
                    Direction::Up => &stretch.up,
                    Direction::Down => &stretch.down,
                };
                coin.get_or_init(|| Coin::new(chance)).toss(bits)
            }
            Some(_) | None => bernoulli(chance, bits),
        }
    }

    fn steps(&self, index: usize, bits: &mut impl Bits) -> u64 {
        let run = &self.curve.runs()[index];
        let Epsilon::Finite(rate) = self.curve.epsilon(run.from) else { return 0 };
        let table = self.stretches[index]
            .steps
            .get_or_init(|| Geometric::new(&rate).expect("a rate that was checked when made ready"));
        u64::try_from(table.draw(bits)).unwrap_or(0)
    }

    /// The stretch that a count lies in, if epsilon is constant and finite there.
    fn constant_stretch(&self, count: u64) -> Option<usize> {
        let runs = self.curve.runs();
        let index = runs.partition_point(|run| run.to.is_some_and(|to| to < count));
        match &runs[index].level {
            Level::Constant(Epsilon::Finite(_)) => Some(index),
            Level::Constant(Epsilon::Infinite) | Level::Proportional(_) => None,
        }
    }
}

enum Choice {
    Up,
    Stay,
    Down,
}

#[derive(Clone, Copy)]
enum Direction {
    Up,
    Down,
}
