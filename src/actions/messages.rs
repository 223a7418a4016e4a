//! Direct messages. The chat is the source of truth, in its own slot. Its copies with its people are reconciled under
//! the outbox entry `Thing::Chat`: their lists of conversations and requests, and their unread conversations. So
//! is the schedule of messages that disappear.

use tokio::try_join;

use super::operations::{ATTEMPTS, Reconciled, note_failure, reconcile_thing, with_outbox};
use crate::{
    actions::{
        blocks::{self, Block},
        prelude::*,
    },
    domain::{ChatId, ChatText, MAX_CHAT_MEMBERS, MemberState, MessageId},
    store::{
        ChatChange, ChatOutcome, ChatState, DeleteChatOutcome, MemberChange, MessageChange,
        MessageOutcome, MessageRoom, RequestOutcome, SendOutcome, UnixMs, WriteRefusal,
    },
};

/// Number of chats that one round of a worker cleans, number of chats that it reads at once, and number of
/// messages that one step removes.
const MAX_EXPIRED_CHATS: usize = 1000;
const EXPIRED_CHATS_AT_ONCE: usize = 100;
const EXPIRED_MESSAGES_AT_ONCE: usize = 200;

/// The outcome of writing a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Send {
    /// By this call or an earlier one with the same form.
    Sent(ChatId, MessageId),
    Refused(SendRefusal),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SendRefusal {
    /// The chat does not exist, or the author does not belong to it.
    NotFound,
    /// The form sent another text before, or a message that was edited or deleted since.
    Conflict,
    /// No one has accepted the first message yet.
    Waiting,
    /// Everybody else has left.
    Alone,
    /// The author wrote to as many strangers today as one person can.
    TooManyRequests,
    /// A chat has at least one other person, and at most [`MAX_CHAT_MEMBERS`] with the author.
    WrongNumber,
    /// The messages of the author take as many bytes as one person can have.
    OverQuota,
    Person(WriteRefusal),
}

/// A message that is written, with the idempotency key of its form.
#[derive(Debug, Clone, Copy)]
pub struct NewMessage<'a> {
    pub text: &'a ChatText,
    pub key: &'a IdempotencyKey,
}

/// Writes to these people. The first message makes their chat with the author.
pub async fn write_to(
    store: &Store,
    author: impl Into<Actor>,
    people: &[UserId],
    message: NewMessage<'_>,
) -> Result<Send> {
    let author = author.into();
    let mut others: Vec<UserId> = people.to_vec();
    others.sort_unstable();
    others.dedup();
    others.retain(|person| *person != author.id());
    if others.is_empty() || others.len() >= MAX_CHAT_MEMBERS {
        return Ok(Send::Refused(SendRefusal::WrongNumber));
    }
    let chat = ChatId::of(&[&[author.id()][..], &others].concat());
    if !store.chat_state(chat).await?.members.is_empty() {
        return write(store, author, chat, message).await;
    }
    let room = store.message_room(author.id()).await?;
    let room = room.without_chat_of(others.len() + 1);
    let parts = match store.decide_new_chat(author.id(), &others).await? {
        Ok(parts) => parts,
        Err(refusal) => return Ok(Send::Refused(SendRefusal::Person(refusal))),
    };
    let asked = parts
        .iter()
        .filter(|(_, state)| *state == MemberState::Asked);
    let asked: Vec<UserId> = asked.map(|(id, _)| *id).collect();
    let request = (chat, &asked[..]);
    if !asked.is_empty() && store.has_open_request(author.id(), request).await? {
        return Ok(Send::Refused(SendRefusal::Waiting));
    }
    let call = &store.begin().await?;
    if !asked.is_empty() {
        let reserved = store.reserve_request(call, author.id(), request).await;
        match call.finish(reserved).await? {
            RequestOutcome::Reserved => {}
            RequestOutcome::TooMany => return Ok(Send::Refused(SendRefusal::TooManyRequests)),
            RequestOutcome::Waiting => return Ok(Send::Refused(SendRefusal::Waiting)),
        }
    }
    let message = (message, room);
    let sent = send(store, call, (&author, chat), message, &parts).await?;
    if !asked.is_empty() {
        // From now on, the message itself is found. Without this, the claim ends at the deadline.
        let released = store.release_request(author.id(), &asked).await;
        if let Err(error) = released {
            tracing::debug!(%error, "a claim of strangers ends by itself");
        }
    }
    Ok(sent)
}

/// Writes a message in a chat of the author.
pub async fn write(
    store: &Store,
    author: impl Into<Actor>,
    chat: ChatId,
    message: NewMessage<'_>,
) -> Result<Send> {
    let author = author.into();
    let (state, room) = try_join!(store.chat_state(chat), store.message_room(author.id()))?;
    let is_member = state
        .members
        .get(&author.id())
        .is_some_and(|own| own.state.may_read());
    if !is_member {
        return Ok(Send::Refused(SendRefusal::NotFound));
    }
    if !may_write_to_partner(store, author.id(), state.members.keys()).await? {
        let refusal = SendRefusal::Person(WriteRefusal::Unavailable);
        return Ok(Send::Refused(refusal));
    }
    let call = &store.begin().await?;
    let message = (message, state.room_of(author.id(), room));
    send(store, call, (&author, chat), message, &[]).await
}

async fn send(
    store: &Store,
    call: &Call,
    (author, chat): (&Actor, ChatId),
    (message, room): (NewMessage<'_>, MessageRoom),
    people: &[(UserId, MemberState)],
) -> Result<Send> {
    let write = async {
        store.check_session(author).await?;
        let by = (chat, author);
        store
            .send_message(call, by, (message.text, message.key, room), people)
            .await
    };
    let reconcile = async |outcome: Option<SendOutcome>| match outcome {
        Some(SendOutcome::Sent(_, state)) => reconcile_copies(store, call, chat, Some(state)).await,
        None => reconcile_copies(store, call, chat, None).await,
        Some(_) => Ok(Reconciled::Yes),
    };
    let outcome = with_outbox(store, call, Thing::Chat(chat), write, reconcile).await?;
    Ok(match outcome {
        SendOutcome::Sent(id, _) => Send::Sent(chat, id),
        SendOutcome::Conflict => Send::Refused(SendRefusal::Conflict),
        SendOutcome::NotMember => Send::Refused(SendRefusal::NotFound),
        SendOutcome::Waiting => Send::Refused(SendRefusal::Waiting),
        SendOutcome::Alone => Send::Refused(SendRefusal::Alone),
        SendOutcome::OverQuota => Send::Refused(SendRefusal::OverQuota),
    })
}

/// Changes the part of the actor in a chat. Returns `false` if they do not belong to it.
pub async fn change_member(
    store: &Store,
    actor: impl Into<Actor>,
    chat: ChatId,
    change: MemberChange,
) -> Result<bool> {
    let actor = actor.into();
    let call = &store.begin().await?;
    let write = async {
        store.check_session(&actor).await?;
        store
            .change_chat_member(call, (chat, actor.id()), change)
            .await
    };
    let reconcile = async |state: Option<Option<ChatState>>| match state {
        Some(None) => Ok(Reconciled::Yes),
        state => reconcile_copies(store, call, chat, state.flatten()).await,
    };
    let changed = with_outbox(store, call, Thing::Chat(chat), write, reconcile).await?;
    Ok(changed.is_some())
}

/// Takes the actor out of a chat of several people, for good. No one can leave a chat of two: deleting it for oneself
/// empties it, and the next message begins it again. Returns `false` if the actor does not belong to such a chat.
pub async fn leave(store: &Store, actor: impl Into<Actor>, chat: ChatId) -> Result<bool> {
    if store.chat_state(chat).await?.members.len() <= 2 {
        return Ok(false);
    }
    change_member(store, actor, chat, MemberChange::Leave).await
}

/// Changes a message of a chat of the actor.
pub async fn change_message(
    store: &Store,
    actor: impl Into<Actor>,
    (chat, message): (ChatId, MessageId),
    change: MessageChange<'_>,
) -> Result<MessageOutcome> {
    let actor = actor.into();
    let mut room = MessageRoom::NONE;
    if matches!(change, MessageChange::Edit { .. }) {
        let state;
        (state, room) = try_join!(store.chat_state(chat), store.message_room(actor.id()))?;
        if !may_write_to_partner(store, actor.id(), state.members.keys()).await? {
            return Ok(MessageOutcome::Refused);
        }
    }
    let call = &store.begin().await?;
    let write = async {
        store.check_session(&actor).await?;
        let by = (chat, actor.id());
        let change = (change, room);
        store.change_message(call, by, message, change).await
    };
    let reconcile = async |outcome: Option<MessageOutcome>| match outcome {
        Some(MessageOutcome::Changed(state)) => {
            reconcile_copies(store, call, chat, Some(state)).await
        }
        None => reconcile_copies(store, call, chat, None).await,
        Some(_) => Ok(Reconciled::Yes),
    };
    with_outbox(store, call, Thing::Chat(chat), write, reconcile).await
}

/// The outcome of a change of a chat for all of its people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeChatOutcome {
    Done,
    /// The chat does not exist, the actor does not belong to it, or it has no name because it has two people.
    NotFound,
    /// Now, the actor cannot write in the chat either.
    Refused,
    /// The messages of the actor take as many bytes as one person can have.
    OverQuota,
}

/// Changes a chat of the actor for all of its people. An event in the chat says so, so it needs the right to write.
pub async fn change_chat(
    store: &Store,
    actor: impl Into<Actor>,
    chat: ChatId,
    change: ChatChange<'_>,
) -> Result<ChangeChatOutcome> {
    let actor = actor.into();
    let (state, room) = try_join!(store.chat_state(chat), store.message_room(actor.id()))?;
    let members = state.members;
    let is_member = members
        .get(&actor.id())
        .is_some_and(|own| own.state.may_read());
    if !is_member || members.len() == 2 && matches!(change, ChatChange::Name(_)) {
        return Ok(ChangeChatOutcome::NotFound);
    }
    if !may_write_to_partner(store, actor.id(), members.keys()).await? {
        return Ok(ChangeChatOutcome::Refused);
    }
    let call = &store.begin().await?;
    let write = async {
        store.check_session(&actor).await?;
        let by = (chat, &actor);
        store.change_chat(call, by, (change, room)).await
    };
    let reconcile = async |outcome: Option<ChatOutcome>| match outcome {
        Some(ChatOutcome::Changed(state)) => reconcile_copies(store, call, chat, Some(state)).await,
        None => reconcile_copies(store, call, chat, None).await,
        Some(_) => Ok(Reconciled::Yes),
    };
    let outcome = with_outbox(store, call, Thing::Chat(chat), write, reconcile).await?;
    Ok(match outcome {
        ChatOutcome::Changed(_) => ChangeChatOutcome::Done,
        ChatOutcome::NotMember => ChangeChatOutcome::NotFound,
        ChatOutcome::Waiting => ChangeChatOutcome::Refused,
        ChatOutcome::OverQuota => ChangeChatOutcome::OverQuota,
    })
}

/// Returns whether blocks and accounts allow messages in a chat of two. Others are not checked.
async fn may_write_to_partner(
    store: &Store,
    author: UserId,
    members: impl Iterator<Item = &UserId>,
) -> Result<bool> {
    let mut others = members.filter(|id| **id != author);
    match (others.next(), others.next()) {
        (Some(partner), None) => store.permits_message(author, *partner).await,
        _ => Ok(true),
    }
}

/// Removes messages that are expired at this time. Returns the number of their chats.
pub async fn expire_due_messages(store: &Store, now: UnixMs) -> Result<usize> {
    let (mut chats, mut failure) = (0, Ok(()));
    while chats < MAX_EXPIRED_CHATS && failure.is_ok() {
        let due = store.due_chats(now, EXPIRED_CHATS_AT_ONCE).await?;
        for chat in &due {
            let expired = expire_messages(store, *chat, now).await;
            note_failure(&mut failure, expired)?;
        }
        chats += due.len();
        if due.len() < EXPIRED_CHATS_AT_ONCE {
            break;
        }
    }
    failure.map(|()| chats)
}

/// Finds the next message of a chat that disappears, after an audit found it wrong. Removes no message.
pub async fn recount_expiry(store: &Store, chat: ChatId) -> Result<()> {
    expire_messages(store, chat, UnixMs(0)).await
}

/// Removes messages of a chat that are expired at this time. Further ones stay due.
async fn expire_messages(store: &Store, chat: ChatId, now: UnixMs) -> Result<()> {
    let call = &store.begin().await?;
    let write = store.expire_messages(call, chat, now, EXPIRED_MESSAGES_AT_ONCE);
    let expired = with_outbox(store, call, Thing::Chat(chat), write, |state| {
        reconcile_copies(store, call, chat, state)
    });
    expired.await.map(drop)
}

/// Counts the bytes of a person's messages in a chat again, from the messages themselves. Does nothing while the person
/// writes there all the time.
pub async fn recount_bytes(store: &Store, chat: ChatId, member: UserId) -> Result<()> {
    for _ in 0..ATTEMPTS {
        let state = store.chat_state(chat).await?;
        let counted = store.counted_chat_bytes(chat, state.last).await?;
        let now = store.chat_state(chat).await?;
        let (Some(own), true) = (state.members.get(&member), state == now) else {
            continue;
        };
        let counted = counted.get(&member).copied().unwrap_or_default();
        let difference = counted as i64 - own.bytes as i64;
        let change = MemberChange::CorrectBytes(difference);
        return change_member(store, member, chat, change).await.map(drop);
    }
    Ok(())
}

/// Ignores the request of a person, and blocks them.
pub async fn block_from_request(
    store: &Store,
    actor: impl Into<Actor>,
    chat: ChatId,
    person: UserId,
) -> Result<Block> {
    let actor = actor.into();
    // In this order: a block that fails leaves the request.
    let blocked = Box::pin(blocks::block(store, actor.clone(), person)).await?;
    if blocked == Block::Done {
        change_member(store, actor, chat, MemberChange::Ignore).await?;
    }
    Ok(blocked)
}

/// Brings the copies of a chat in line with it, after a crash or because the audit found a fault.
pub(super) async fn reconcile(store: &Store, chat: ChatId) -> Result<Option<Task>> {
    let call = &store.begin().await?;
    let reconciled = reconcile_copies(store, call, chat, None);
    reconcile_thing(call, Thing::Chat(chat), reconciled).await
}

/// Writes the copies until the chat stays the same over one application. Then deletes a chat that everybody has left.
/// `known` is the state that the caller has just written.
async fn reconcile_copies(
    store: &Store,
    call: &Call,
    chat: ChatId,
    known: Option<ChatState>,
) -> Result<Reconciled> {
    let mut state = match known {
        Some(state) => state,
        None => store.chat_state(chat).await?,
    };
    for _ in 0..ATTEMPTS {
        store.mirror_chat(call, chat, &state).await?;
        let now = store.chat_state(chat).await?;
        if now == state {
            // In this order: a deleted chat does not say whose copies are to be removed.
            if !state.is_deserted()
                || store.delete_chat(call, chat).await? == DeleteChatOutcome::Deleted
            {
                return Ok(Reconciled::Yes);
            }
        }
        state = now;
    }
    Ok(Reconciled::No)
}
