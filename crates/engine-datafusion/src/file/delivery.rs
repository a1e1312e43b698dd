//! Rows that somebody else delivers, in place of the bytes of a file.
//!
//! They pass once, and nobody has asked for them before the charge; it must never say anything of them. It is separate
//! because they have neither a name nor bytes. Read `incrowd_engine::DeliveredRows` for who delivers.

use incrowd_engine::DeliveredRows;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Rows that can be asked for once.
#[derive(Clone)]
pub(crate) struct Delivery {
    rows: Arc<Mutex<Option<Box<dyn DeliveredRows>>>>,
}

impl fmt::Debug for Delivery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Delivery")
    }
}

impl Delivery {
    pub(crate) fn of(rows: Box<dyn DeliveredRows>) -> Delivery {
        Delivery { rows: Arc::new(Mutex::new(Some(rows))) }
    }

    /// Returns the rows, the first time.
    pub(crate) fn take(&self) -> Option<Box<dyn DeliveredRows>> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
