//! The output of the commands: the outcome of an act, lists, and texts of people.

use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value};

use super::Failure;
use crate::{
    domain::{Login, UnixMs, UserId},
    output::{print_document, print_line},
};

/// The outcome of a command, as a JSON document and as lines for a reader.
#[derive(Debug, Serialize)]
pub(super) struct Done {
    /// The word of the command.
    did: &'static str,
    #[serde(flatten)]
    fields: Map<String, Value>,
    #[serde(skip)]
    lines: Vec<String>,
}

impl Done {
    /// Creates the outcome of a command that is not about an account.
    pub(super) fn new(did: &'static str, lines: Vec<String>) -> Self {
        let fields = Map::new();
        Self { did, fields, lines }
    }

    /// Creates the outcome of a command about an account.
    pub(super) fn of_account(
        did: &'static str,
        (id, login): (UserId, &Login),
        lines: Vec<String>,
    ) -> Self {
        let done = Self::new(did, lines).with("id", id.get());
        done.with("login", login.to_string())
    }

    /// Adds a field to the document.
    pub(super) fn with(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.fields.insert(field.to_owned(), value.into());
        self
    }

    /// Prints the document, or the lines for a reader.
    pub(super) fn print(&self, json: bool) -> Result<(), Failure> {
        if json {
            return print_document(self);
        }
        self.lines.iter().try_for_each(print_line)
    }
}

/// A row of a list, with the same for a reader.
pub(super) trait Row: Serialize {
    /// Returns the row for a reader: one line, and quoted texts below it.
    fn line(&self) -> String;
}

/// A list, as a JSON document and as lines for a reader.
#[derive(Debug, Serialize)]
pub(super) struct List<T> {
    pub(super) rows: Vec<T>,
    /// The number for `--before` of the next list.
    pub(super) next: Option<u64>,
}

impl<T: Row> List<T> {
    /// Prints the document, or the lines for a reader.
    pub(super) fn print(&self, json: bool) -> Result<(), Failure> {
        if json {
            return print_document(self);
        }
        self.rows
            .iter()
            .try_for_each(|row| print_line(row.line()))?;
        match self.next {
            Some(next) => print_line(format_args!("More: --before {next}")),
            None => Ok(()),
        }
    }
}

/// Returns a time to the second, in UTC.
pub(super) fn time(at: UnixMs) -> String {
    let ms = i64::try_from(at.0).unwrap_or(i64::MAX);
    let time = Timestamp::from_millisecond(ms).unwrap_or(Timestamp::MAX);
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// Returns a text of a person with a mark before each line, so that no line looks like one of the command.
pub(super) fn quote(text: &str) -> Vec<String> {
    let lines = text.split(['\n', '\u{2028}', '\u{2029}']);
    lines.map(|line| format!("    | {}", plain(line))).collect()
}

/// Returns a text of a person without characters that control a terminal or change the direction of other text.
pub(super) fn plain(text: &str) -> String {
    let is_unsafe = |c: char| {
        c.is_control()
            || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
    };
    text.replace(is_unsafe, "\u{FFFD}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_of_a_person_has_a_mark_and_nothing_controls_the_terminal() {
        let text = "one\nMore: --before 5\r\n\u{1b}[2Jtwo\u{2028}three\u{202E}";
        let quoted = [
            "    | one",
            "    | More: --before 5\u{FFFD}",
            "    | \u{FFFD}[2Jtwo",
            "    | three\u{FFFD}",
        ];
        assert_eq!(quote(text), quoted);
        assert_eq!(plain("a\nb"), "a\u{FFFD}b");
        assert_eq!(plain("دریا 👩🏽‍🌾"), "دریا 👩🏽‍🌾");
    }
}
