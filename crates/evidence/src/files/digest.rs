//! A file that is hashed while it is written.
//!
//! The hash is of exactly the bytes that went to the file; it must never be computed by reading the file again, which
//! could have changed. It is separate because every format writes through it. Read `write_error.rs` for what can go
//! wrong.

use crate::write_error::WriteError;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Write};
use std::sync::{Arc, OnceLock};

/// Bytes that are gathered before they go to the file.
const BUFFER: usize = 1 << 18;

/// A file that is hashed while it is written.
pub(super) struct Hashed {
    file: File,
    buffer: Vec<u8>,
    hash: Sha256,
    failure: Failure,
}

/// The first failure of a file: writers on top of it wrap errors until they say nothing.
#[derive(Clone, Default)]
pub(super) struct Failure(Arc<OnceLock<WriteError>>);

impl Failure {
    /// Returns why the file failed; for failures elsewhere, that they are none of the file's.
    pub(super) fn error(&self) -> WriteError {
        self.0.get().copied().unwrap_or(WriteError::Other)
    }
}

impl Hashed {
    pub(super) fn new(file: File) -> Self {
        Hashed { file, buffer: Vec::with_capacity(BUFFER), hash: Sha256::new(), failure: Failure::default() }
    }

    pub(super) fn failure(&self) -> Failure {
        self.failure.clone()
    }

    /// Writes what is left and returns the hash in hexadecimal digits.
    pub(super) fn finish(mut self) -> Result<String, WriteError> {
        self.empty().map_err(|_| self.failure.error())?;
        Ok(hex(self.hash))
    }

    fn empty(&mut self) -> io::Result<()> {
        self.hash.update(&self.buffer);
        let written = self.file.write_all(&self.buffer);
        self.buffer.clear();
        written.inspect_err(|error| {
            let _ = self.failure.0.set(WriteError::of(error));
        })
    }
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(BUFFER);
        if self.buffer.len() + taken > BUFFER {
            self.empty()?;
        }
        self.buffer.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.empty()
    }
}

/// Returns a hash in hexadecimal digits.
pub fn hex(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
