//! A labelled form field, with its text and its error.

use std::borrow::Cow;

use askama::Template;

use super::quote_at_end;

/// The text that a person typed into a field, and its error.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Typed {
    pub text: String,
    pub error: Option<String>,
}

impl Typed {
    /// Returns a text without an error.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            error: None,
        }
    }

    /// Returns an error without the text, for passwords.
    pub fn error(error: impl ToString) -> Self {
        Self::wrong("", error)
    }

    /// Returns a text with an error.
    pub fn wrong(text: impl Into<String>, error: impl ToString) -> Self {
        Self {
            text: text.into(),
            error: Some(error.to_string()),
        }
    }

    /// Returns a text with the error of its parsing, if any.
    pub fn checked<T, E: ToString>(text: impl Into<String>, parsed: &Result<T, E>) -> Self {
        Self {
            text: text.into(),
            error: parsed.as_ref().err().map(E::to_string),
        }
    }

    /// Adds the error of a field that someone else changed while the form was open, to this stored value.
    #[must_use]
    pub fn in_conflict(self, stored: Option<&str>) -> Self {
        Self {
            error: stored.map(conflict_error).or(self.error),
            ..self
        }
    }
}

/// Characters of a stored value in an error.
const MAX_STORED_CHARACTERS: usize = 300;

/// Returns the error of a field that someone else changed while the form was open. Long values are cut off.
pub fn conflict_error(stored: &str) -> String {
    let text = stored.replace('\n', " / ");
    let now = match text.char_indices().nth(MAX_STORED_CHARACTERS) {
        _ if text.is_empty() => "It is empty now.".to_owned(),
        Some((end, _)) => {
            let beginning = format!("{}…", &text[..end]);
            format!("It now begins with {}", quote_at_end(&beginning))
        }
        None => format!("It is now {}", quote_at_end(&text)),
    };
    format!("Someone changed this in the meantime. {now} Save again to overwrite that change.")
}

/// The kind of a field decides its element and attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Login,
    Name,
    /// A name or login of another thing or person: browsers fill in nothing.
    Other,
    /// A line that may be empty.
    Optional,
    Paragraph,
    CurrentPassword,
    NewPassword,
}

#[derive(Debug, Template)]
#[template(path = "forms/_field.html")]
pub struct Field {
    pub kind: Kind,
    /// The field's name in the form, and its element's id.
    pub name: &'static str,
    pub label: Cow<'static, str>,
    pub hint: &'static str,
    pub typed: Typed,
    /// Only the summary shows the error, without the label, in an element with the id of the error of this field.
    pub is_error_above: bool,
}

impl askama::filters::HtmlSafe for Field {}

impl Field {
    pub fn new(
        kind: Kind,
        name: &'static str,
        label: impl Into<Cow<'static, str>>,
        typed: Typed,
    ) -> Self {
        Self {
            kind,
            name,
            label: label.into(),
            hint: "",
            typed,
            is_error_above: false,
        }
    }

    pub fn with_hint(self, hint: &'static str) -> Self {
        Self { hint, ..self }
    }

    #[must_use]
    pub fn with_error_above(self) -> Self {
        Self {
            is_error_above: true,
            ..self
        }
    }

    fn describes(&self) -> bool {
        !self.hint.is_empty() || self.typed.error.is_some()
    }
}

/// All errors of a form: a list at its top that links to each field.
#[derive(Debug, Template)]
#[template(path = "forms/_error_summary.html")]
pub struct ErrorSummary {
    errors: Vec<FieldError>,
}

impl askama::filters::HtmlSafe for ErrorSummary {}

#[derive(Debug)]
struct FieldError {
    name: &'static str,
    /// `None` if only the summary shows the error.
    label: Option<Cow<'static, str>>,
    error: String,
}

impl ErrorSummary {
    pub fn of<'a>(fields: impl IntoIterator<Item = &'a Field>) -> Self {
        let error_of = |field: &Field| {
            let error = field.typed.error.clone()?;
            Some(FieldError {
                name: field.name,
                label: (!field.is_error_above).then(|| field.label.clone()),
                error,
            })
        };
        Self {
            errors: fields.into_iter().filter_map(error_of).collect(),
        }
    }

    /// Adds the error of a choice, if there is one. Its element has this name as id.
    #[must_use]
    pub fn with(mut self, name: &'static str, label: &'static str, error: Option<&str>) -> Self {
        self.errors.extend(error.map(|error| FieldError {
            name,
            label: Some(label.into()),
            error: error.to_owned(),
        }));
        self
    }

    pub fn has_some(&self) -> bool {
        !self.errors.is_empty()
    }

    fn has_labels(&self) -> bool {
        self.errors.iter().any(|error| error.label.is_some())
    }
}

#[cfg(test)]
mod tests {
    use scraper::{Html, Selector};

    use super::super::field::*;

    fn field(kind: Kind, typed: Typed) -> Field {
        Field {
            kind,
            name: "bio",
            label: "About you".into(),
            hint: "A hint.",
            typed,
            is_error_above: false,
        }
    }

    fn attribute(html: &str, selector: &str, name: &str) -> Option<String> {
        let page = Html::parse_fragment(html);
        let element = page.select(&Selector::parse(selector).unwrap()).next()?;
        element.attr(name).map(str::to_owned)
    }

    #[test]
    fn an_error_is_linked_to_its_field() {
        let html = field(Kind::Name, Typed::error("No.")).render().unwrap();
        let described_by = attribute(&html, "input", "aria-describedby");
        assert_eq!(described_by.unwrap(), "bio-hint bio-error");
        assert_eq!(attribute(&html, "input", "aria-invalid").unwrap(), "true");
        assert!(attribute(&html, "#bio-error", "id").is_some());
    }

    #[test]
    fn an_error_above_its_field_is_shown_once_without_the_label() {
        let field = field(Kind::Name, Typed::error("No.")).with_error_above();
        let described_by = attribute(&field.render().unwrap(), "input", "aria-describedby");
        assert_eq!(described_by.unwrap(), "bio-hint bio-error");
        let html = format!("{}{}", ErrorSummary::of([&field]), field);
        let page = Html::parse_fragment(&html);
        let errors = Selector::parse("#bio-error").unwrap();
        let errors = page.select(&errors);
        let texts: Vec<String> = errors.map(|error| error.text().collect()).collect();
        assert_eq!(texts, ["No."]);
        assert!(!html.contains("Please fix"));
        let link = attribute(&html, ".errors #bio-error > a", "href");
        assert_eq!(link.unwrap(), "#bio");
    }

    #[test]
    fn a_conflict_shows_the_stored_value() {
        for (stored, words) in [
            ("", "It is empty now."),
            ("Be kind.\nNo ads.", "It is now “Be kind. / No ads.” Save"),
            ("Be kind", "It is now “Be kind”. Save"),
            (&"é".repeat(301), &format!("“{}…”", "é".repeat(300))),
        ] {
            let error = Typed::text("typed").in_conflict(Some(stored)).error;
            assert!(error.expect("an error").contains(words), "{words}");
        }
        assert_eq!(Typed::text("typed").in_conflict(None).error, None);
    }

    #[test]
    fn a_password_field_is_never_prefilled() {
        for kind in [Kind::CurrentPassword, Kind::NewPassword] {
            let html = field(kind, Typed::text("hunter2hunter2")).render().unwrap();
            assert!(!html.contains("hunter2"));
        }
    }

    #[test]
    fn typed_text_is_returned_complete_and_escaped() {
        let typed = "\n</textarea><b>\"";
        let html = field(Kind::Paragraph, Typed::text(typed)).render().unwrap();
        let page = Html::parse_fragment(&html);
        let area = page
            .select(&Selector::parse("textarea").unwrap())
            .next()
            .unwrap();
        assert_eq!(area.text().collect::<String>(), typed);
    }
}
