//! The conversation around a status: the posts above it in order of time, and its replies as nested
//! lists.

use crate::{
    store::{Branch, Conversation, ConversationTurn, More},
    web::{
        parts::prelude::*,
        reply_control::words::ReplyRefusal,
        statuses::{
            action_form::ActionForm,
            byline::permalink,
            compose::ComposeForm,
            status_card::{CardRole, StatusCard},
        },
    },
};

/// The ancestors of a status, from the first on.
#[derive(Debug, Template)]
#[template(path = "conversations/_ancestors.html")]
pub struct Ancestors {
    action_form: Option<ActionForm>,
    turns: Vec<Turn>,
    /// Follows the first, if others are left out.
    between: Option<Link>,
}

impl askama::filters::HtmlSafe for Ancestors {}

/// The replies to a status, each with its own replies, and a link to those that are not shown.
#[derive(Debug, Template)]
#[template(path = "conversations/_replies.html")]
pub struct Replies {
    /// The form around all replies of the page.
    action_form: Option<ActionForm>,
    /// For the status that the page is about.
    head: Option<Head>,
    turns: Vec<Turn>,
    more: Option<Link>,
    /// Replies that the author of the conversation has hidden, at the end of the page.
    hidden: Vec<Turn>,
}

impl askama::filters::HtmlSafe for Replies {}

/// The part before the replies to the page's status.
#[derive(Debug)]
struct Head {
    reply: Option<ReplyBox>,
    /// The page with the first replies; `None` on that page.
    first: Option<String>,
    /// This page has no replies.
    is_empty: bool,
}

/// The reply form, or the way to it.
#[derive(Debug)]
pub enum ReplyBox {
    Form(Box<ComposeForm>),
    /// For visitors: the log-in page, which leads back.
    LogIn(String),
    /// The viewer may not reply.
    Refused(ReplyRefusal),
}

/// A status in a conversation.
#[derive(Debug)]
enum Turn {
    Status(Box<StatusCard>),
    /// A deleted status with its replies.
    Gap(Option<Box<Replies>>),
}

#[derive(Debug)]
struct Link {
    words: String,
    path: String,
}

impl Ancestors {
    /// Returns `None` for the first post of a conversation.
    pub fn new(
        visit: &Visit,
        conversation: &Conversation,
        action_form: Option<ActionForm>,
    ) -> Option<Self> {
        let nearest = conversation.above.get(1);
        let between = nearest.filter(|_| conversation.between > 0);
        (!conversation.above.is_empty()).then(|| Self {
            action_form,
            turns: conversation
                .above
                .iter()
                .map(|turn| ancestor(visit, turn))
                .collect(),
            between: between.map(|nearest| Link {
                words: format!("{} more posts", count(conversation.between)),
                path: path_of(nearest),
            }),
        })
    }
}

fn ancestor(visit: &Visit, turn: &ConversationTurn) -> Turn {
    match &turn.status {
        Some(status) => {
            let card = StatusCard::new(visit, status).with_part(CardRole::Ancestor);
            Turn::Status(Box::new(card.collapsed_if_muted()))
        }
        None => Turn::Gap(None),
    }
}

impl Replies {
    /// Creates the replies to the status at `path`, for the page that continues after that reply.
    pub fn new(
        visit: &Visit,
        path: &str,
        (conversation, after): (&Conversation, Option<StatusId>),
        reply: Option<ReplyBox>,
    ) -> Self {
        let (replies, hidden) = (&conversation.replies, &conversation.hidden);
        let action_form = ActionForm::new(visit, &page_of_replies(path, after));
        Self {
            action_form: action_form.filter(|_| !replies.is_empty() || !hidden.is_empty()),
            head: Some(Head {
                reply,
                first: after.map(|_| path.to_owned()),
                is_empty: replies.is_empty(),
            }),
            turns: turns(visit, replies),
            hidden: hidden_turns(visit, hidden),
            more: conversation.next.map(|after| Link {
                words: "More replies".to_owned(),
                path: routes::replies_after(path, after),
            }),
        }
    }

    /// Creates the replies to a reply, or `None` if there are none.
    fn below(visit: &Visit, branch: &Branch) -> Option<Self> {
        let words = match branch.more {
            More::None => None,
            More::Beside => Some("More replies"),
            More::Below => Some("Continue this conversation"),
        };
        (!branch.below.is_empty() || words.is_some()).then(|| Self {
            action_form: None,
            head: None,
            turns: turns(visit, &branch.below),
            hidden: Vec::new(),
            more: words.map(|words| Link {
                words: words.to_owned(),
                path: path_of(&branch.turn),
            }),
        })
    }
}

/// Returns the page of replies at a path that continues after that one.
pub fn page_of_replies(path: &str, after: Option<StatusId>) -> String {
    after.map_or_else(|| path.to_owned(), |id| routes::replies_after(path, id))
}

fn turns(visit: &Visit, branches: &[Branch]) -> Vec<Turn> {
    let turn = |branch: &Branch| {
        let below = Replies::below(visit, branch);
        match &branch.turn.status {
            Some(status) => {
                let card = StatusCard::new(visit, status).with_part(CardRole::Comment);
                let card = card.collapsed_if_muted().with_replies(below);
                Turn::Status(Box::new(card))
            }
            None => Turn::Gap(below.map(Box::new)),
        }
    };
    branches.iter().map(turn).collect()
}

/// Returns hidden replies. They are not below their parents, so each names its own.
fn hidden_turns(visit: &Visit, branches: &[Branch]) -> Vec<Turn> {
    let turn = |branch: &Branch| {
        let status = branch.turn.status.as_ref()?;
        let card = StatusCard::new(visit, status).in_conversation();
        let card = card.collapsed_if_muted();
        let card = card.with_replies(Replies::below(visit, branch));
        Some(Turn::Status(Box::new(card)))
    };
    branches.iter().filter_map(turn).collect()
}

/// Returns the path of a status. A gap has no author's name.
fn path_of(turn: &ConversationTurn) -> String {
    match &turn.status {
        Some(status) => permalink(status),
        None => routes::status_by_id(turn.id),
    }
}
