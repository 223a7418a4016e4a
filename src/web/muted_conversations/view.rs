//! The page of muted conversations.

use crate::{
    store::MutedConversation,
    web::{
        parts::{button_form::ButtonForm, prelude::*},
        statuses::{byline::permalink, view::excerpt},
    },
};

#[derive(Debug, Template)]
#[template(path = "settings/muted_conversations.html")]
pub struct MutedConversationsPage {
    layout: Layout,
    conversations: Vec<Row>,
    first: bool,
    pager: Pager,
}

/// A muted conversation in the list.
#[derive(Debug)]
struct Row {
    /// Author, beginning and path of the first post, if the reader may see it.
    post: Option<(String, String, String)>,
    button: ButtonForm,
}

impl MutedConversationsPage {
    /// Creates the page that began at `before`.
    pub fn new(visit: &Visit, before: Option<Cursor>, page: &Page<MutedConversation>) -> Self {
        let path = routes::SETTINGS_MUTED_CONVERSATIONS;
        let here = routes::page(path, before);
        let row = |conversation: &MutedConversation| {
            let status = conversation.status.as_ref();
            let post = status.map(|status| {
                let author = status.author().name.clone();
                (author, excerpt(status.opening()), permalink(status))
            });
            let action = routes::unmute_conversation(conversation.first);
            let object = post
                .as_ref()
                .map_or("the conversation".to_owned(), |(author, ..)| {
                    format!("the conversation of {author}")
                });
            let button = ButtonForm::new(visit, (action, &here), "unmute", ("Unmute", object));
            Row {
                post,
                button: button.secondary(),
            }
        };
        Self {
            layout: Layout::new(visit, Section::Settings, "Muted conversations"),
            conversations: page.items.iter().map(row).collect(),
            first: before.is_none(),
            pager: Pager::new(path, before, page.next).ending_with("No more conversations."),
        }
    }
}
