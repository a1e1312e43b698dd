//! The report's section about the promise: what it means to a person, by the size of her group.
//!
//! Every percentage stands beside the chance that somebody becomes surer; there is one delta, the certified one. It is
//! separate from the rest of the page because it is what people come for. Read `plan/odds.rs` for the numbers.

use super::{SIZES, column, sentence};
use crate::odds::{Odds, Reader};
use crate::plan::Plan;
use crate::refusal::readable;
use incrowd_privacy::Epsilon;
use incrowd_report::{Align, Block, PageTable, Picker, Section};
use std::collections::BTreeSet;

/// The most sizes to pick from.
const MOST_SIZES: usize = 16;

/// Returns the section.
pub(super) fn section(plan: &Plan) -> Section {
    let mut blocks: Vec<Block> = plan.weakness().iter().map(|line| Block::Paragraph(sentence(line))).collect();
    blocks.push(answer(plan));
    if let Some(only) = plan.only_words() {
        blocks.push(Block::Facts(vec![("counted".into(), only)]));
    }
    blocks.push(Block::Facts(vec![("protects".into(), plan.unit_words()), ("delta".into(), plan.delta_words())]));
    blocks.push(table(plan));
    Section { heading: "What is promised".into(), blocks }
}

/// The steps of the curve, with a column of chances where any sentence may fail.
fn table(plan: &Plan) -> Block {
    let (rows, curve) = (plan.curve_rows(), plan.whole_curve());
    let readers = rows.iter().filter_map(|row| row.odds.as_ref()).map(|odds| Reader::of(&curve, odds));
    let reader = readers.max().unwrap_or(Reader::Anybody);
    let fails = rows.iter().any(|row| row.odds.as_ref().is_some_and(Odds::may_fail));
    let rightly = if fails { "rightly " } else { "" };
    let surest = format!("from even odds, {} {rightly}becomes surer than", reader.nobody());
    let mut columns =
        vec![column("a person in", Align::Left), column("epsilon", Align::Right), column(&surest, Align::Right)];
    if fails {
        columns.push(column("but for a chance of", Align::Right));
    }
    let rows = rows.iter().map(|row| {
        let sure = row.odds.as_ref().map(|odds| format!("{} %", odds.surer_than));
        let mut cells = vec![Some(row.who.clone()), Some(row.epsilon.clone()), sure];
        if fails {
            cells.push(row.odds.as_ref().map(|odds| odds.chance_words().unwrap_or_else(|| "0".into())));
        }
        cells
    });
    Block::Table(PageTable { columns, rows: rows.collect() })
}

/// "How protected am I?": a question with its answers, or one sentence where all answers are the same.
fn answer(plan: &Plan) -> Block {
    let picker = picker(plan);
    let said = |answer: &String| answer.split_once(": ").map(|(_, said)| said.to_string());
    let first = picker.answers.first().and_then(|(_, answer)| said(answer));
    match first.filter(|first| picker.answers.iter().all(|(_, answer)| said(answer).as_ref() == Some(first))) {
        Some(same) => Block::Paragraph(format!("How protected am I? Whatever the size of your group: {same}")),
        None => Block::Picker(picker),
    }
}

/// The best guess that anybody can make about a person, by the size of her group.
fn picker(plan: &Plan) -> Picker {
    let curve = plan.whole_curve();
    let sizes = sizes(plan);
    let several = plan.request().bins_per_person() > 1 || plan.request().periods_per_person() > 1;
    let answer = |size: u64| {
        let who = match (size, several) {
            (1, false) => "Alone in your bin".to_string(),
            (1, true) => "Alone in each of your bins".to_string(),
            (_, false) => format!("In a group of {size}"),
            (_, true) => format!("If your largest group has {size} people"),
        };
        match curve.epsilon(size) {
            Epsilon::Finite(epsilon) => {
                let odds = plan.odds_at((size, Some(size)), &epsilon);
                let knowing = match Reader::of(&curve, &odds) {
                    Reader::Anybody => "whatever else they know",
                    Reader::KnowsTheOthers => {
                        "if they know how many others are counted with you, whatever else they know"
                    }
                };
                if odds.surer_than.odds().is_none() {
                    let epsilon = readable(&epsilon);
                    return format!(
                        "{who}: hardly anything is promised. Somebody who finds it as likely as not that you are in the data may be as good as certain of it after reading this table (epsilon {epsilon})."
                    );
                }
                format!(
                    "{who}: somebody who finds it as likely as not that you are in the data will be at most {} % sure of {} after reading this table, {knowing}{} (epsilon {}). Guessing blindly they are right half of the time.",
                    odds.surer_than,
                    if odds.may_fail() { "the truth" } else { "it" },
                    odds.except_words(),
                    readable(&epsilon)
                )
            }
            Epsilon::Infinite => match plan.sampled_odds() {
                Some(odds) => format!("{who}: {}.", crate::odds::sampled_words(&odds)),
                None => format!("{who}: nothing is promised. The count of your group may be published as it is."),
            },
        }
    };
    let question = match several {
        false => "How protected am I? Pick the size of your group: the people counted in the same bin as you",
        true => "How protected am I? Pick the size of the largest of your groups: the people in one of your bins",
    };
    let first = sizes.iter().position(|size| *size == 5).unwrap_or(0);
    let answers = sizes.iter().map(|size| (size.to_string(), answer(*size))).collect();
    Picker { question: question.into(), answers, first }
}

/// The sizes to pick from: where the promise bends, where its sentences fail most often, and sizes that people ask for.
fn sizes(plan: &Plan) -> Vec<u64> {
    let curve = plan.whole_curve();
    let bends: Vec<u64> = curve.runs().iter().filter_map(|run| run.to).collect();
    let mut sizes: BTreeSet<u64> = bends.iter().take(1).flat_map(|first| [*first, first + 1]).collect();
    sizes.extend(bends.last());
    sizes.insert(1);
    let mut failing: Vec<&Odds> = plan.odds().iter().filter(|odds| odds.may_fail()).collect();
    failing.sort_by(|one, other| other.chance.cmp(&one.chance));
    let weakest = failing.into_iter().filter_map(|odds| plan.weakest_size(odds));
    for size in weakest.chain(SIZES) {
        if sizes.len() < MOST_SIZES {
            sizes.insert(size);
        }
    }
    sizes.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_plan::testing::{CASES, Stated, Truth, chance_said, judge, plan_of, stated};

    #[test]
    fn every_answer_and_every_row_of_the_report_is_true_of_the_law_that_runs() {
        for (promise, mechanism) in CASES {
            let plan = plan_of(promise, &format!("\n[mechanism]\n{mechanism}\n"));
            let truth = Truth::of(&plan);
            for (size, answer) in picker(&plan).answers {
                let Ok(size) = size.parse::<u64>() else { panic!("{size}") };
                if !answer.contains(" %") || size > 40 {
                    continue;
                }
                let said = stated(&answer).expect("a percentage");
                let chance = truth.chance(&said.percent, (size, Some(size)));
                judge(&format!("{mechanism}: {answer}"), &said, chance, 1.11);
            }
            let odds = plan.odds();
            let rows = plan.curve_rows();
            let Block::Table(table) = table(&plan) else { panic!("a table") };
            for (row, told) in table.rows.iter().zip(&rows) {
                let Some(percent) = row[2].as_deref() else { continue };
                let chance = row.get(3).cloned().flatten().unwrap_or_else(|| "0".into());
                let exact = !chance.starts_with("at most ");
                let chance = chance_said(chance.trim_start_matches("at most "));
                let said = Stated { percent: percent.trim_end_matches(" %").into(), chance, exact };
                let group = told.odds.as_ref().expect("odds").group;
                assert!(odds.iter().any(|odds| odds.group == group));
                judge(mechanism, &said, truth.chance(&said.percent, group), 1.11);
            }
        }
    }

    #[test]
    fn the_sizes_to_pick_from_have_the_largest_chance_that_is_told() {
        let mut told = 0;
        for (promise, mechanism) in CASES {
            let plan = plan_of(promise, &format!("\n[mechanism]\n{mechanism}\n"));
            let answers = picker(&plan).answers;
            assert!(answers.len() <= MOST_SIZES && answers.is_sorted_by_key(|(size, _)| size.parse::<u64>().ok()));
            for odds in plan.odds().iter().filter(|odds| odds.may_fail() && plan.weakest_size(odds).is_some()) {
                let (sure, chance) = (format!("{} %", odds.surer_than), odds.except_words());
                let is_told = answers.iter().any(|(_, answer)| answer.contains(&sure) && answer.contains(&chance));
                assert!(is_told, "{mechanism}: {sure}{chance} in no answer of {answers:?}");
                told += 1;
            }
        }
        assert!(told >= 8, "{told} chances");
    }

    #[test]
    fn there_is_one_delta_and_it_is_the_certified_one() {
        // The tailored geometric needs none of the delta that was asked for.
        let plan = plan_of(CASES[0].0, &format!("\n[mechanism]\n{}\n", CASES[0].1));
        let facts = section(&plan).blocks.into_iter().find_map(|block| match block {
            Block::Facts(facts) => Some(facts),
            _ => None,
        });
        assert!(facts.expect("facts").contains(&("delta".into(), "0 (1 in a million was allowed)".into())));
    }
}
