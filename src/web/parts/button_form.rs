//! A form of one button that acts at once.

use askama::Template;

use super::visit::Visit;

#[derive(Debug, Template)]
#[template(path = "forms/_button_form.html")]
pub(in crate::web) struct ButtonForm {
    csrf_token: String,
    path: String,
    /// The page of the button, to return to.
    here: String,
    class: &'static str,
    label: &'static str,
    /// Words after the label, for screen readers: the name of the object.
    object: String,
    /// Whether the button undoes something or is less important.
    is_secondary: bool,
}

impl askama::filters::HtmlSafe for ButtonForm {}

impl ButtonForm {
    /// Creates the form that posts to `path` and returns to the page at the path `here`.
    pub(in crate::web) fn new(
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
            is_secondary: false,
        }
    }

    pub(in crate::web) fn secondary(self) -> Self {
        Self {
            is_secondary: true,
            ..self
        }
    }
}
