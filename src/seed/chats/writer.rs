//! Writes the conversations of a plan. Authors read the earlier messages before they answer.

use std::time::Duration;

use crate::seed::{
    dates::age_of_message,
    jobs::{retry, run_all},
    members::SeededSite,
    outcome::{Outcome, Outcomes},
    plan::{PlannedChat, idempotency_key},
};
use crate::{
    actions::messages::{self, NewMessage, Send},
    domain::{ChatId, ChatMessage, ChatText, UserId},
    store::{self, Actor, ChatChange, ChatPart, MemberChange, ReadMark, Store},
};

/// Number of messages that one step reads.
const MESSAGES_AT_ONCE: usize = 200;

/// Writes the messages that are missing. A conversation without one of its people is left out.
pub(in crate::seed) async fn write_chats(
    planned: &[PlannedChat],
    site: &SeededSite<'_>,
) -> store::Result<Outcomes> {
    let written = run_all(site.at_once, planned, |chat| write_chat(chat, site)).await?;
    Ok(written.into_iter().flatten().collect())
}

async fn write_chat(planned: &PlannedChat, site: &SeededSite<'_>) -> store::Result<Vec<Outcome>> {
    let store = site.store;
    let people: Option<Vec<UserId>> = planned.people.iter().map(|place| site.id(*place)).collect();
    let Some(people) = people else {
        return Ok(Vec::new());
    };
    let chat = ChatId::of(&people);
    // The idempotency keys of an earlier run may have expired.
    let existing = messages_of(store, people[0], chat).await?;
    let is_missing = |text: &ChatText| {
        let mut texts = existing.iter().filter_map(|message| message.text());
        !texts.any(|existing| existing == text.as_str())
    };
    let (of, conversation) = (planned.messages.len(), chat.to_string());
    let age = |place| age_of_message(place, of, &conversation);
    let mut outcomes = Vec::new();
    let messages = planned.messages.iter().enumerate();
    for (place, (author, text)) in messages.filter(|(_, (_, text))| is_missing(text)) {
        let Some(author) = site.id(*author) else {
            continue;
        };
        let others: Vec<UserId> = people.iter().copied().filter(|id| *id != author).collect();
        outcomes.push(write(store, (author, age(place)), (chat, &others), text).await?);
    }
    if let Some(name) = &planned.name
        && existing.is_empty()
    {
        let name = ChatChange::Name(Some(name));
        let actor = || Actor::dated_back(people[0], age(of));
        retry(async || messages::change_chat(store, actor(), chat, name).await).await?;
    }
    Ok(outcomes)
}

/// Returns all messages of a chat, none if it does not exist.
async fn messages_of(
    store: &Store,
    reader: UserId,
    chat: ChatId,
) -> store::Result<Vec<ChatMessage>> {
    let (mut messages, mut part) = (Vec::new(), ChatPart::newest(MESSAGES_AT_ONCE));
    while let Some(mut read) = retry(async || store.chat(reader, chat, part).await).await? {
        messages.append(&mut read.messages);
        part.before = read.next;
        if part.before.is_none() {
            break;
        }
    }
    Ok(messages)
}

async fn write(
    store: &Store,
    (author, age): (UserId, Duration),
    (chat, others): (ChatId, &[UserId]),
    text: &ChatText,
) -> store::Result<Outcome> {
    let last = retry(async || store.chat_state(chat).await).await?.last;
    let read = MemberChange::Read(last, ReadMark::Hidden);
    retry(async || messages::change_member(store, author, chat, read).await).await?;
    let key = &idempotency_key(&["message", &chat.to_string(), text.as_str()]);
    let message = NewMessage { text, key };
    let actor = || Actor::dated_back(author, age);
    let sent = retry(async || messages::write_to(store, actor(), others, message).await).await?;
    Ok(match sent {
        Send::Sent(..) => Outcome::Done,
        Send::Refused(_) => Outcome::Obsolete,
    })
}
