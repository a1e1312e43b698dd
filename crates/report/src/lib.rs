//! What people read about a release: its page, and charts as SVG pictures and as plain text for a terminal.
//! It must never see a true count, depend on an engine, or print: it turns values that are already public into text.
//! It is separate so that the privacy mathematics stays free of layout, and so that nothing shown can decide anything.
//! Read `page.rs` next, then `chart.rs`.

mod chart;
mod page;

pub use chart::{Axis, Chart, ChartError, Scale, Series, Shades, Shape, TerminalStyle, shades, svg, terminal};
pub use page::{Align, Bar, Block, Heat, Page, PageColumn, PageTable, Picker, Section, html};
