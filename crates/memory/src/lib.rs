//! What happens when there is no memory left: one text and one exit code, decided beforehand.
//!
//! By default Rust then says how many bytes were asked for and aborts. After a charge that number may be the length of
//! one person's value. This allocator is the system's own, but when the system has nothing left to give it writes a
//! text that was laid ready and ends the process. It must never make room for anything on that way, nor say a number.
//! It is separate because it is the only unsafe code of the workspace (`docs/decisions/0012`). Read `cli/src/main.rs`
//! for who uses it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::OnceLock;

/// The allocator of the system, whose failures end the process in a known way.
pub struct Bounded;

/// How the process ends when there is no memory left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// What is written to standard error, whole.
    pub text: String,
    /// The exit code.
    pub code: u8,
}

/// How far a process has come; what was set for the furthest one says how it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reached {
    /// Nothing was charged.
    Nothing,
    /// A charge has begun: it may stand.
    Charging,
    /// A charge stands.
    Charged,
    /// What was charged was delivered.
    Delivered,
}

static ENDINGS: [OnceLock<Ending>; 4] = [const { OnceLock::new() }; 4];

/// Lays ready how the process ends from now on. Of several for the same place only the first counts.
pub fn ends_with(reached: Reached, ending: Ending) {
    let place = match reached {
        Reached::Nothing => 0,
        Reached::Charging => 1,
        Reached::Charged => 2,
        Reached::Delivered => 3,
    };
    // One process charges once: a second one is as good as the first.
    let _ = ENDINGS[place].set(ending);
}

// SAFETY: every call goes to the system's allocator with the same arguments, and its answers are handed on as they are,
// but for null, after which this process does nothing more.
unsafe impl GlobalAlloc for Bounded {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `GlobalAlloc::alloc`, which is that of the system's allocator.
        given(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        given(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above; the pointer came from the system's allocator, as all of them do.
        given(unsafe { System.realloc(pointer, layout, size) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[inline(always)]
fn given(pointer: *mut u8) -> *mut u8 {
    if pointer.is_null() {
        nothing_left();
    }
    pointer
}

/// Ends the process. Nothing here asks for memory: the texts lie ready, and locks that another thread may hold are not
/// taken.
#[cold]
fn nothing_left() -> ! {
    const UNSAID: (&[u8], u8) = (b"error: out of memory; nothing was charged\n", 2);
    let (text, code) = match ENDINGS.iter().rev().find_map(OnceLock::get) {
        Some(ending) => (ending.text.as_bytes(), ending.code),
        None => UNSAID,
    };
    let mut left = text;
    while !left.is_empty() {
        // SAFETY: the bytes are alive and as many as said; standard error may be closed, then writing fails.
        let written = unsafe { libc::write(2, left.as_ptr().cast(), left.len()) };
        match usize::try_from(written) {
            Ok(written) if written > 0 => left = &left[written.min(left.len())..],
            // With nowhere left to complain, the exit code still tells.
            Ok(_) | Err(_) => break,
        }
    }
    // SAFETY: ends the process at once, without running what other threads or exit handlers might wait for.
    unsafe { libc::_exit(i32::from(code)) }
}
