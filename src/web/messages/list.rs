//! The lists of conversations and requests.

use super::{
    search::SearchForm,
    words::{author_name, event, title},
};
use crate::{
    domain::{ChatList, ChatMessage},
    store::{ChatBlock, ChatView},
    web::parts::{avatar::Avatar, moment::Moment, prelude::*},
};

/// Number of characters of a message in the list.
const PREVIEW_CHARACTERS: usize = 90;

#[derive(Debug, Template)]
#[template(path = "messages/list.html")]
pub struct MessagesPage {
    layout: Layout,
    list: ChatList,
    search: SearchForm,
    rows: Vec<ChatRow>,
    /// Number of requests.
    requests: u64,
    first: bool,
    pager: Pager,
}

/// A conversation in the list.
#[derive(Debug)]
struct ChatRow {
    path: String,
    title: String,
    avatar: Avatar,
    preview: String,
    when: Option<Moment>,
    /// Number of unread messages, empty for none.
    unread: String,
    is_muted: bool,
    /// The answers to a request.
    answers: Option<Answers>,
}

/// The buttons that answer a request.
#[derive(Debug, Template)]
#[template(path = "messages/_answers.html")]
pub struct Answers {
    csrf_token: String,
    path: String,
    title: String,
    /// The request is of one person, whom the reader can block at once.
    can_block: bool,
}

impl askama::filters::HtmlSafe for Answers {}

impl Answers {
    pub fn new(visit: &Visit, chat: &ChatView) -> Self {
        let partner = chat.partner();
        Self {
            csrf_token: visit.csrf_token.clone(),
            path: routes::chat(chat.id),
            title: title(chat),
            can_block: partner.is_some_and(|partner| partner.block != ChatBlock::ByViewer),
        }
    }
}

impl MessagesPage {
    /// Creates the page of a list that began at `before`.
    pub fn new(
        visit: &Visit,
        list: ChatList,
        requests: u64,
        (before, page): (Option<Cursor>, &Page<ChatView>),
    ) -> Self {
        let (path, name) = match list {
            ChatList::Chats => (routes::MESSAGES, "Messages"),
            ChatList::Requests => (routes::MESSAGE_REQUESTS, "Message requests"),
        };
        let pager = Pager::new(path, before, page.next);
        Self {
            layout: Layout::new(visit, Section::Messages, name),
            rows: page
                .items
                .iter()
                .map(|chat| ChatRow::new(visit, list, chat))
                .collect(),
            list,
            search: SearchForm::new(""),
            requests,
            first: before.is_none(),
            pager: pager.ending_with("No more conversations."),
        }
    }
}

impl ChatRow {
    fn new(visit: &Visit, list: ChatList, chat: &ChatView) -> Self {
        let last = chat.messages.first();
        Self {
            path: routes::chat_newest(chat.id),
            avatar: avatar_of(chat),
            title: title(chat),
            preview: last.map_or_else(String::new, |last| preview(chat, last)),
            when: last.map(|last| visit.moment(last.at)),
            unread: match chat.own.unread {
                0 => String::new(),
                number => super::super::parts::capped_count(number),
            },
            is_muted: chat.own.is_muted,
            answers: (list == ChatList::Requests).then(|| Answers::new(visit, chat)),
        }
    }
}

/// Returns the avatar of the first person of a conversation who has one.
fn avatar_of(chat: &ChatView) -> Avatar {
    let user = chat.people.iter().find_map(|person| person.user.as_ref());
    user.map_or_else(Avatar::unknown, |user| Avatar::new(user.id, &user.name))
}

/// Returns the beginning of a message on one line, with its author where that is not clear.
fn preview(chat: &ChatView, message: &ChatMessage) -> String {
    let is_blocked = chat
        .person(message.author)
        .is_some_and(|person| person.block == ChatBlock::ByViewer);
    if is_blocked && chat.partner().is_none() {
        return "Message by somebody you blocked".to_owned();
    }
    let Some(text) = message.text() else {
        return event(chat, message).unwrap_or_default();
    };
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_cut = line.chars().count() > PREVIEW_CHARACTERS;
    let cut: String = line.chars().take(PREVIEW_CHARACTERS).collect();
    let line = if is_cut { format!("{cut}…") } else { line };
    match chat.person(message.author) {
        Some(_) if chat.partner().is_some() => line,
        _ => format!("{}: {line}", author_name(chat, message.author)),
    }
}
