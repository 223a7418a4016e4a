//! The pages "About" and "Privacy", and the form that changes them.

use crate::{
    domain::{FieldConflicts, ShownValues},
    web::parts::{markdown::Markdown, prelude::*},
};

#[derive(Debug, Template)]
#[template(path = "site_texts/site_text.html")]
pub struct SiteTextPage {
    layout: Layout,
    text: Markdown,
}

impl SiteTextPage {
    pub fn about(visit: &Visit, site: &str, text: &str) -> Self {
        let title = format!("About {site}");
        Self {
            layout: Layout::new(visit, Section::Elsewhere, title)
                .described("What this site is for, and who runs it."),
            text: Markdown::new(text),
        }
    }

    pub fn privacy(visit: &Visit, text: &str) -> Self {
        Self {
            layout: Layout::new(visit, Section::Elsewhere, "Privacy")
                .described("What this site stores about people, and who can see it."),
            text: Markdown::new(text),
        }
    }
}

/// The texts as they were typed.
#[derive(Debug)]
pub struct SiteTextsTyped {
    pub about: Typed,
    pub privacy: Typed,
    /// The values with which the form was made.
    pub shown: ShownValues,
}

impl SiteTextsTyped {
    /// Adds the errors of the pages that someone else changed too.
    #[must_use]
    pub fn in_conflict(self, conflicts: &FieldConflicts) -> Self {
        Self {
            about: self.about.in_conflict(conflicts.stored("about")),
            privacy: self.privacy.in_conflict(conflicts.stored("privacy")),
            shown: self.shown.with_conflicts(conflicts),
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "site_texts/_edit_form.html")]
pub struct SiteTextsForm {
    csrf_token: String,
    shown: ShownValues,
    errors: ErrorSummary,
    about: Field,
    privacy: Field,
}

impl askama::filters::HtmlSafe for SiteTextsForm {}

impl SiteTextsForm {
    pub fn new(visit: &Visit, typed: SiteTextsTyped) -> Self {
        let about = Field::new(Kind::Paragraph, "about", "About", typed.about)
            .with_hint("What the site is for, and who runs it. Without a text there is no page.");
        let privacy = Field::new(Kind::Paragraph, "privacy", "Privacy", typed.privacy)
            .with_hint("What the site stores about people, for how long, and who can read it.");
        Self {
            csrf_token: visit.csrf_token.clone(),
            shown: typed.shown,
            errors: ErrorSummary::of([&about, &privacy]),
            about,
            privacy,
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "site_texts/edit.html")]
pub struct SiteTextsPage {
    layout: Layout,
    form: SiteTextsForm,
}

impl SiteTextsPage {
    pub fn new(visit: &Visit, form: SiteTextsForm) -> Self {
        let layout = Layout::new(visit, Section::Settings, "About and privacy")
            .wrong_if(form.errors.has_some());
        Self { layout, form }
    }
}
