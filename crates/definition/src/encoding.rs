//! How letters are written down as bytes.
//!
//! A closed list of names, so that a request cannot ask for what no reader knows; it must never be guessed while a
//! release runs. It is separate because it is a list. Read `dialect.rs` for where it is said.

/// How letters are written down as bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Encoding(&'static str);

impl Encoding {
    /// UTF-8, the default.
    pub const UTF_8: Encoding = Encoding("utf-8");

    /// All of them. `utf-16` tells the order of its bytes by its mark, and has the low one first without.
    pub const ALL: [Encoding; 38] = [
        Encoding("utf-8"),
        Encoding("utf-16"),
        Encoding("utf-16le"),
        Encoding("utf-16be"),
        Encoding("windows-1250"),
        Encoding("windows-1251"),
        Encoding("windows-1252"),
        Encoding("windows-1253"),
        Encoding("windows-1254"),
        Encoding("windows-1255"),
        Encoding("windows-1256"),
        Encoding("windows-1257"),
        Encoding("windows-1258"),
        Encoding("windows-874"),
        Encoding("iso-8859-1"),
        Encoding("iso-8859-2"),
        Encoding("iso-8859-3"),
        Encoding("iso-8859-4"),
        Encoding("iso-8859-5"),
        Encoding("iso-8859-6"),
        Encoding("iso-8859-7"),
        Encoding("iso-8859-8"),
        Encoding("iso-8859-9"),
        Encoding("iso-8859-10"),
        Encoding("iso-8859-13"),
        Encoding("iso-8859-14"),
        Encoding("iso-8859-15"),
        Encoding("iso-8859-16"),
        Encoding("ibm866"),
        Encoding("koi8-r"),
        Encoding("koi8-u"),
        Encoding("macintosh"),
        Encoding("big5"),
        Encoding("euc-jp"),
        Encoding("euc-kr"),
        Encoding("gb18030"),
        Encoding("gbk"),
        Encoding("shift_jis"),
    ];

    /// Returns the name in a request, as the Encoding Standard of the WHATWG has it.
    pub fn as_str(self) -> &'static str {
        self.0
    }
}

impl Default for Encoding {
    fn default() -> Self {
        Encoding::UTF_8
    }
}
