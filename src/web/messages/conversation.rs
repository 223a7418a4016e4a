//! The page of one conversation.

use super::{
    compose::MessageForm,
    list::Answers,
    words::{author_name, author_of, days, event, person_name, title},
};
use crate::{
    domain::{ChatMessage, ChatName, MemberState, MessageContent, MessageExpiry, MessageId},
    store::{ChatBlock, ChatPerson, ChatView, MESSAGE_EDIT_MS},
    web::parts::{
        avatar::Avatar, button_form::ButtonForm, moment::Moment, prelude::*, rich_text::RichText,
    },
};

#[derive(Debug, Template)]
#[template(path = "messages/conversation.html")]
pub struct ConversationPage {
    layout: Layout,
    path: String,
    title: String,
    people: Vec<PersonLink>,
    is_group: bool,
    /// Oldest first.
    messages: Vec<MessageItem>,
    older: Option<String>,
    /// The page is not the newest one.
    is_older: bool,
    version: u64,
    /// The time after which new messages disappear.
    expiry: Option<String>,
    answers: Option<Answers>,
    /// The reason why the viewer cannot write.
    closed: Option<&'static str>,
    form: Option<MessageForm>,
    menu: ChatMenu,
}

#[derive(Debug)]
struct PersonLink {
    name: String,
    /// The profile, if the viewer finds it.
    path: Option<String>,
    login: String,
    remark: &'static str,
}

/// A message on the page.
#[derive(Debug, Template)]
#[template(path = "messages/_message.html")]
struct MessageItem {
    id: MessageId,
    is_own: bool,
    /// The author of a message in a group.
    author: Option<(Avatar, String)>,
    body: Body,
    when: Moment,
    is_edited: bool,
    is_first_new: bool,
    /// The form to edit it, while its author can.
    edit: Option<String>,
    /// The acts that the viewer can do with it.
    menu: Option<MessageMenu>,
    /// The form that reports a message of another person.
    report: Option<String>,
    /// `Seen`, or the people who have seen it.
    seen: Option<String>,
}

impl askama::filters::HtmlSafe for MessageItem {}

/// The buttons that delete a message. They submit the one form of the page.
#[derive(Debug)]
struct MessageMenu {
    path: String,
    is_own: bool,
}

#[derive(Debug)]
enum Body {
    Text(RichText),
    /// A message of a person that the viewer blocks. It is behind one click.
    Blocked(RichText),
    Deleted,
    Event(String),
}

/// The acts that the viewer can do with a conversation.
#[derive(Debug, Template)]
#[template(path = "messages/_menu.html")]
struct ChatMenu {
    csrf_token: String,
    path: String,
    is_group: bool,
    name: String,
    /// Value, label and whether it is chosen, of each time after which messages disappear.
    expiries: Vec<(String, String, bool)>,
    mute: ButtonForm,
    clear: ButtonForm,
    leave: Option<ButtonForm>,
    is_open: bool,
}

impl askama::filters::HtmlSafe for ChatMenu {}

/// A conversation and what its viewer decided about read marks.
pub struct Shown<'a> {
    pub chat: &'a ChatView,
    pub before: Option<MessageId>,
    pub shows_read_marks: bool,
}

impl ConversationPage {
    pub fn new(visit: &Visit, shown: &Shown<'_>, form: MessageForm) -> Self {
        let chat = shown.chat;
        let title = title(chat);
        let closed = closed(chat);
        let may_write = may_write(chat);
        let mut messages: Vec<MessageItem> = chat
            .messages
            .iter()
            .rev()
            .map(|message| MessageItem::new(visit, chat, message))
            .collect();
        mark_new(chat, &mut messages);
        if shown.shows_read_marks && shown.before.is_none() {
            mark_seen(chat, &mut messages);
        }
        let layout = Layout::new(visit, Section::Messages, title.clone());
        Self {
            layout: layout.wrong_if(form.has_errors()),
            path: routes::chat(chat.id),
            people: chat.people.iter().map(PersonLink::new).collect(),
            is_group: chat.partner().is_none(),
            messages,
            older: chat.next.map(|next| routes::chat_before(chat.id, next)),
            is_older: shown.before.is_some(),
            version: chat.version,
            expiry: chat.expiry.map(days),
            answers: (chat.own.state != MemberState::Open).then(|| Answers::new(visit, chat)),
            closed,
            form: (may_write && shown.before.is_none()).then_some(form),
            menu: ChatMenu::new(visit, chat),
            title,
        }
    }
}

/// Returns whether the page of a conversation has a form to write.
pub fn may_write(chat: &ChatView) -> bool {
    chat.own.state == MemberState::Open && closed(chat).is_none()
}

/// Returns the reason why no one can write in a conversation of two.
fn closed(chat: &ChatView) -> Option<&'static str> {
    let partner = chat.partner()?;
    match (partner.block, &partner.user) {
        (ChatBlock::ByViewer, _) => {
            Some("You blocked this person. Lift the block in your settings to write.")
        }
        (ChatBlock::ByOther, _) | (_, None) => Some("You cannot write to this person."),
        (ChatBlock::None, Some(_)) => None,
    }
}

/// Marks the first message that the viewer had not read.
fn mark_new(chat: &ChatView, messages: &mut [MessageItem]) {
    if chat.own.unread == 0 || chat.own.state != MemberState::Open {
        return;
    }
    let is_new = |item: &&mut MessageItem| item.id.get() > chat.own.seen && !item.is_own;
    if let Some(item) = messages.iter_mut().find(is_new) {
        item.is_first_new = true;
    }
}

/// Shows below each message who has read it and nothing after it. Only people who show it themselves see it of others.
fn mark_seen(chat: &ChatView, messages: &mut [MessageItem]) {
    let people = chat.people.iter().filter(|person| {
        let shows = person
            .user
            .as_ref()
            .is_some_and(|user| user.shows_read_marks);
        shows && person.block == ChatBlock::None && person.member.state == MemberState::Open
    });
    for person in people {
        let is_read = |item: &&mut MessageItem| item.is_own && item.id.get() <= person.member.seen;
        let Some(item) = messages.iter_mut().rev().find(is_read) else {
            continue;
        };
        item.seen = Some(match (&item.seen, chat.partner()) {
            (_, Some(_)) => "Seen".to_owned(),
            (None, None) => format!("Seen by {}", person_name(person)),
            (Some(others), None) => format!("{others}, {}", person_name(person)),
        });
    }
}

impl PersonLink {
    fn new(person: &ChatPerson) -> Self {
        let user = person.user.as_ref();
        let path = user.filter(|_| person.block == ChatBlock::None);
        Self {
            name: person_name(person),
            path: path.map(|user| routes::profile(&user.login)),
            login: user.map_or_else(String::new, |user| format!("@{}", user.login)),
            remark: match (person.member.state, person.block) {
                (MemberState::Left, _) => "left",
                (_, ChatBlock::ByViewer) => "blocked",
                _ => "",
            },
        }
    }
}

impl MessageItem {
    fn new(visit: &Visit, chat: &ChatView, message: &ChatMessage) -> Self {
        let person = chat.person(message.author);
        let is_blocked = person.is_some_and(|person| person.block == ChatBlock::ByViewer);
        let body = match &message.content {
            MessageContent::Text { text, .. } if is_blocked && chat.partner().is_none() => {
                Body::Blocked(RichText::new(text))
            }
            MessageContent::Text { text, .. } => Body::Text(RichText::new(text)),
            MessageContent::Deleted => Body::Deleted,
            _ => Body::Event(event(chat, message).unwrap_or_default()),
        };
        let is_named = person.is_some() && chat.partner().is_none();
        let author = is_named.then(|| {
            let user = author_of(chat, message.author);
            let avatar = user.map_or_else(Avatar::unknown, |user| Avatar::new(user.id, &user.name));
            (avatar, author_name(chat, message.author))
        });
        let (is_own, is_text) = (person.is_none(), message.text().is_some());
        let is_open = chat.own.state == MemberState::Open;
        let is_reportable = is_text && person.is_some_and(|person| person.user.is_some());
        let age_ms = visit.now.0.saturating_sub(message.at.0);
        let may_edit = is_own && is_text && is_open && age_ms < MESSAGE_EDIT_MS;
        let menu = MessageMenu {
            path: routes::chat(chat.id),
            is_own: is_own && is_text,
        };
        let is_edited = matches!(
            message.content,
            MessageContent::Text {
                edited: Some(_),
                ..
            }
        );
        Self {
            id: message.id,
            is_own,
            edit: may_edit.then(|| routes::edit_message(chat.id, message.id)),
            menu: (is_open && (is_text || message.content == MessageContent::Deleted))
                .then_some(menu),
            report: is_reportable.then(|| routes::report_message(chat.id, message.id)),
            author,
            body,
            when: visit.moment(message.at),
            is_edited,
            is_first_new: false,
            seen: None,
        }
    }
}

impl ChatMenu {
    fn new(visit: &Visit, chat: &ChatView) -> Self {
        let path = routes::chat(chat.id);
        let button = |action: &str, label| {
            let path = (format!("{path}/{action}"), routes::MESSAGES);
            ButtonForm::new(visit, path, "chat-change", (label, String::new())).secondary()
        };
        let mute = match chat.own.is_muted {
            true => button("unmute", "Unmute this conversation"),
            false => button("mute", "Mute this conversation"),
        };
        let clear = button("clear", "Delete this conversation for me");
        Self {
            csrf_token: visit.csrf_token.clone(),
            is_group: chat.partner().is_none(),
            name: chat.name.clone().unwrap_or_default(),
            expiries: expiries(chat.expiry),
            mute,
            clear: clear.with_field("message", chat.last.to_string()),
            leave: chat
                .partner()
                .is_none()
                .then(|| button("leave", "Leave this conversation")),
            is_open: chat.own.state == MemberState::Open,
            path,
        }
    }

    fn max_name() -> usize {
        ChatName::MAX_CHARACTERS
    }
}

/// Returns the choices of the time after which messages disappear.
fn expiries(chosen: Option<MessageExpiry>) -> Vec<(String, String, bool)> {
    let never = (String::new(), "Never".to_owned(), chosen.is_none());
    let after = |expiry: MessageExpiry| {
        let label = format!("After {}", days(expiry));
        (expiry.to_string(), label, chosen == Some(expiry))
    };
    let times = MessageExpiry::ALL.into_iter().map(after);
    std::iter::once(never).chain(times).collect()
}
