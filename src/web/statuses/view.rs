//! The page of one status, and the confirmation before it is deleted.

use super::{
    action_form::ActionForm,
    compose::ComposeForm,
    progress::Progress,
    status_card::{CardRole, StatusCard},
};
use crate::{
    store::{Conversation, Progress as Delivered},
    web::{
        conversations::view::{Ancestors, Replies, ReplyBox, page_of_replies},
        http::return_to::ReturnTo,
        parts::prelude::*,
        reply_control::words::ReplyRefusal,
    },
};

const EXCERPT_CHARACTERS: usize = 60;

/// The content of a status's page besides the status.
#[derive(Debug)]
pub struct Permalink {
    pub compose: ComposeForm,
    pub conversation: Conversation,
    /// The replies on this page follow after this one.
    pub after: Option<StatusId>,
    /// For the author, during delivery.
    pub progress: Option<Delivered>,
}

#[derive(Debug, Template)]
#[template(path = "conversations/permalink.html")]
pub struct PermalinkPage {
    layout: Layout,
    ancestors: Option<Ancestors>,
    status: StatusCard,
    /// Whether the reader has buttons under statuses.
    is_member: bool,
    /// For the author, during delivery.
    progress: Option<Progress>,
}

impl PermalinkPage {
    pub fn new(visit: &Visit, status: &VisibleStatus, about: Permalink) -> Self {
        let author = status.author();
        let title = format!("{}: {}", author.name, excerpt(status.opening()));
        let path = routes::status(&author.login, status.id());
        let (conversation, after) = (&about.conversation, about.after);
        let layout = Layout {
            canonical: Some(page_of_replies(&path, after)),
            ..Layout::new(visit, section_of(visit, author.id), title)
        };
        let layout = layout
            .described(format!(
                "A post by {} (@{}) on {}.",
                author.name, author.login, visit.site.name
            ))
            .wrong_if(about.compose.has_error())
            .offering_newer_if(visit, conversation.next.is_none());
        let reply = match (visit.me(), ReplyRefusal::new(visit, status)) {
            (_, Some(refusal)) => ReplyBox::Refused(refusal),
            (Some(_), None) => ReplyBox::Form(Box::new(about.compose)),
            (None, None) => ReplyBox::LogIn(routes::log_in_then(&path)),
        };
        let replies = Replies::new(visit, &path, (conversation, after), Some(reply));
        let action_form = ActionForm::new(visit, &page_of_replies(&path, after));
        let card = StatusCard::new(visit, status)
            .with_part(CardRole::Subject)
            .with_reply_count(conversation.reply_count);
        let delivered = about.progress;
        Self {
            layout,
            ancestors: Ancestors::new(visit, conversation, action_form.clone()),
            status: card
                .with_replies(Some(replies))
                .with_action_form(action_form),
            is_member: visit.me().is_some(),
            progress: delivered
                .and_then(|delivered| Progress::new(visit, status.posted(), delivered)),
        }
    }
}

/// The conversation around a deleted status, without its author's name.
#[derive(Debug, Template)]
#[template(path = "conversations/gap.html")]
pub struct GapPage {
    layout: Layout,
    ancestors: Option<Ancestors>,
    replies: Replies,
}

impl GapPage {
    /// Creates the page of this conversation that continues after this reply.
    pub fn new(
        visit: &Visit,
        id: StatusId,
        conversation: &Conversation,
        after: Option<StatusId>,
    ) -> Self {
        let path = routes::status_by_id(id);
        let action_form = ActionForm::new(visit, &page_of_replies(&path, after));
        Self {
            layout: Layout::new(visit, Section::Elsewhere, "A deleted post"),
            ancestors: Ancestors::new(visit, conversation, action_form),
            replies: Replies::new(visit, &path, (conversation, after), None),
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "statuses/delete.html")]
pub struct DeletePage {
    layout: Layout,
    status: StatusCard,
    action: String,
    /// The page to go to afterwards.
    next: String,
    /// The page to return to instead.
    back: String,
}

impl DeletePage {
    /// Asks to delete a status of the viewer, who came from that page.
    pub fn new(visit: &Visit, status: &VisibleStatus, from: &ReturnTo) -> Self {
        let layout = Layout::new(
            visit,
            section_of(visit, status.author().id),
            "Delete this post?",
        );
        let card = StatusCard::new(visit, status).only_to_read();
        Self {
            layout,
            action: routes::delete_status(status.id()),
            next: from.page_without(status.id()).to_owned(),
            back: from.page_or(&card.permalink()).to_owned(),
            status: card,
        }
    }
}

/// Returns the first words on one line, with an ellipsis if there are more.
pub fn excerpt(message: &str) -> String {
    let line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(EXCERPT_CHARACTERS) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::super::view::*;

    #[test]
    fn a_title_is_an_excerpt_of_the_message() {
        assert_eq!(excerpt("two\nlines  here"), "two lines here");
        assert_eq!(excerpt(&"é".repeat(61)), format!("{}…", "é".repeat(60)));
    }
}
