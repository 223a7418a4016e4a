//! The edit form of a status, and its edit history.

use crate::{
    domain::{EditState, Message, Visibility},
    store::{UnixMs, Version},
    web::{
        parts::{
            moment::{Moment, span, time_of_day},
            prelude::*,
            rich_text::RichText,
        },
        statuses::{character_counter::CharacterCounter, visibility_select::VisibilitySelect},
    },
};

/// The text in an edit form, and its revision.
#[derive(Debug)]
pub struct TextTyped {
    pub message: Typed,
    pub warning: Typed,
    pub revision: u64,
    pub visibility: Option<Visibility>,
}

impl TextTyped {
    /// Returns the current text of a status.
    pub fn of(status: &VisibleStatus) -> Self {
        Self {
            message: Typed::text(status.message()),
            warning: Typed::text(status.own_warning().unwrap_or_default()),
            revision: status.revision(),
            visibility: Some(status.own_visibility()),
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "edits/_edit_form.html")]
pub struct EditForm {
    csrf_token: String,
    action: String,
    revision: u64,
    errors: ErrorSummary,
    message: Field,
    warning: Field,
    character_counter: CharacterCounter,
    visibility: VisibilitySelect,
    /// The form has a notice with a link to appeal, and cannot be sent.
    is_frozen: bool,
}

impl askama::filters::HtmlSafe for EditForm {}

impl EditForm {
    pub fn new(visit: &Visit, status: StatusId, typed: TextTyped) -> Self {
        let character_counter = CharacterCounter::of(&typed.message.text);
        let message = Field::new(Kind::Paragraph, "message", "Message", typed.message)
            .with_hint(MESSAGE_HINT);
        let warning = Field::new(Kind::Optional, "warning", "Warning", typed.warning)
            .with_hint("Readers see this line first. Message and poll are hidden behind it.");
        Self {
            csrf_token: visit.csrf_token.clone(),
            action: routes::edit_status(status),
            revision: typed.revision,
            errors: ErrorSummary::of([&message, &warning]),
            message,
            warning,
            character_counter,
            visibility: VisibilitySelect::new(typed.visibility),
            is_frozen: visit.is_frozen(),
        }
    }

    /// Has an edit that was sent before.
    pub fn again(visit: &Visit, status: StatusId, typed: TextTyped) -> Self {
        let form = Self::new(visit, status, typed);
        let widest = form.visibility.widest_again();
        form.up_to(widest)
    }

    /// Offers nothing wider than this: an edit never makes a post visible to more people.
    #[must_use]
    pub fn up_to(self, widest: Visibility) -> Self {
        Self {
            visibility: self.visibility.up_to(widest),
            ..self
        }
    }
}

const MESSAGE_HINT: &str =
    "Up to 500 characters. Everyone who sees the post sees its earlier versions.";
const _: () = assert!(Message::MAX_CHARACTERS == 500, "as the hint says");

#[derive(Debug, Template)]
#[template(path = "edits/edit.html")]
pub struct EditPage {
    layout: Layout,
    permalink: String,
    /// The deadline; `None` after it.
    until: Option<Deadline>,
    form: EditForm,
}

impl EditPage {
    pub fn new(visit: &Visit, status: &VisibleStatus, form: EditForm) -> Self {
        let author = status.author();
        Self {
            layout: Layout::new(visit, section_of(visit, author.id), "Edit post")
                .wrong_if(form.errors.has_some()),
            permalink: routes::status(&author.login, status.id()),
            until: status
                .is_editable(visit.now)
                .then(|| Deadline::new(visit, status.posted())),
            form,
        }
    }
}

/// The deadline of edits of a post. A script shows its time in the reader's time zone.
#[derive(Debug)]
struct Deadline {
    /// `14:05 UTC`.
    time: String,
    datetime: String,
    /// `12 minutes`.
    left: String,
}

impl Deadline {
    fn new(visit: &Visit, posted: UnixMs) -> Self {
        let end = UnixMs(posted.0.saturating_add(EditState::OPEN_MS));
        Self {
            time: time_of_day(end, &visit.zone),
            datetime: visit.moment(end).datetime,
            left: span(end.0.saturating_sub(visit.now.0)),
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "edits/versions.html")]
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
    pub fn new(visit: &Visit, status: &VisibleStatus, earlier: Vec<Version>) -> Self {
        let author = status.author();
        let now = Version {
            message: status.message().to_owned(),
            warning: status.own_warning().map(str::to_owned),
            since: status.edited().unwrap_or(status.posted()),
        };
        let imposed = status.moderators_warning();
        let newest_first = earlier.into_iter().chain([now]).rev();
        let title = format!("Edit history of a post by {}", author.name);
        Self {
            layout: Layout::new(visit, section_of(visit, author.id), title),
            author: author.name.clone(),
            permalink: routes::status(&author.login, status.id()),
            versions: newest_first
                .map(|version| VersionPart::new(visit, imposed, version))
                .collect(),
        }
    }
}

impl VersionPart {
    /// Creates a version behind its warning, or behind the one of the moderators.
    fn new(visit: &Visit, imposed: Option<&str>, version: Version) -> Self {
        Self {
            warning: imposed.map(str::to_owned).or(version.warning),
            message: RichText::new(version.message),
            since: visit.moment(version.since),
        }
    }
}
