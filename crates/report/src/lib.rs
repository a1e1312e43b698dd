//! What people read about a release: for now its charts, as SVG pictures and as plain text for a terminal.
//! It must never see a true count, depend on an engine, or print: it turns values that are already public into text.
//! It is separate so that the privacy mathematics stays free of layout, and so that nothing shown can decide anything.
//! Read `chart.rs` next.

mod chart;

pub use chart::{Axis, Chart, ChartError, Scale, Series, Shape, TerminalStyle, svg, terminal};
