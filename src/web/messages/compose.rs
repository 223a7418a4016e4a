//! The form to write a message, in a conversation or to new people.

use crate::{
    domain::{ChatId, ChatText, IdempotencyKey, MAX_CHAT_MEMBERS, Message, MessageId},
    web::parts::prelude::*,
};

#[derive(Debug, Template)]
#[template(path = "messages/_message_form.html")]
pub struct MessageForm {
    csrf_token: String,
    idempotency_key: IdempotencyKey,
    action: String,
    /// The people of a new conversation.
    people: Option<Field>,
    typed: Typed,
    /// The site has no room for messages.
    is_closed: bool,
    /// The form has a notice with a link to appeal, and cannot be sent.
    is_frozen: bool,
}

impl askama::filters::HtmlSafe for MessageForm {}

impl MessageForm {
    /// Creates the form of a conversation.
    pub fn in_chat(visit: &Visit, chat: ChatId, key: IdempotencyKey, typed: Typed) -> Self {
        Self {
            csrf_token: visit.csrf_token.clone(),
            idempotency_key: key,
            action: routes::chat(chat),
            people: None,
            typed,
            is_closed: visit.is_posting_closed,
            is_frozen: visit.is_frozen(),
        }
    }

    /// Creates the form of a new conversation.
    pub fn to_people(visit: &Visit, key: IdempotencyKey, people: Typed, typed: Typed) -> Self {
        const { assert!(MAX_CHAT_MEMBERS == 20, "the hint says 19 others") }
        let people = Field::new(Kind::Other, "people", "To", people)
            .with_hint("The login of a person, or of up to 19 people, separated by spaces.");
        Self {
            csrf_token: visit.csrf_token.clone(),
            idempotency_key: key,
            action: routes::NEW_MESSAGE.to_owned(),
            people: Some(people),
            typed,
            is_closed: visit.is_posting_closed,
            is_frozen: visit.is_frozen(),
        }
    }

    pub fn has_errors(&self) -> bool {
        let people = self.people.as_ref();
        self.typed.error.is_some() || people.is_some_and(|field| field.typed.error.is_some())
    }

    fn limit() -> usize {
        ChatText::MAX_CHARACTERS
    }

    /// Returns the text of the counter without JavaScript.
    fn counter(&self) -> String {
        match Message::characters(&self.typed.text) {
            0 => format!("Up to {} characters", count(Self::limit() as u64)),
            typed if typed > Self::limit() => format!("{} too many", typed - Self::limit()),
            typed => format!("{} left", Self::limit() - typed),
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "messages/new.html")]
pub struct NewMessagePage {
    layout: Layout,
    form: MessageForm,
}

impl NewMessagePage {
    pub fn new(visit: &Visit, form: MessageForm) -> Self {
        let layout = Layout::new(visit, Section::Messages, "New message");
        Self {
            layout: layout.wrong_if(form.has_errors()),
            form,
        }
    }
}

/// The text in the form to edit a message, and the revision that it changes.
#[derive(Debug)]
pub struct MessageTyped {
    pub message: Typed,
    pub revision: u64,
}

/// The form to edit a message.
#[derive(Debug, Template)]
#[template(path = "messages/_edit_form.html")]
pub struct EditMessageForm {
    csrf_token: String,
    action: String,
    back: String,
    revision: u64,
    field: Field,
    /// The form has a notice with a link to appeal, and cannot be sent.
    is_frozen: bool,
}

impl askama::filters::HtmlSafe for EditMessageForm {}

impl EditMessageForm {
    pub fn new(visit: &Visit, (chat, id): (ChatId, MessageId), typed: MessageTyped) -> Self {
        Self {
            csrf_token: visit.csrf_token.clone(),
            action: routes::edit_message(chat, id),
            back: routes::chat_newest(chat),
            revision: typed.revision,
            field: Field::new(Kind::Paragraph, "message", "Message", typed.message),
            is_frozen: visit.is_frozen(),
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "messages/edit.html")]
pub struct EditMessagePage {
    layout: Layout,
    form: EditMessageForm,
}

impl EditMessagePage {
    pub fn new(visit: &Visit, form: EditMessageForm) -> Self {
        let layout = Layout::new(visit, Section::Messages, "Edit message");
        Self {
            layout: layout.wrong_if(form.field.typed.error.is_some()),
            form,
        }
    }
}
