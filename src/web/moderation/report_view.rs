//! The form that reports a post, a message, a person or a group.

use std::{collections::BTreeSet, sync::Arc};

use super::rules;
use crate::{
    domain::{ChatMessage, Login, MessageId, ReportNote, ReportReason, ReportedPost, UserId},
    store::{Group, ReportableMessage, SeenGroup, ShownPost},
    web::{
        blocks::view::BlockForm,
        groups::words,
        messages::words::author_name,
        mutes::view::MuteForm,
        parts::{moment::Moment, prelude::*},
        statuses::status_card::StatusCard,
    },
};

/// The subject of a report.
#[derive(Debug, Clone, Copy)]
pub enum Subject<'a> {
    Post(&'a VisibleStatus),
    /// A post as the form showed it, and the edited one. `None` if the member does not see it any more.
    ShownPost(&'a ShownPost, Option<&'a VisibleStatus>),
    Message(&'a ReportableMessage),
    Person(&'a User),
    Group(&'a ReportableGroup),
}

/// A group of another person, with its owner.
#[derive(Debug)]
pub struct ReportableGroup {
    pub seen: SeenGroup,
    pub owner: UserId,
    /// The owner, if the member finds them.
    pub found_owner: Option<Arc<User>>,
}

impl Subject<'_> {
    /// Returns the reported person, or the owner of the group, if the member finds them.
    fn person(&self) -> Option<&User> {
        match self {
            Self::Post(status) | Self::ShownPost(_, Some(status)) => Some(status.author()),
            Self::ShownPost(_, None) => None,
            Self::Message(message) => Some(&message.author),
            Self::Person(user) => Some(user),
            Self::Group(group) => group.found_owner.as_deref(),
        }
    }

    fn group(&self) -> Option<&Group> {
        match self {
            Self::Group(group) => Some(&group.seen.group),
            _ => None,
        }
    }

    fn title(&self) -> String {
        let login = self.person().map(|person| &person.login);
        let login = login.map(Login::to_string).unwrap_or_default();
        match self {
            Self::Post(_) | Self::ShownPost(_, Some(_)) => format!("Report a post by @{login}"),
            Self::ShownPost(_, None) => "Report a post".to_owned(),
            Self::Message(_) => format!("Report a message by @{login}"),
            Self::Person(_) => format!("Report @{login}"),
            Self::Group(group) => format!("Report the group {}", group.seen.group.name),
        }
    }

    /// Returns the page of the subject, and its name.
    fn page(&self) -> (String, String) {
        match (self.group(), self.person()) {
            (Some(group), _) => (routes::group(&group.slug), group.name.clone()),
            (None, Some(person)) => (routes::profile(&person.login), format!("@{}", person.login)),
            (None, None) => (routes::HOME.to_owned(), "Home".to_owned()),
        }
    }

    /// Returns the path of the page with the form, and of its action.
    pub fn action(&self) -> String {
        match self {
            Self::Post(status) => routes::report_post(status.id()),
            Self::ShownPost(shown, _) => routes::report_post(shown.id()),
            Self::Message(message) => routes::report_message(message.chat, message.id),
            Self::Person(user) => routes::report_person(&user.login),
            Self::Group(group) => routes::report_group(&group.seen.group.slug),
        }
    }

    /// Returns whether this is the path of the page with the form. The page of a person can have a former login.
    pub fn is_at(&self, page: &str) -> bool {
        match self {
            Self::Person(user) => {
                let former = user.former_logins.iter().map(|former| &former.login);
                let mut logins = former.chain([&user.login]).map(routes::report_person);
                logins.any(|path| path.eq_ignore_ascii_case(page))
            }
            _ => self.action() == page,
        }
    }

    /// Returns the text, if the page has no card of the subject.
    fn text(&self) -> Option<SubjectText> {
        match self {
            Self::Message(message) => Some(SubjectText {
                warning: None,
                message: message.text().to_owned(),
                options: Vec::new(),
            }),
            Self::ShownPost(shown, _) => Some(SubjectText::of_post(shown.post())),
            Self::Post(_) | Self::Person(_) | Self::Group(_) => None,
        }
    }
}

/// The fields of a report as they were typed.
#[derive(Debug, Clone, Default)]
pub struct TypedReport {
    pub reason: String,
    pub note: String,
    /// The messages that are sent with a reported one.
    pub chosen: BTreeSet<MessageId>,
    /// The messages that the form showed, signed. Empty unless it is about a message.
    pub seen: String,
    /// The post that the form showed, signed. Empty unless it is about a post.
    pub shown_post: String,
    pub is_sent: bool,
}

impl TypedReport {
    /// The prefix of the field of a chosen message, before its number.
    pub const MESSAGE: &'static str = "message_";
}

#[derive(Debug, Template)]
#[template(path = "moderation/_report_form.html")]
pub struct ReportForm {
    csrf_token: String,
    action: String,
    errors: ErrorSummary,
    reason: Field,
    choices: Vec<ReasonChoice>,
    note: Field,
    /// The messages around a reported one.
    around: Vec<MessageChoice>,
    /// The chosen ones, if they are not shown.
    chosen: BTreeSet<MessageId>,
    seen: String,
    shown_post: String,
    /// The form has a notice with a link to appeal, and cannot be sent.
    is_frozen: bool,
}

/// A message that can be sent with a reported one.
#[derive(Debug)]
struct MessageChoice {
    id: MessageId,
    author: String,
    text: String,
    at: Moment,
    is_chosen: bool,
}

impl askama::filters::HtmlSafe for ReportForm {}

/// A reason in a form.
#[derive(Debug)]
pub struct ReasonChoice {
    pub value: String,
    pub words: String,
    pub is_chosen: bool,
}

impl ReasonChoice {
    pub fn all(visit: &Visit, chosen: &str) -> Vec<Self> {
        let choice = |reason: ReportReason| Self {
            value: reason.value(),
            words: reason.words().into_owned(),
            is_chosen: reason.value() == chosen,
        };
        let offered = ReportReason::offered(&rules(visit)).into_iter();
        offered.map(choice).collect()
    }
}

impl ReportForm {
    pub fn new(visit: &Visit, action: String, typed: &TypedReport) -> Self {
        let choices = ReasonChoice::all(visit, &typed.reason);
        let is_chosen = choices.iter().any(|choice| choice.is_chosen);
        let reason = match typed.is_sent && !is_chosen {
            true => Typed::wrong(typed.reason.clone(), "Choose a reason."),
            false => Typed::text(typed.reason.clone()),
        };
        let reason = Field::new(Kind::Other, "reason", "Reason", reason);
        let note = Typed::checked(typed.note.clone(), &ReportNote::parse(&typed.note));
        let note = Field::new(Kind::Paragraph, "note", "Note (optional)", note)
            .with_hint("Up to 500 characters. The moderators read it.");
        Self {
            csrf_token: visit.csrf_token.clone(),
            action,
            errors: ErrorSummary::of([&reason, &note]),
            reason,
            choices,
            note,
            around: Vec::new(),
            chosen: typed.chosen.clone(),
            seen: typed.seen.clone(),
            shown_post: typed.shown_post.clone(),
            is_frozen: visit.is_frozen(),
        }
    }

    /// Offers to send the messages around a reported one with it.
    fn with_messages(mut self, visit: &Visit, reported: &ReportableMessage) -> Self {
        let chosen = std::mem::take(&mut self.chosen);
        let choice = |message: &ChatMessage| MessageChoice {
            id: message.id,
            author: author_name(&reported.view, message.author),
            text: message.text().unwrap_or_default().to_owned(),
            at: visit.moment(message.at),
            is_chosen: chosen.contains(&message.id),
        };
        let others = reported.around.iter().filter(|one| one.id != reported.id);
        self.around = others.map(choice).collect();
        self
    }
}

#[derive(Debug, Template)]
#[template(path = "moderation/report.html")]
pub struct ReportPage {
    layout: Layout,
    heading: String,
    /// The page of the subject, and its name.
    above: (String, String),
    /// The reported person, or the owner of the group.
    person: String,
    form: ReportForm,
    /// The reported post.
    status: Option<StatusCard>,
    /// The text of the reported message, or of a [`Subject::ShownPost`].
    text: Option<SubjectText>,
    /// The author has edited the post since the form showed it.
    is_edited: bool,
    /// The reported group.
    group: Option<GroupSummary>,
    /// The page on which the member leaves the group.
    leave: Option<String>,
    mute_form: Option<MuteForm>,
    block_form: Option<BlockForm>,
}

/// The text of a reported message or post.
#[derive(Debug)]
struct SubjectText {
    warning: Option<String>,
    message: String,
    /// The options of the poll.
    options: Vec<String>,
}

impl SubjectText {
    fn of_post(post: &ReportedPost) -> Self {
        Self {
            warning: post.text.warning.clone(),
            message: post.text.message.clone(),
            options: post.options.clone(),
        }
    }
}

/// The part of a group that is sent with its report.
#[derive(Debug)]
struct GroupSummary {
    name: String,
    about: String,
    description: String,
}

impl GroupSummary {
    fn new(group: &Group) -> Self {
        let (kind, members) = (words::kind(group), words::members(group.members));
        Self {
            name: group.name.clone(),
            about: format!("{kind} · {members}"),
            description: group.description.clone(),
        }
    }
}

impl ReportPage {
    pub fn new(visit: &Visit, subject: Subject<'_>, typed: &TypedReport) -> Self {
        let person = subject.person();
        let form = ReportForm::new(visit, subject.action(), typed);
        let form = match subject {
            Subject::Message(message) => form.with_messages(visit, message),
            Subject::Post(_) | Subject::ShownPost(..) | Subject::Person(_) | Subject::Group(_) => {
                form
            }
        };
        let layout = Layout::new(visit, Section::Elsewhere, subject.title());
        let mute = |person: &User| MuteForm::new(visit, &routes::profile(&person.login), person);
        Self {
            layout: layout.wrong_if(form.errors.has_some()),
            heading: subject.title(),
            above: subject.page(),
            person: match (subject.group(), person) {
                (Some(_), _) => "The owner of the group".to_owned(),
                (None, Some(person)) => format!("@{}", person.login),
                (None, None) => "The author".to_owned(),
            },
            form,
            status: match subject {
                Subject::Post(status) => Some(StatusCard::new(visit, status).only_to_read()),
                _ => None,
            },
            text: subject.text(),
            is_edited: matches!(subject, Subject::ShownPost(_, Some(_))),
            group: subject.group().map(GroupSummary::new),
            leave: match subject {
                Subject::Group(ReportableGroup { seen, .. }) => {
                    let is_member = seen.tie.membership().is_some();
                    is_member.then(|| routes::leave_group(&seen.group.slug))
                }
                _ => None,
            },
            mute_form: person.map(mute),
            block_form: person.map(|person| BlockForm::new(visit, person)),
        }
    }

    /// Offers neither a mute nor a block of a person that the member blocks already.
    #[must_use]
    pub fn blocked_if(self, is_blocked: bool) -> Self {
        match is_blocked {
            false => self,
            true => Self {
                above: (
                    routes::SETTINGS_BLOCKED.to_owned(),
                    "Blocked people".to_owned(),
                ),
                mute_form: None,
                block_form: None,
                ..self
            },
        }
    }
}
