//! Editing a message within the time for edits.

use std::cell::Cell;

use super::{
    compose::{EditMessageForm, EditMessagePage, MessageForm, MessageTyped},
    conversation::may_write,
    words::OVER_QUOTA,
};
use crate::{
    actions::messages::change_message,
    domain::{ChatId, ChatMessage, ChatText, MessageId},
    store::{ChatPart, MESSAGE_EDIT_MS, MessageChange, MessageOutcome},
    web::{
        addresses::{Chatted, OfMessage},
        http::{
            errors::{Gone, error_page::retain},
            session::sent_as_new,
        },
        prelude::*,
    },
};

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Fields {
    message: String,
    revision: u64,
}

/// Returns the text of the member's own message, and its revision.
async fn own_text(
    app: &AppState,
    me: UserId,
    (chat, id): (ChatId, MessageId),
) -> Result<(String, u64)> {
    let before = MessageId::new(id.get() + 1).ok();
    let part = ChatPart { before, count: 1 };
    let chat = app
        .store
        .chat(me, chat, part)
        .await?
        .ok_or(Error::NotFound)?;
    let message = chat.messages.into_iter().next();
    let message = message.filter(|message| message.id == id && message.author == me);
    let text_of = |message: ChatMessage| Some((message.text()?.to_owned(), message.revision()));
    message.and_then(text_of).ok_or(Error::NotFound)
}

pub async fn edit(
    app: Data<AppState>,
    me: CurrentUser,
    Chatted(chat): Chatted,
    OfMessage(id): OfMessage,
) -> Result<HttpResponse> {
    let at = (chat, id);
    let (text, revision) = match (
        own_text(&app, me.id, at).await,
        pending_edit(&me.visitor, at),
    ) {
        (Ok(_), Some(typed)) => typed,
        (Err(Error::NotFound), Some((text, _))) => return give_back(&app, &me, at, &text).await,
        (stored, _) => stored?,
    };
    let visit = me.visitor.visit();
    let message = Typed::text(text);
    let form = EditMessageForm::new(&visit, (chat, id), MessageTyped { message, revision });
    page(&EditMessagePage::new(&visit, form))
}

/// Returns the edit of this message that was typed before the log-in, and its revision.
fn pending_edit(visitor: &Visitor, at: (ChatId, MessageId)) -> Option<(String, u64)> {
    visitor.restore(|form| match form {
        PendingForm::EditedMessage {
            chat,
            id,
            message,
            revision,
        } if (chat, id) == at => Some((message, revision)),
        _ => None,
    })
}

/// Gives back an edit that was typed before the log-in, of a message that the member cannot find any more.
async fn give_back(
    app: &AppState,
    me: &CurrentUser,
    at: (ChatId, MessageId),
    text: &str,
) -> Result<HttpResponse> {
    let form = NewMessageForm::find(app, me.id, at.0).await?;
    let visit = me.visitor.visit();
    let retained = form.retained(&visit, at, text);
    let error = Error::Gone(Gone::Message);
    Ok(retain(&me.visitor, &error, &visit, retained))
}

/// The form of a new message in which the text of an edit comes back.
#[derive(Debug, Default)]
enum NewMessageForm {
    InChat,
    /// The member cannot write in the conversation of the edited message, for example after leaving it.
    #[default]
    ToPeople,
}

impl NewMessageForm {
    async fn find(app: &AppState, me: UserId, chat: ChatId) -> Result<Self> {
        let chat = app.store.chat(me, chat, ChatPart::newest(0)).await?;
        Ok(match chat.is_some_and(|chat| may_write(&chat)) {
            true => Self::InChat,
            false => Self::ToPeople,
        })
    }

    /// Returns the text in the form. All forms for one message have the same key, so sending two of them sends one.
    fn retained(&self, visit: &Visit, (chat, id): (ChatId, MessageId), text: &str) -> Retained {
        let (key, text) = (sent_as_new::message_key(chat, id), Typed::text(text));
        Retained::form(&match self {
            Self::InChat => MessageForm::in_chat(visit, chat, key, text),
            Self::ToPeople => MessageForm::to_people(visit, key, Typed::default(), text),
        })
    }
}

pub async fn update(
    app: Data<AppState>,
    Chatted(chat): Chatted,
    OfMessage(id): OfMessage,
    form: MemberForm<Fields>,
) -> Result<HttpResponse> {
    let at = (chat, id);
    let new_form = Cell::new(NewMessageForm::default());
    let act = async |me: &CurrentUser, fields: &Fields| match change(&app, me, at, fields).await {
        Err(Error::NotFound) => {
            new_form.set(NewMessageForm::find(&app, me.id, chat).await?);
            Err(Error::Gone(Gone::Message))
        }
        changed => changed,
    };
    let give_back = |fields: &Fields, visit: &Visit, error: &Error| match error {
        Error::Gone(_) => new_form.take().retained(visit, at, &fields.message),
        error => fields.retained(at, visit, error),
    };
    form.answer(act, give_back).await
}

async fn change(
    app: &AppState,
    me: &CurrentUser,
    (chat, id): (ChatId, MessageId),
    fields: &Fields,
) -> Result<HttpResponse> {
    let parsed = ChatText::parse(&fields.message);
    let Ok(text) = &parsed else {
        let typed = fields.typed(Typed::checked(&fields.message, &parsed));
        return show_again(me, (chat, id), typed, StatusCode::UNPROCESSABLE_ENTITY);
    };
    rate::charge(&app.store, RateLimit::Message(me.id)).await?;
    let revision = fields.revision;
    let edit = MessageChange::Edit { text, revision };
    let outcome = change_message(&app.store, me.actor(), (chat, id), edit).await?;
    if matches!(outcome, MessageOutcome::Changed(_)) {
        return Ok(changed(me, chat, id));
    }
    if outcome == MessageOutcome::Outdated {
        return show_conflict(app, me, (chat, id), fields).await;
    }
    Err(refusal(&outcome))
}

/// Forgets the pending edit and redirects to the conversation. The former text is then a new message.
fn changed(me: &CurrentUser, chat: ChatId, id: MessageId) -> HttpResponse {
    me.visitor.confirm();
    me.visitor.forget_pending_form(|form| {
        matches!(form, PendingForm::EditedMessage { chat: in_chat, id: of, .. }
            if (*in_chat, *of) == (chat, id))
    });
    see_other(&routes::chat_newest(chat))
}

/// Shows the form again, with the text and the revision that another edit stored meanwhile.
async fn show_conflict(
    app: &AppState,
    me: &CurrentUser,
    at: (ChatId, MessageId),
    fields: &Fields,
) -> Result<HttpResponse> {
    let (stored, revision) = own_text(app, me.id, at).await?;
    let typed = MessageTyped {
        message: Typed::text(&fields.message).in_conflict(Some(&stored)),
        revision,
    };
    show_again(me, at, typed, StatusCode::CONFLICT)
}

fn show_again(
    me: &CurrentUser,
    at: (ChatId, MessageId),
    typed: MessageTyped,
    code: StatusCode,
) -> Result<HttpResponse> {
    let visit = me.visitor.visit();
    let form = EditMessageForm::new(&visit, at, typed);
    page_with(code, &EditMessagePage::new(&visit, form))
}

/// Returns the error of an edit that was not made.
fn refusal(outcome: &MessageOutcome) -> Error {
    let reason = match outcome {
        MessageOutcome::Changed(_) | MessageOutcome::Outdated | MessageOutcome::NotFound => {
            return Error::NotFound;
        }
        MessageOutcome::Refused => {
            "You cannot write in this conversation now, so you cannot edit this message.".to_owned()
        }
        MessageOutcome::OverQuota => OVER_QUOTA.to_owned(),
        MessageOutcome::TooLate => {
            let minutes = MESSAGE_EDIT_MS / 60_000;
            format!("A message can be edited for {minutes} minutes. Write a new one.")
        }
    };
    Error::Refused(reason)
}

impl Fields {
    fn typed(&self, message: Typed) -> MessageTyped {
        let revision = self.revision;
        MessageTyped { message, revision }
    }

    /// Returns the text in its form, or, if the session has ended, in the log-in form.
    fn retained(&self, (chat, id): (ChatId, MessageId), visit: &Visit, error: &Error) -> Retained {
        if !matches!(error, Error::LoggedOut) {
            let typed = self.typed(Typed::text(&self.message));
            return Retained::form(&EditMessageForm::new(visit, (chat, id), typed));
        }
        let edit = PendingForm::EditedMessage {
            chat,
            id,
            message: self.message.clone(),
            revision: self.revision,
        };
        let next = LocalPath::parse(&routes::edit_message(chat, id));
        Retained::log_in(visit, next, edit)
    }
}
