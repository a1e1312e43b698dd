//! A ruler along an axis: its limits, its ticks, and the place of every value between 0 and 1. It must never put a
//! value outside its limits, or two ticks in one place, however large, small or equal the values are. It is separate
//! because both drawings share it: a picture and a terminal show the same ticks by the same rules. Read `plot.rs` next,
//! which puts two rulers around the series.

use super::Scale;
use super::calendar;
use super::number::{Decimal, labels};

/// The limits and ticks of one axis.
pub(super) struct Ruler {
    scale: Scale,
    /// The limits, as logarithms to base ten on a logarithmic scale.
    low: f64,
    high: f64,
    pub ticks: Vec<Tick>,
}

/// One labelled place on a ruler.
pub(super) struct Tick {
    /// From 0 (low end) to 1 (high end).
    pub at: f64,
    pub label: String,
}

impl Ruler {
    /// Returns the ruler around all values that the scale can show, with at most so many ticks; none if there are none.
    pub fn around(scale: Scale, values: impl Iterator<Item = f64>, most_ticks: usize) -> Option<Ruler> {
        let most_ticks = most_ticks.max(2);
        let limits = values.filter(|&value| scale.shows(value)).fold(None, |limits, value| match limits {
            None => Some((value, value)),
            Some((low, high)) => Some((value.min(low), value.max(high))),
        });
        let (low, high) = limits?;
        Some(match scale {
            Scale::Linear => linear(scale, low, high, most_ticks),
            Scale::Whole => linear(scale, low, high, most_ticks),
            Scale::Days => days(low, high, most_ticks),
            Scale::Logarithmic => logarithmic(low.log10(), high.log10(), most_ticks),
        })
    }

    /// Returns the place of a value, from 0 (low end) to 1 (high end).
    pub fn place(&self, value: f64) -> f64 {
        let value = match self.scale {
            Scale::Linear | Scale::Whole | Scale::Days => value,
            Scale::Logarithmic => value.log10(),
        };
        self.place_of_scaled(value)
    }

    fn place_of_scaled(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// Returns a ruler with labelled ticks at the given places of the scale.
    fn marked(scale: Scale, low: f64, high: f64, ticks: &[(f64, Decimal)]) -> Ruler {
        let decimals: Vec<Decimal> = ticks.iter().map(|&(_, decimal)| decimal).collect();
        let mut ruler = Ruler { scale, low, high, ticks: Vec::new() };
        ruler.ticks = (ticks.iter().zip(labels(&decimals)))
            .map(|(&(value, _), label)| Tick { at: ruler.place_of_scaled(value), label })
            .collect();
        ruler
    }
}

/// Rounding errors smaller than this part of a step do not move a limit to the next tick.
const FUZZ: f64 = 1e-9;

/// Ticks on multiples of a step of 1, 2 or 5 times a power of ten; zero is included when it is not far away.
fn linear(scale: Scale, low: f64, high: f64, most_ticks: usize) -> Ruler {
    let (mut low, mut high) = (low, high);
    let nearly_equal = high - low <= low.abs().max(high.abs()) * FUZZ;
    if low > 0.0 && (nearly_equal || low <= high / 2.0) {
        low = 0.0;
    }
    if high < 0.0 && (nearly_equal || high >= low / 2.0) {
        high = 0.0;
    }
    // Also true for a single zero and for subnormal ranges, which have no step.
    if high - low < 1e-290 {
        high = low + 1.0;
    }

    let mut exponent = ((high - low) / most_ticks as f64).log10().floor() as i32;
    if scale == Scale::Whole {
        exponent = exponent.max(0);
    }
    loop {
        for factor in [1_i64, 2, 5] {
            let step = times_power_of_ten(factor, exponent);
            let (mut first, mut last) = ((low / step - FUZZ).ceil(), (high / step + FUZZ).floor());
            let ticks = |first: f64, last: f64| last - first + 1.0;
            if ticks(first, last) > most_ticks as f64 {
                continue;
            }
            // A limit moves out to the next tick if that costs little room, or if there would be no scale to read.
            let (below, above) = ((low / step + FUZZ).floor(), (high / step - FUZZ).ceil());
            let near = |distance: f64| distance * step <= (high - low) * 0.15 || ticks(first, last) < 2.0;
            let (near_below, near_above) = (near(low / step - below), near(above - high / step));
            if near_below && ticks(below, last) <= most_ticks as f64 {
                first = below;
            }
            if near_above && ticks(first, above) <= most_ticks as f64 {
                last = above;
            }
            let ticks: Vec<(f64, Decimal)> = (first as i64..=last as i64)
                .map(|count| Decimal { digits: count * factor, exponent })
                .map(|decimal| (times_power_of_ten(decimal.digits, exponent), decimal))
                .collect();
            return Ruler::marked(scale, low.min(first * step), high.max(last * step), &ticks);
        }
        exponent += 1;
    }
}

/// Ticks on days, Mondays, months or years; a single day has a little room on both sides.
fn days(low: f64, high: f64, most_ticks: usize) -> Ruler {
    let named = calendar::ticks(low.ceil() as i64, high.floor() as i64, most_ticks);
    let (low, high) = if high - low < 1.0 { (low - 1.0, high + 1.0) } else { (low, high) };
    let mut ruler = Ruler { scale: Scale::Days, low, high, ticks: Vec::new() };
    ruler.ticks = named.into_iter().map(|(day, label)| Tick { at: ruler.place_of_scaled(day as f64), label }).collect();
    ruler
}

/// Dividing by a positive power keeps 0.3 at 0.3, where multiplying by 0.1 gives 0.30000000000000004.
fn times_power_of_ten(digits: i64, exponent: i32) -> f64 {
    if exponent < 0 { digits as f64 / 10_f64.powi(-exponent) } else { digits as f64 * 10_f64.powi(exponent) }
}

/// Limits on 1, 2 or 5 times a power of ten; ticks on powers of ten, or on all of these when the range is short.
fn logarithmic(low: f64, high: f64, most_ticks: usize) -> Ruler {
    let mut first = rung_at_or_below(low);
    let mut last = rung_at_or_above(high);
    if first == last {
        (first, last) = (first - 1, last + 1);
    }
    let rungs = first..=last;
    let decades = rungs.clone().filter(|rung| rung % 3 == 0).count();
    // A stride of three rungs is a decade: strides of whole decades keep ticks on powers of ten.
    let fine = [1, 2].into_iter().filter(|_| decades < 3);
    let coarse = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500].into_iter().map(|decades| 3 * decades);
    let on = |stride: i32| rungs.clone().filter(move |rung| rung.rem_euclid(stride) == 0);
    let stride = fine.chain(coarse).find(|&stride| on(stride).count() <= most_ticks).unwrap_or(3);
    let ticks: Vec<(f64, Decimal)> = on(stride).map(|rung| (height_of_rung(rung), decimal_of_rung(rung))).collect();
    Ruler::marked(Scale::Logarithmic, height_of_rung(first), height_of_rung(last), &ticks)
}

/// The ladder of 1, 2, 5, 10, 20, 50...: rung 0 is 1, rung 3 is 10, rung -1 is 0.5.
fn decimal_of_rung(rung: i32) -> Decimal {
    Decimal { digits: [1, 2, 5][rung.rem_euclid(3) as usize], exponent: rung.div_euclid(3) }
}

/// The logarithm of a rung, to base ten.
fn height_of_rung(rung: i32) -> f64 {
    let decimal = decimal_of_rung(rung);
    f64::from(decimal.exponent) + (decimal.digits as f64).log10()
}

fn rung_at_or_below(height: f64) -> i32 {
    let decade = 3 * height.floor() as i32;
    (decade..=decade + 3).rev().find(|&rung| height_of_rung(rung) <= height + FUZZ).unwrap_or(decade)
}

fn rung_at_or_above(height: f64) -> i32 {
    let decade = 3 * height.floor() as i32;
    (decade..=decade + 3).find(|&rung| height_of_rung(rung) >= height - FUZZ).unwrap_or(decade + 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Scale::{Linear, Logarithmic};

    fn ticks(scale: Scale, values: &[f64], most: usize) -> String {
        let ruler = Ruler::around(scale, values.iter().copied(), most).unwrap();
        ruler.ticks.iter().map(|tick| tick.label.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_logarithmic_ruler_ticks_powers_of_ten() {
        assert_eq!(ticks(Logarithmic, &[1.0, 1000.0], 6), "1 10 100 1k");
        assert_eq!(ticks(Logarithmic, &[1.0, 1e9], 6), "1 100 10k 1M 100M");
        assert_eq!(ticks(Logarithmic, &[1e-30, 1e9], 6), "1e-30 1e-20 1e-10 1");
    }

    #[test]
    fn a_short_logarithmic_ruler_also_ticks_twos_and_fives() {
        assert_eq!(ticks(Logarithmic, &[95.0, 105.0], 6), "50 100 200");
        assert_eq!(ticks(Logarithmic, &[7.0], 6), "5 10");
        assert_eq!(ticks(Logarithmic, &[10.0], 6), "5 10 20");
    }

    #[test]
    fn a_linear_ruler_includes_a_zero_that_is_near() {
        assert_eq!(ticks(Linear, &[1.0, 100.0], 6), "0 20 40 60 80 100");
        assert_eq!(ticks(Linear, &[2015.0, 2024.0], 6), "2014 2016 2018 2020 2022 2024");
        assert_eq!(ticks(Linear, &[-3.0, 3.0], 6), "-2 0 2");
        assert_eq!(ticks(Linear, &[7.0, 13.0], 2), "5 10");
    }

    #[test]
    fn whole_numbers_have_no_tick_between_them() {
        assert_eq!(ticks(Linear, &[2020.0, 2022.0], 6), "2020 2020.5 2021 2021.5 2022");
        assert_eq!(ticks(Scale::Whole, &[2020.0, 2022.0], 6), "2020 2021 2022");
        assert_eq!(ticks(Scale::Whole, &[2001.0, 2020.0], 6), "2000 2005 2010 2015 2020");
    }

    #[test]
    fn every_value_lies_on_its_ruler_and_no_two_ticks_share_a_place() {
        let extremes = [5e-324, 1e-300, 1e-30, 0.1, 1.0, 1.0 + 1e-15, 1e9, 1e15, 1e15 + 1.0, 1e300];
        for scale in [Linear, Logarithmic] {
            for most in 2..9 {
                for (low, high) in extremes.iter().flat_map(|low| extremes.iter().map(move |high| (*low, *high))) {
                    for values in [[low, high], [-low, high], [-low, -high]] {
                        let Some(ruler) = Ruler::around(scale, values.into_iter(), most) else { continue };
                        for value in values.into_iter().filter(|&value| scale.shows(value)) {
                            let (scaled, slack) = match scale {
                                Linear => (value, 0.0),
                                Logarithmic => (value.log10(), 2.0 * FUZZ),
                                Scale::Whole | Scale::Days => (value, 0.0),
                            };
                            let limits = ruler.low - slack..=ruler.high + slack;
                            assert!(limits.contains(&scaled), "{values:?} {most}");
                            assert!((0.0..=1.0).contains(&ruler.place(value)), "{values:?}");
                        }
                        assert!((2..=most).contains(&ruler.ticks.len()) || scale == Logarithmic, "{values:?} {most}");
                        assert!(ruler.ticks.len() <= most);
                        assert!(ruler.ticks.windows(2).all(|two| two[0].at < two[1].at), "{values:?} {most}");
                    }
                }
            }
        }
    }

    #[test]
    fn nothing_to_show_gives_no_ruler() {
        assert!(Ruler::around(Logarithmic, [0.0, -1.0, f64::NAN].into_iter(), 5).is_none());
        assert!(Ruler::around(Linear, [f64::INFINITY, f64::NAN].into_iter(), 5).is_none());
    }
}
