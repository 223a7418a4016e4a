//! The search in one's own conversations.

use std::collections::HashSet;

use actix_web::HttpRequest;

use super::words::{author_name, title};
use crate::{
    domain::{ChatList, ChatMessage, LeftOut, MessagePosition, Query},
    store::{ChatBlock, ChatView, FoldingBudget, MessageWalk, WalkLimits},
    web::{
        addresses::{FromMessage, Sought},
        parts::{
            moment::Moment,
            prelude::{Layout, Section, Template},
            rich_text::RichText,
        },
        prelude::*,
    },
};

/// Number of messages and bytes that one page reads, and number of messages that it shows.
const LIMITS: WalkLimits = WalkLimits {
    examined: 4000,
    bytes: 256 * 1024,
    folded: 512 * 1024,
    kept: 20,
};

/// The field of the search, on the list of conversations and on the results.
#[derive(Debug, Template)]
#[template(path = "messages/_search_form.html")]
pub struct SearchForm {
    typed: String,
}

impl askama::filters::HtmlSafe for SearchForm {}

impl SearchForm {
    pub fn new(typed: &str) -> Self {
        let typed = typed.to_owned();
        Self { typed }
    }
}

#[derive(Debug, Template)]
#[template(path = "messages/search.html")]
struct MessageSearchPage {
    layout: Layout,
    form: SearchForm,
    /// The part of the query that was ignored.
    left_out: Option<String>,
    /// The query has something to search for.
    is_asked: bool,
    is_first: bool,
    chats: Vec<FoundChat>,
    next: Option<String>,
}

#[derive(Debug)]
struct FoundChat {
    path: String,
    title: String,
    messages: Vec<FoundMessage>,
}

#[derive(Debug)]
struct FoundMessage {
    path: String,
    author: String,
    text: RichText,
    when: Moment,
}

/// Shows the messages of the member's conversations that match. One page reads a limited number of messages
/// and bytes.
pub async fn show(
    request: HttpRequest,
    app: Data<AppState>,
    me: CurrentUser,
    Sought(query): Sought,
    FromMessage(from): FromMessage,
) -> Result<HttpResponse> {
    let mut found = None;
    if !query.is_empty() {
        rate::charge(&app.store, RateLimit::Search(me.id)).await?;
        let _turn_of_network = app.site.fair_shares.enter_search(&request).await?;
        let start = from.unwrap_or_else(|| MessagePosition::start(ChatList::Chats));
        found = Some(search(&app, &me, &query, start).await?);
    }
    let visit = me.visitor.visit();
    page(&MessageSearchPage::new(&visit, &query, from, found))
}

async fn search(
    app: &AppState,
    me: &CurrentUser,
    query: &Query,
    from: MessagePosition,
) -> Result<MessageWalk> {
    // One search takes as much processor time as hundreds of pages, so the others wait for their turn.
    let _turn = app.site.message_searches.acquire().await;
    let authors = app
        .store
        .find_users(Viewer::Member(me.id), query.authors())
        .await?;
    let is_by_author = |author: UserId| authors.is_empty() || authors.contains(&Some(author));
    let matches = |message: &ChatMessage, folding: &mut FoldingBudget| {
        let is_asked = is_by_author(message.author) && query.includes(message.at);
        let mut has_words = |text| query.matches_folded(&folding.fold(text));
        is_asked && message.text().is_some_and(&mut has_words)
    };
    let (store, skipped) = (&app.store, HashSet::new());
    let walk = store.walk_messages(me.id, from, &skipped, LIMITS, matches);
    Ok(walk.await?)
}

impl MessageSearchPage {
    fn new(
        visit: &Visit,
        query: &Query,
        from: Option<MessagePosition>,
        found: Option<MessageWalk>,
    ) -> Self {
        let is_asked = found.is_some();
        let (chats, next) = found.map_or((Vec::new(), None), |walk| (walk.chats, walk.next));
        let chats = chats.iter().map(|chat| FoundChat::new(visit, chat));
        Self {
            layout: Layout::new(visit, Section::Messages, "Search in messages"),
            form: SearchForm::new(query.typed()),
            left_out: query.left_out().map(left_out),
            is_asked,
            is_first: from.is_none(),
            chats: chats.filter(|chat| !chat.messages.is_empty()).collect(),
            next: next.map(|next| routes::search_messages(query.typed(), next)),
        }
    }
}

impl FoundChat {
    fn new(visit: &Visit, chat: &ChatView) -> Self {
        let is_shown = |message: &&ChatMessage| {
            let author = chat.person(message.author);
            let is_blocked = author.is_some_and(|author| author.block == ChatBlock::ByViewer);
            chat.partner().is_some() || !is_blocked
        };
        let messages = chat.messages.iter().filter(is_shown);
        Self {
            path: routes::chat_newest(chat.id),
            title: title(chat),
            messages: messages
                .map(|message| FoundMessage::new(visit, chat, message))
                .collect(),
        }
    }
}

impl FoundMessage {
    fn new(visit: &Visit, chat: &ChatView, message: &ChatMessage) -> Self {
        Self {
            path: routes::chat_message(chat.id, message.id, message.id.get() + 1),
            author: author_name(chat, message.author),
            text: RichText::new(message.text().unwrap_or_default()),
            when: visit.moment(message.at),
        }
    }
}

/// Returns the sentence about a part of the query that was ignored.
fn left_out(part: LeftOut) -> String {
    match part {
        LeftOut::Length => format!(
            "Only the first {} characters were searched.",
            Query::MAX_CHARACTERS
        ),
        LeftOut::Parts => format!("Only the first {} words were searched.", Query::MAX_PARTS),
    }
}
