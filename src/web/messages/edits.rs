//! Editing a message within the time for edits.

use super::{
    compose::{EditMessageForm, EditMessagePage},
    words::OVER_QUOTA,
};
use crate::{
    actions::messages::change_message,
    domain::{ChatId, ChatText, MessageId},
    store::{ChatPart, MESSAGE_EDIT_MS, MessageChange, MessageOutcome},
    web::{
        addresses::{Chatted, OfMessage},
        prelude::*,
    },
};

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Fields {
    message: String,
}

/// Returns the text of the member's own message.
async fn own_text(app: &AppState, me: UserId, chat: ChatId, id: MessageId) -> Result<String> {
    let before = MessageId::new(id.get() + 1).ok();
    let part = ChatPart { before, count: 1 };
    let chat = app
        .store
        .chat(me, chat, part)
        .await?
        .ok_or(Error::NotFound)?;
    let message = chat.messages.into_iter().next();
    let message = message.filter(|message| message.id == id && message.author == me);
    let text = message.and_then(|message| message.text().map(str::to_owned));
    text.ok_or(Error::NotFound)
}

pub async fn edit(
    app: Data<AppState>,
    me: CurrentUser,
    Chatted(chat): Chatted,
    OfMessage(id): OfMessage,
) -> Result<HttpResponse> {
    let text = own_text(&app, me.id, chat, id).await?;
    let visit = me.visitor.visit();
    let form = EditMessageForm::new(&visit, (chat, id), Typed::text(text));
    page(&EditMessagePage::new(&visit, form))
}

pub async fn update(
    app: Data<AppState>,
    Chatted(chat): Chatted,
    OfMessage(id): OfMessage,
    form: MemberForm<Fields>,
) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &Fields| change(&app, me, (chat, id), fields).await;
    let give_back = |fields: &Fields, visit: &Visit, error: &Error| {
        if matches!(error, Error::LoggedOut) {
            let next = LocalPath::parse(&routes::edit_message(chat, id));
            return Retained::log_in(visit, next, None);
        }
        let typed = Typed::text(&fields.message);
        Retained::form(&EditMessageForm::new(visit, (chat, id), typed))
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
        let visit = me.visitor.visit();
        let typed = Typed::checked(&fields.message, &parsed);
        let form = EditMessageForm::new(&visit, (chat, id), typed);
        let page = EditMessagePage::new(&visit, form);
        return page_with(StatusCode::UNPROCESSABLE_ENTITY, &page);
    };
    rate::charge(&app.store, RateLimit::Message(me.id)).await?;
    let edit = MessageChange::Edit(text);
    let reason = match change_message(&app.store, me.actor(), (chat, id), edit).await? {
        MessageOutcome::Changed(_) => return Ok(see_other(&routes::chat_newest(chat))),
        MessageOutcome::NotFound => return Err(Error::NotFound),
        MessageOutcome::Refused => {
            "You cannot write in this conversation now, so you cannot edit this message.".to_owned()
        }
        MessageOutcome::OverQuota => OVER_QUOTA.to_owned(),
        MessageOutcome::TooLate => {
            let minutes = MESSAGE_EDIT_MS / 60_000;
            format!("A message can be edited for {minutes} minutes. Write a new one.")
        }
    };
    Err(Error::Refused(reason))
}
