//! The edit form of a status, and its edit history.

use askama::Template;

use crate::{
    domain::{EditState, Message, StatusId},
    store::{UnixMs, Version, VisibleStatus},
    web::{
        parts::{
            field::{ErrorSummary, Field, Kind, Typed},
            layout::{Layout, section_of},
            moment::{Moment, span, time_of_day},
            rich_text::RichText,
            visit::Visit,
        },
        routes,
        statuses::compose::CharacterCounter,
    },
};

/// The text in an edit form, and its revision.
#[derive(Debug)]
pub struct TextTyped {
    pub message: Typed,
    pub warning: Typed,
    pub revision: u64,
}

impl TextTyped {
    /// Returns the current text of a status.
    #[must_use]
    pub fn of(status: &VisibleStatus) -> Self {
        Self {
            message: Typed::text(status.message()),
            warning: Typed::text(status.warning().unwrap_or_default()),
            revision: status.revision(),
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "statuses/_edit_form.html")]
pub struct EditForm {
    csrf_token: String,
    action: String,
    revision: u64,
    errors: ErrorSummary,
    message: Field,
    warning: Field,
    character_counter: CharacterCounter,
}

impl askama::filters::HtmlSafe for EditForm {}

impl EditForm {
    #[must_use]
    pub fn new(visit: &Visit, status: StatusId, typed: TextTyped) -> Self {
        let character_counter = CharacterCounter::of(&typed.message.text);
        let message = Field {
            kind: Kind::Paragraph,
            name: "message",
            label: "Message",
            hint: MESSAGE_HINT,
            typed: typed.message,
        };
        let warning = Field {
            kind: Kind::Optional,
            name: "warning",
            label: "Warning",
            hint: "Readers see this line first. Message and poll are hidden behind it.",
            typed: typed.warning,
        };
        Self {
            csrf_token: visit.csrf_token.clone(),
            action: routes::edit_status(status),
            revision: typed.revision,
            errors: ErrorSummary::of([&message, &warning]),
            message,
            warning,
            character_counter,
        }
    }
}

const MESSAGE_HINT: &str = "Up to 500 characters. Earlier versions stay public.";
const _: () = assert!(Message::MAX_CHARACTERS == 500, "as the hint says");

#[derive(Debug, Template)]
#[template(path = "statuses/edit.html")]
pub struct EditPage {
    layout: Layout,
    permalink: String,
    /// The deadline in words; `None` after it.
    until: Option<String>,
    form: EditForm,
}

impl EditPage {
    /// Creates the page for a status of the viewer.
    #[must_use]
    pub fn new(visit: &Visit, status: &VisibleStatus, form: EditForm) -> Self {
        let author = status.author();
        Self {
            layout: Layout::new(visit, section_of(visit, author.id), "Edit post")
                .wrong_if(form.errors.has_some()),
            permalink: routes::status(&author.login, status.id()),
            until: status
                .is_editable(visit.now)
                .then(|| until(status.posted(), visit.now)),
            form,
        }
    }
}

/// Returns the deadline of edits of a post: `14:05 UTC (12 minutes left)`.
fn until(posted: UnixMs, now: UnixMs) -> String {
    let end = UnixMs(posted.0.saturating_add(EditState::OPEN_MS));
    let left = span(end.0.saturating_sub(now.0));
    format!("{} ({left} left)", time_of_day(end))
}

#[derive(Debug, Template)]
#[template(path = "statuses/versions.html")]
pub struct VersionsPage {
    layout: Layout,
    author: String,
    permalink: String,
    /// Newest first; the first is the current version.
    versions: Vec<VersionPart>,
}

#[derive(Debug)]
struct VersionPart {
    warning: Option<String>,
    message: RichText,
    since: Moment,
}

impl VersionsPage {
    /// Creates the page of a status and its earlier versions, oldest first.
    #[must_use]
    pub fn new(visit: &Visit, status: &VisibleStatus, earlier: Vec<Version>) -> Self {
        let author = status.author();
        let now = Version {
            message: status.message().to_owned(),
            warning: status.warning().map(str::to_owned),
            since: status.edited().unwrap_or(status.posted()),
        };
        let newest_first = earlier.into_iter().chain([now]).rev();
        let title = format!("Edit history of a post by {}", author.name);
        Self {
            layout: Layout::new(visit, section_of(visit, author.id), title),
            author: author.name.clone(),
            permalink: routes::status(&author.login, status.id()),
            versions: newest_first
                .map(|version| VersionPart::new(version, visit.now))
                .collect(),
        }
    }
}

impl VersionPart {
    fn new(version: Version, now: UnixMs) -> Self {
        Self {
            warning: version.warning,
            message: RichText::new(version.message),
            since: Moment::new(version.since, now),
        }
    }
}
