//! Standard input: bytes without a name that pass once.
//!
//! Before the charge no more is taken than the names of columns need, and it is kept, so that reading begins where the
//! stream began. It must never be read twice, nor wait for somebody who asked to stop. It is separate because
//! everything else can be opened again. Read `copied.rs` for formats that are read from their ends.

use incrowd_engine::Watch;
use std::fmt;
use std::io::{self, IsTerminal, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How much is taken at a time before the charge.
const GLANCE: usize = 4096;

/// How long a reader waits before it asks again whether to go on.
const PATIENCE: Duration = Duration::from_millis(100);

/// Whether this process has given its standard input to somebody.
static TAKEN: AtomicBool = AtomicBool::new(false);

type Source = Box<dyn Read + Send>;

/// The standard input of this process, or a stream in its place.
#[derive(Clone, Default)]
pub(crate) enum StandardInput {
    /// That of the process.
    #[default]
    OfTheProcess,
    /// Another stream, until it is taken.
    Given(Arc<Mutex<Option<Source>>>),
}

/// Why there is nothing to read on standard input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoInput {
    /// It is somebody's keyboard.
    Terminal,
    /// Somebody else read it.
    Taken,
}

impl fmt::Debug for StandardInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StandardInput")
    }
}

impl StandardInput {
    /// Returns another stream in its place.
    pub(crate) fn given(stream: Source) -> StandardInput {
        StandardInput::Given(Arc::new(Mutex::new(Some(stream))))
    }

    /// Takes it, which can be done once.
    pub(crate) fn take(&self) -> Result<Stream, NoInput> {
        let source: Source = match self {
            StandardInput::OfTheProcess if io::stdin().is_terminal() => return Err(NoInput::Terminal),
            StandardInput::OfTheProcess if TAKEN.swap(true, Ordering::Relaxed) => return Err(NoInput::Taken),
            StandardInput::OfTheProcess => Box::new(io::stdin()),
            StandardInput::Given(stream) => {
                stream.lock().unwrap_or_else(PoisonError::into_inner).take().ok_or(NoInput::Taken)?
            }
        };
        Ok(Stream(Arc::new(Mutex::new(Some(Begun { beginning: Vec::new(), rest: source })))))
    }
}

/// A stream whose beginning can be looked at, and which is then read once.
#[derive(Clone)]
pub(crate) struct Stream(Arc<Mutex<Option<Begun>>>);

struct Begun {
    beginning: Vec<u8>,
    rest: Source,
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stream")
    }
}

impl Stream {
    /// Returns a reader of the beginning: what it takes is kept.
    pub(crate) fn beginning(&self) -> Source {
        Box::new(Beginning { stream: self.clone(), at: 0 })
    }

    /// Returns everything, once.
    pub(crate) fn whole(&self, watch: Arc<dyn Watch>) -> io::Result<Source> {
        let begun = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Begun { beginning, rest } = begun.ok_or(io::ErrorKind::NotConnected)?;
        Ok(Box::new(io::Cursor::new(beginning).chain(Waited::new(rest, watch))))
    }
}

struct Beginning {
    stream: Stream,
    at: usize,
}

impl Read for Beginning {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut begun = self.stream.0.lock().unwrap_or_else(PoisonError::into_inner);
        let begun = begun.as_mut().ok_or(io::ErrorKind::NotConnected)?;
        if self.at == begun.beginning.len() {
            let mut glance = vec![0; GLANCE.min(buffer.len())];
            let read = begun.rest.read(&mut glance)?;
            begun.beginning.extend_from_slice(&glance[..read]);
        }
        let kept = &begun.beginning[self.at..];
        let read = kept.len().min(buffer.len());
        buffer[..read].copy_from_slice(&kept[..read]);
        self.at += read;
        Ok(read)
    }
}

/// A stream that somebody else waits for, so that a request to stop is heard though nothing comes.
struct Waited {
    ask: SyncSender<usize>,
    answer: Receiver<io::Result<Vec<u8>>>,
    watch: Arc<dyn Watch>,
}

impl Waited {
    fn new(mut source: Source, watch: Arc<dyn Watch>) -> Waited {
        let (ask, asked) = sync_channel::<usize>(1);
        let (give, answer) = sync_channel(1);
        std::thread::spawn(move || {
            for most in asked {
                let mut bytes = vec![0; most];
                let read = source.read(&mut bytes).map(|read| {
                    bytes.truncate(read);
                    bytes
                });
                if give.send(read).is_err() {
                    return;
                }
            }
        });
        Waited { ask, answer, watch }
    }
}

impl Read for Waited {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
        if buffer.is_empty() {
            return Ok(0);
        }
        self.ask.send(buffer.len()).map_err(|_| gone())?;
        loop {
            match self.answer.recv_timeout(PATIENCE) {
                Ok(bytes) => {
                    let bytes = bytes?;
                    buffer[..bytes.len()].copy_from_slice(&bytes);
                    return Ok(bytes.len());
                }
                Err(RecvTimeoutError::Timeout) if self.watch.is_cancelled() => return Err(io::Error::other("stopped")),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_engine::Unwatched;

    /// Counts what is taken of it.
    struct Told(io::Cursor<Vec<u8>>, Arc<Mutex<usize>>);

    impl Read for Told {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let read = self.0.read(buffer)?;
            *self.1.lock().expect("a count") += read;
            Ok(read)
        }
    }

    #[test]
    fn the_beginning_can_be_looked_at_again_and_the_whole_is_read_once() {
        let bytes: Vec<u8> = (0..=255).cycle().take(100_000).collect();
        let taken = Arc::new(Mutex::new(0));
        let told = Told(io::Cursor::new(bytes.clone()), Arc::clone(&taken));
        let input = StandardInput::given(Box::new(told));
        let stream = input.take().expect("an input");
        assert_eq!(input.take().expect_err("taken"), NoInput::Taken);
        for _ in 0..2 {
            let mut first = vec![0; 10];
            io::BufReader::with_capacity(1 << 20, stream.beginning()).read_exact(&mut first).expect("a beginning");
            assert_eq!(first, bytes[..10]);
        }
        assert_eq!(*taken.lock().expect("a count"), GLANCE, "no more is taken than a glance");
        let mut all = Vec::new();
        stream.whole(Arc::new(Unwatched)).expect("once").read_to_end(&mut all).expect("read");
        assert!(all == bytes);
        assert!(stream.whole(Arc::new(Unwatched)).is_err() && stream.beginning().read(&mut [0]).is_err());
    }

    #[test]
    fn who_asks_to_stop_does_not_wait_for_a_stream_that_says_nothing() {
        struct Silent;
        impl Read for Silent {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                loop {
                    std::thread::park();
                }
            }
        }
        struct Impatient;
        impl Watch for Impatient {
            fn read(&self, _bytes: u64) {}
            fn is_cancelled(&self) -> bool {
                true
            }
        }
        let stream = StandardInput::given(Box::new(Silent)).take().expect("an input");
        let begun = std::time::Instant::now();
        assert!(stream.whole(Arc::new(Impatient)).expect("once").read(&mut [0; 8]).is_err());
        assert!(begun.elapsed() < Duration::from_secs(10));
    }
}
