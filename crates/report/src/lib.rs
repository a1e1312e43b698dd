//! What people read: pages, as text and as HTML, and charts as SVG pictures and as plain text for a terminal.
//! It must never see a true count, depend on an engine, or print: it turns values that are already public into text.
//! It is separate so that the privacy mathematics stays free of layout, and so that nothing shown can decide anything.
//! Read `page.rs` next, then `text.rs` and `html.rs`, then `chart.rs`.

mod chart;
mod count;
mod harmless;
mod html;
mod meter;
mod page;
mod text;

pub use chart::columns;
pub use chart::{
    CellMap, Chart, ChartAxis, ChartError, ChartSeries, ChartShape, MapAxis, Scale, Shades, TerminalStyle, cell_map,
    shades, svg, terminal,
};
pub use count::PageCount;
pub use html::html;
pub use meter::Meter;
pub use page::{
    Align, Bar, Block, Facts, FileLink, Heat, LogEntry, LogWeight, MeterRow, MeterTable, Page, PageColumn,
    PageContents, PageTable, Picker, Section, Stamp,
};
pub use text::{Emphasis, TextStyle, text, text_of_blocks};
