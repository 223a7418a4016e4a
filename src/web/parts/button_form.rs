//! A form of one button that acts at once.

use askama::Template;

use super::visit::Visit;

#[derive(Debug, Template)]
#[template(path = "forms/_button_form.html")]
pub struct ButtonForm {
    csrf_token: String,
    path: String,
    /// The page of the button, to return to.
    here: String,
    class: &'static str,
    label: &'static str,
    /// Words after the label, for screen readers: the name of the object.
    object: String,
    /// Name and value of a further field.
    field: Option<(&'static str, String)>,
    /// Whether the button undoes something or is less important.
    is_secondary: bool,
}

impl askama::filters::HtmlSafe for ButtonForm {}

impl ButtonForm {
    /// Creates the form that posts to `path` and returns to the page at the path `here`.
    pub fn new(
        visit: &Visit,
        (path, here): (String, &str),
        class: &'static str,
        (label, object): (&'static str, String),
    ) -> Self {
        Self {
            csrf_token: visit.csrf_token.clone(),
            path,
            here: here.to_owned(),
            class,
            label,
            object,
            field: None,
            is_secondary: false,
        }
    }

    pub fn with_field(self, name: &'static str, value: String) -> Self {
        let field = Some((name, value));
        Self { field, ..self }
    }

    pub fn secondary(self) -> Self {
        Self {
            is_secondary: true,
            ..self
        }
    }
}
