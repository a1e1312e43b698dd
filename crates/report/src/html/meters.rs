//! Amounts that fill a limit, and what happened, as HTML.
//!
//! A picture must never say what no cell says, and is hidden from whoever does not see it. It is separate from
//! `../html.rs` because its pictures are made of pieces. Read `../meter.rs` for what those are.

use super::{class, cut, escaped, sentence, write_facts};
use crate::meter::Meter;
use crate::page::{LogEntry, LogWeight, MeterTable};
use std::fmt::Write;

/// Writes a table with its pictures.
pub(super) fn write(meters: &MeterTable, out: &mut String) {
    let part = |share: u16| format!("{}.{:02}%", share / 100, share % 100);
    out.push_str("<table class=\"meters\">\n<thead><tr>");
    for (at, column) in meters.columns.iter().enumerate() {
        let _ = write!(out, "<th scope=\"col\"{}>{}</th>", class(column.align), escaped(&column.heading));
        if at == 0 {
            out.push_str("<td class=\"picture\"></td>");
        }
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in &meters.rows {
        out.push_str(if row.meter.as_ref().is_some_and(Meter::is_over) { "<tr class=\"over\">" } else { "<tr>" });
        for (at, (cell, column)) in row.cells.iter().zip(&meters.columns).enumerate() {
            let text = cell.as_deref().map(|text| escaped(&cut(text))).unwrap_or_default();
            let _ = match at {
                0 => write!(out, "<th scope=\"row\">{text}</th><td class=\"picture\" aria-hidden=\"true\">"),
                // Where there is no room for a head, each number says what it is.
                _ => write!(out, "<td{} data-head=\"{}\">{text}</td>", class(column.align), escaped(&column.heading)),
            };
            if at == 0 {
                row.meter.iter().for_each(|meter| write_meter(meter, &part, out));
                out.push_str("</td>");
            }
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n");
}

fn write_meter(meter: &Meter, part: &impl Fn(u16) -> String, out: &mut String) {
    let room = part(meter.limit.unwrap_or(Meter::WHOLE).min(Meter::WHOLE));
    let _ = write!(out, "<span class=\"track\"><span class=\"room\" style=\"width:{room}\"></span>");
    for (from, width, class) in meter.pieces() {
        let (from, width) = (part(from), part(width));
        let _ = write!(out, "<span class=\"{class}\" style=\"left:{from};width:{width}\"></span>");
    }
    out.push_str("</span>");
}

/// Writes what happened as a list.
pub(super) fn write_log(entries: &[LogEntry], out: &mut String) {
    out.push_str("<ol class=\"log\">\n");
    for entry in entries {
        out.push_str(match entry.weight {
            LogWeight::Usual => "<li>\n",
            LogWeight::Striking => "<li class=\"striking\">\n",
        });
        sentence("p", &entry.heading, out);
        write_facts(&entry.facts, out);
        out.push_str("</li>\n");
    }
    out.push_str("</ol>\n");
}
