//! Changes of a conversation: answers to a request, muting, leaving, deleting it for oneself.

use super::words::OVER_QUOTA;
use crate::{
    actions::{
        blocks::Block,
        messages::{self, block_from_request, change_member, change_message},
    },
    domain::{ChatId, ChatName, MessageExpiry, MessageId},
    store::{ChatChange, ChatPart, MemberChange, MessageChange, MessageOutcome},
    web::{addresses::Chatted, http::forms::Nothing, prelude::*},
};

/// A change that a button makes.
#[derive(Debug, Clone, Copy)]
pub enum ChatAction {
    Accept,
    Ignore,
    Leave,
    Mute,
    Unmute,
}

impl ChatAction {
    /// Returns the change of the member, the notice after it, and the page that shows it.
    fn parts(self, id: ChatId) -> (MemberChange, Notice, String) {
        match self {
            Self::Accept => (
                MemberChange::Accept,
                Notice::ChatAccepted,
                routes::chat_newest(id),
            ),
            Self::Ignore => (
                MemberChange::Ignore,
                Notice::ChatIgnored,
                routes::MESSAGE_REQUESTS.to_owned(),
            ),
            Self::Leave => (
                MemberChange::Leave,
                Notice::ChatLeft,
                routes::MESSAGES.to_owned(),
            ),
            Self::Mute => (MemberChange::Mute, Notice::ChatMuted, routes::chat(id)),
            Self::Unmute => (MemberChange::Unmute, Notice::ChatUnmuted, routes::chat(id)),
        }
    }
}

#[derive(Deserialize)]
pub struct Renamed {
    name: String,
}

#[derive(Deserialize)]
pub struct ChosenExpiry {
    /// Empty: messages stay.
    days: String,
}

/// Whose view of a message a button changes.
#[derive(Debug, Clone, Copy)]
pub enum Removal {
    ForEverybody,
    ForMember,
}

#[derive(Deserialize)]
pub struct Chosen {
    message: MessageId,
}

#[derive(Deserialize)]
pub struct Cleared {
    /// The last message that the page showed.
    message: u64,
}

pub async fn change(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(Nothing {}): SignedForm<Nothing>,
    Chatted(id): Chatted,
    OfRoute(change): OfRoute<ChatAction>,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::ChatChange(me.id)).await?;
    let (change, notice, page) = change.parts(id);
    let is_done = match change {
        MemberChange::Leave => messages::leave(&app.store, me.actor(), id).await?,
        change => change_member(&app.store, me.actor(), id, change).await?,
    };
    if !is_done {
        return Err(Error::NotFound);
    }
    me.visitor.set_notice(notice);
    Ok(see_other(&page))
}

/// Deletes everything that the page showed, for the member alone.
pub async fn clear(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(cleared): SignedForm<Cleared>,
    Chatted(id): Chatted,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::ChatChange(me.id)).await?;
    let change = MemberChange::Clear(cleared.message);
    if !change_member(&app.store, me.actor(), id, change).await? {
        return Err(Error::NotFound);
    }
    // A message that was cleared can be sent again, also if its answer was lost.
    me.visitor.confirm();
    me.visitor.set_notice(Notice::ChatCleared);
    Ok(see_other(routes::MESSAGES))
}

/// Blocks the other person of a request.
pub async fn block(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(Nothing {}): SignedForm<Nothing>,
    Chatted(id): Chatted,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    let chat = app.store.chat(me.id, id, ChatPart::newest(0)).await?;
    let chat = chat.ok_or(Error::NotFound)?;
    let partner = chat.partner().ok_or(Error::NotFound)?;
    match block_from_request(&app.store, me.actor(), id, partner.id).await? {
        Block::Done => {}
        Block::Unknown | Block::Oneself => return Err(Error::NotFound),
        Block::TooMany => {
            let limit = app.store.config().limits.max_blocked;
            let reason = format!(
                "You have reached the limit of {limit} blocked people. Unblock someone first."
            );
            return Err(Error::Refused(reason));
        }
    }
    if let Some(user) = &partner.user {
        me.visitor.set_notice(Notice::Blocked {
            login: user.login.clone(),
        });
    }
    Ok(see_other(routes::MESSAGE_REQUESTS))
}

/// Changes the name of a conversation.
pub async fn rename(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(fields): SignedForm<Renamed>,
    Chatted(id): Chatted,
) -> Result<HttpResponse> {
    let name = ChatName::parse(&fields.name);
    let name = name.map_err(|error| Error::Refused(format!("The name was not saved. {error}")))?;
    change_chat(&app, &me, id, ChatChange::Name(name.as_ref())).await
}

/// Changes the time after which new messages of a conversation disappear.
pub async fn set_expiry(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(chosen): SignedForm<ChosenExpiry>,
    Chatted(id): Chatted,
) -> Result<HttpResponse> {
    let expiry = MessageExpiry::parse(&chosen.days).map_err(|_| Error::BadForm)?;
    change_chat(&app, &me, id, ChatChange::Expiry(expiry)).await
}

/// Changes a conversation for all of its people.
async fn change_chat(
    app: &AppState,
    me: &CurrentUser,
    id: ChatId,
    change: ChatChange<'_>,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::ChatChange(me.id)).await?;
    match messages::change_chat(&app.store, me.actor(), id, change).await? {
        messages::ChangeChatOutcome::Done => {}
        messages::ChangeChatOutcome::NotFound => return Err(Error::NotFound),
        messages::ChangeChatOutcome::Refused => {
            let reason = "You cannot write in this conversation now, so you cannot change it.";
            return Err(Error::Refused(reason.to_owned()));
        }
        messages::ChangeChatOutcome::OverQuota => {
            return Err(Error::Refused(OVER_QUOTA.to_owned()));
        }
    }
    me.visitor.set_notice(Notice::SettingsSaved);
    Ok(see_other(&routes::chat(id)))
}

/// Deletes a message for everybody or for the member.
pub async fn remove_message(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(chosen): SignedForm<Chosen>,
    Chatted(id): Chatted,
    OfRoute(removal): OfRoute<Removal>,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::ChatChange(me.id)).await?;
    let change = match removal {
        Removal::ForEverybody => MessageChange::Delete,
        Removal::ForMember => MessageChange::Hide,
    };
    let at = (id, chosen.message);
    match change_message(&app.store, me.actor(), at, change).await? {
        MessageOutcome::Changed(_) => {
            me.visitor.confirm();
            me.visitor.set_notice(Notice::Deleted);
            Ok(see_other(&routes::chat_newest(id)))
        }
        MessageOutcome::NotFound
        | MessageOutcome::Outdated
        | MessageOutcome::TooLate
        | MessageOutcome::Refused
        | MessageOutcome::OverQuota => Err(Error::NotFound),
    }
}
