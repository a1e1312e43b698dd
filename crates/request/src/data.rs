//! Where the data is, and who is one person in it.
//!
//! Names only; it must never open a file or guess a type. It is separate because planning works without it. Read
//! `bins.rs` next.

use super::dialect::read_dialect;
use super::error::RequestError;
use super::fields::{Fields, Item};
use super::node::Node;
use super::number::{Bounds, Whole};
use super::server::{ServerPlace, check_server};
use super::values::read_value;
use incrowd_definition::{BinValue, ColumnType, Dialect, Split, Unit};
use incrowd_exact::Rational;
use std::collections::BTreeMap;

/// Where the data is, and who is one person in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Data {
    /// A file, a folder or a glob. Not part of the request's identity.
    pub source: Option<String>,
    /// The environment variable that holds the password or token of a server. Not part of the request's identity.
    pub password_variable: Option<String>,
    /// How its files write rows and values down.
    pub dialect: Dialect,
    /// Whose row it is.
    pub unit: Unit,
    /// An SQL condition on one row.
    pub condition: Option<String>,
    /// Types of CSV and JSON columns; text unless said otherwise.
    pub types: BTreeMap<String, ColumnType>,
    /// Whether the data is made up.
    pub synthetic: bool,
    /// Keep each person with this probability, above 0 and below 1.
    pub sample: Option<Rational>,
    /// How the data itself was sampled from a population.
    pub sampled: Option<PopulationSample>,
    /// Where `truncate` cuts days.
    pub timezone: String,
    /// The part of the people that is counted, if it is a declared part.
    pub split: Option<Split>,
}

/// How the data was sampled from a population; an assumption.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PopulationSample {
    /// The least chance of anybody to be in the data, above 0.
    pub least: Rational,
    /// The greatest chance, below 1.
    pub most: Rational,
    /// How many people are exempt: known to be in the data, or not.
    pub known: u64,
}

impl Default for Data {
    fn default() -> Self {
        Data {
            source: None,
            password_variable: None,
            dialect: Dialect::default(),
            unit: Unit::Row,
            condition: None,
            types: BTreeMap::new(),
            synthetic: false,
            sample: None,
            sampled: None,
            timezone: "UTC".into(),
            split: None,
        }
    }
}

impl Data {
    /// Returns the server that the data is on, if it is on one.
    pub fn server(&self) -> Option<ServerPlace> {
        self.source.as_deref().and_then(ServerPlace::of)
    }

    /// Returns what the data is called where it is published: the table of a server, without where that is; or the
    /// file, as the request names it.
    pub fn shown_source(&self) -> Option<&str> {
        match self.server() {
            Some(_) => self.dialect.table.as_deref(),
            None => self.source.as_deref(),
        }
    }

    pub(super) fn read(fields: &Fields<'_>) -> Result<Self, RequestError> {
        let (source, password_variable) = (fields.text("source")?, fields.text("password-env")?);
        let dialect = read_dialect(fields)?;
        check_server(source.as_deref(), password_variable.as_deref(), &dialect, fields)?;
        Ok(Data {
            source,
            password_variable,
            dialect,
            unit: read_unit(fields)?,
            condition: fields.text("where")?,
            types: fields.item("types").map(|item| read_types(&item)).transpose()?.unwrap_or_default(),
            synthetic: fields.flag("synthetic")?.unwrap_or(false),
            sample: fields.number("sample", Bounds::Chance)?,
            sampled: fields.section("sampled")?.map(|below| read_sampled(&below)).transpose()?,
            timezone: read_timezone(fields)?.unwrap_or_else(|| "UTC".into()),
            split: fields.section("split")?.map(|below| read_split(&below)).transpose()?,
        })
    }
}

fn read_unit(fields: &Fields<'_>) -> Result<Unit, RequestError> {
    let bins_per_person = fields.whole("bins-per-person", Whole::BINS_PER_PERSON)?.unwrap_or(1);
    match (fields.text("person")?, fields.text("people")?) {
        (Some(_), Some(_)) => Err(fields
            .refuse_key("people", "`people` goes without `person`")
            .hint("with `person`, all rows of a person are one person; drop one of the two keys")),
        (Some(column), None) => Ok(Unit::Person { column, bins_per_person }),
        (None, _) if bins_per_person > 1 => Err(fields
            .refuse_key("bins-per-person", "`bins-per-person` needs `person`")
            .hint("without `person` one row is one person, in one bin")),
        (None, Some(column)) => Ok(Unit::People { column }),
        (None, None) => Ok(Unit::Row),
    }
}

fn read_types(item: &Item<'_>) -> Result<BTreeMap<String, ColumnType>, RequestError> {
    let Node::Section(_) = item.value() else {
        return Err(item
            .refuse("`types` must be a section, [data.types]")
            .hint("under [data.types]: hired = \"date\""));
    };
    item.entries("types").map(|(name, item)| Ok((name, item.choice(&ColumnType::ALL, ColumnType::as_str)?))).collect()
}

fn read_sampled(fields: &Fields<'_>) -> Result<PopulationSample, RequestError> {
    let item = fields.required("probability")?;
    let known = fields.whole("known", Whole::COUNT)?.unwrap_or(0);
    let Node::List(_) = item.value() else {
        let probability = item.number(Bounds::Chance)?;
        return Ok(PopulationSample { least: probability.clone(), most: probability, known });
    };
    let (least, most) = item.pair("[least, most]")?;
    let (least, most) = (least.number(Bounds::Chance)?, most.number(Bounds::Chance)?);
    if least <= most {
        return Ok(PopulationSample { least, most, known });
    }
    Err(item.refuse("`probability` must be [least, most], the smaller first"))
}

fn read_split(fields: &Fields<'_>) -> Result<Split, RequestError> {
    let item = fields.required("part")?;
    let part = read_value(&item)?;
    match &part {
        BinValue::Text(_) | BinValue::Integer(_) => Ok(Split { column: fields.required("column")?.text()?, part }),
        BinValue::Boolean(_) | BinValue::Date(_) => {
            Err(item.refuse("`part` must be a text or an integer").hint("part = \"north\""))
        }
    }
}

fn read_timezone(fields: &Fields<'_>) -> Result<Option<String>, RequestError> {
    let Some(name) = fields.text("timezone")? else { return Ok(None) };
    let known = |c: char| c.is_ascii_alphanumeric() || "_+-/:".contains(c);
    if name.len() <= 64 && name.chars().all(known) {
        return Ok(Some(name));
    }
    Err(fields.refuse_value("timezone", "this is not the name of a time zone").hint("timezone = \"Europe/Berlin\""))
}
