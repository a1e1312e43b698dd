//! The XML in a workbook, step by step.
//!
//! It must never hold more than one step, nor follow a document that nests without end or names things of its own. It
//! is separate because both kinds of workbooks are written in it. Read `xlsx.rs` and `ods.rs` next.

use crate::file::bytes::BUFFER;
use quick_xml::escape::{resolve_predefined_entity, unescape};
use quick_xml::events::{BytesStart, Event};
use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read};

/// How long one step may be: a text, or an element with all that it says of itself.
const LONGEST_STEP: usize = 16 << 20;

/// How deep elements may nest.
const DEEPEST: usize = 256;

/// A document.
pub(super) struct Xml {
    reader: quick_xml::Reader<Bounded>,
    buffer: Vec<u8>,
    depth: usize,
}

/// What comes next in a document.
pub(super) enum Step<'a> {
    /// An element begins.
    Open(Element<'a>),
    /// An element of this name ends; without what stands before a colon.
    Close(String),
    /// A text, or a part of one.
    Text(Cow<'a, str>),
    /// Nothing any more.
    End,
}

/// The beginning of an element.
pub(super) struct Element<'a>(BytesStart<'a>);

impl Element<'_> {
    /// Returns whether this is the name, whatever stands before a colon.
    pub(super) fn is(&self, name: &str) -> bool {
        self.0.local_name().as_ref() == name
    }

    /// Returns what an element says of itself under this name; whatever stands before a colon if the name has none.
    pub(super) fn says(&self, name: &str) -> io::Result<Option<String>> {
        for attribute in self.0.attributes().with_checks(false) {
            let attribute = attribute.map_err(|_| damaged())?;
            let key = attribute.key;
            let is_meant = if name.contains(':') { key.as_ref() == name } else { key.local_name().as_ref() == name };
            if is_meant {
                let value = unescape(&attribute.value).map_err(|_| damaged())?;
                return Ok(Some(value.into_owned()));
            }
        }
        Ok(None)
    }
}

/// That a document is not what it should be.
pub(super) fn damaged() -> io::Error {
    io::ErrorKind::InvalidData.into()
}

impl Xml {
    pub(super) fn new(source: Box<dyn Read + Send>) -> Xml {
        let source = Bounded { source: BufReader::with_capacity(BUFFER, source), left: LONGEST_STEP };
        let mut reader = quick_xml::Reader::from_reader(source);
        reader.config_mut().expand_empty_elements = true;
        Xml { reader, buffer: Vec::new(), depth: 0 }
    }

    /// Returns what comes next.
    pub(super) fn next(&mut self) -> io::Result<Step<'_>> {
        self.buffer.clear();
        self.reader.get_mut().left = LONGEST_STEP;
        let step = match self.reader.read_event_into(&mut self.buffer).map_err(|_| damaged())? {
            Event::Start(start) | Event::Empty(start) => {
                self.depth += 1;
                if self.depth > DEEPEST {
                    return Err(damaged());
                }
                Step::Open(Element(start))
            }
            Event::End(end) => {
                self.depth = self.depth.checked_sub(1).ok_or_else(damaged)?;
                Step::Close(end.local_name().as_ref().to_owned())
            }
            Event::Text(text) => Step::Text(text.xml10_content()),
            Event::CData(text) => Step::Text(text.xml10_content()),
            Event::GeneralRef(name) => Step::Text(match name.resolve_char_ref().map_err(|_| damaged())? {
                Some(letter) => Cow::Owned(letter.to_string()),
                None => Cow::Borrowed(resolve_predefined_entity(&name).ok_or_else(damaged)?),
            }),
            // Names of its own are never followed, whatever they stand for.
            Event::DocType(_) | Event::Decl(_) | Event::PI(_) | Event::Comment(_) => Step::Text(Cow::Borrowed("")),
            Event::Eof if self.depth == 0 => Step::End,
            Event::Eof => return Err(damaged()),
        };
        Ok(step)
    }

    /// Passes over the rest of the element that was opened last.
    pub(super) fn skip(&mut self) -> io::Result<()> {
        let until = self.depth.saturating_sub(1);
        while self.depth > until {
            if let Step::End = self.next()? {
                return Err(damaged());
            }
        }
        Ok(())
    }

    /// Returns the text of the element that was opened last, without that of elements inside.
    pub(super) fn text(&mut self) -> io::Result<String> {
        let inside = self.depth;
        let mut all = String::new();
        loop {
            match self.next()? {
                Step::Text(text) => {
                    if all.len() + text.len() > LONGEST_STEP {
                        return Err(damaged());
                    }
                    all.push_str(&text);
                }
                Step::Open(_) => self.skip()?,
                Step::Close(_) => {}
                Step::End => return Err(damaged()),
            }
            if self.depth < inside {
                return Ok(all);
            }
        }
    }
}

/// Bytes of which only so many may be read for one step.
struct Bounded {
    source: BufReader<Box<dyn Read + Send>>,
    left: usize,
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let read = available.len().min(buffer.len());
        buffer[..read].copy_from_slice(&available[..read]);
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for Bounded {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.left == 0 {
            return Err(damaged());
        }
        self.source.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.left = self.left.saturating_sub(amount);
        self.source.consume(amount);
    }
}
