//! Chats: their id follows from their people, the unread counts from the messages, and the copies with their people
//! from the chat.

use crate::{
    actions::messages::{change_member, recount_bytes, recount_expiry},
    audit::invariants::prelude::*,
    domain::{ChatId, ChatMember, MemberState},
    store::{ChatPlace, ChatState, MemberChange, NextExpiry},
};

pub(in crate::audit) const CHATS_MIRROR: Invariant = Invariant::new(
    "chats_mirror",
    "chats, chat_requests, unread_chats, chat_bytes and chats:expiring follow from the chats",
);
pub(in crate::audit) const CHATS_ARE_COUNTED: Invariant = Invariant::new(
    "chats_are_counted",
    "the id of a chat follows from its people, unread counts and bytes from its messages",
);

/// Difference of the scores of chats with the same time (µs).
const SCORE_ROOM: f64 = 10_000.0;

pub(in crate::audit) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    match exam.target {
        Target::Key(Key::ChatMembers(chat)) => check_chat(exam, *chat).await,
        Target::User(user, _) => check_user(exam, user.id).await,
        _ => Ok(()),
    }
}

async fn check_chat(exam: &mut Examination<'_>, chat: ChatId) -> Result<()> {
    let state = exam.store.chat_state(chat).await?;
    exam.examined(CHATS_ARE_COUNTED, state.members.len());
    let people: Vec<UserId> = state.members.keys().copied().collect();
    if ChatId::of(&people) != chat {
        let text = format!("the people of the chat {chat} do not match its id");
        exam.found(fault_of(CHATS_ARE_COUNTED, chat, text));
    }
    if state.is_deserted() {
        let text = format!("everybody has left the chat {chat}, and it is not deleted");
        exam.found(fault_of(CHATS_MIRROR, chat, text).repair_by(reconcile(chat)));
        return Ok(());
    }
    for (id, member) in &state.members {
        check_unread(exam, (chat, &state), *id, member).await?;
    }
    check_bytes(exam, (chat, &state)).await?;
    check_expiry(exam, (chat, &state)).await?;
    check_copies(exam, (chat, &state), &people).await
}

/// Checks that the chat knows when its next message disappears, and the schedule as well. Both may be too early.
async fn check_expiry(
    exam: &mut Examination<'_>,
    (chat, state): (ChatId, &ChatState),
) -> Result<()> {
    let is_known = |known: Option<u64>, at: u64| known.is_some_and(|known| known <= at);
    let known = match state.expires {
        NextExpiry::At(at) => Some(at.0),
        NextExpiry::Never | NextExpiry::Over => None,
    };
    if let Some(first) = exam.store.first_expiry(chat).await?
        && !is_known(known, first)
    {
        let text = format!("the chat {chat} does not know when its next message disappears");
        let words = format!("found the next message of the chat {chat} that disappears");
        let fault = fault_of(CHATS_ARE_COUNTED, chat, text);
        exam.found(fault.repair(words, move |store| async move {
            recount_expiry(&store, chat).await
        }));
    }
    if let Some(at) = known
        && !is_known(exam.store.scheduled_expiry(chat).await?, at)
    {
        let text = format!("the chat {chat} is missing in the schedule of messages that disappear");
        exam.found(fault_of(CHATS_MIRROR, chat, text).repair_by(reconcile(chat)));
    }
    Ok(())
}

/// Checks the unread count of a person.
async fn check_unread(
    exam: &mut Examination<'_>,
    (chat, state): (ChatId, &ChatState),
    id: UserId,
    member: &ChatMember,
) -> Result<()> {
    let after = member.seen.max(member.cleared);
    let counted = match member.state {
        MemberState::Left | MemberState::Gone => 0,
        _ => {
            exam.store
                .counted_unread(chat, id, (after, state.last))
                .await?
        }
    };
    if counted == member.unread {
        return Ok(());
    }
    let name = names::user(id);
    let text = format!("{name} has a wrong number of unread messages in the chat {chat}");
    let words = format!("counted the unread messages of {name} in the chat {chat} again");
    let fault = fault_of(CHATS_ARE_COUNTED, chat, text);
    exam.found(fault.repair(words, move |store| async move {
        let recount = MemberChange::Recount;
        change_member(&store, id, chat, recount).await.map(drop)
    }));
    Ok(())
}

/// Checks the bytes of each person in a chat.
async fn check_bytes(
    exam: &mut Examination<'_>,
    (chat, state): (ChatId, &ChatState),
) -> Result<()> {
    let counted = exam.store.counted_chat_bytes(chat, state.last).await?;
    for (id, member) in &state.members {
        let id = *id;
        if member.bytes == counted.get(&id).copied().unwrap_or_default() {
            continue;
        }
        let name = names::user(id);
        let text = format!("the messages of {name} in the chat {chat} count as other bytes");
        let words = format!("counted the bytes of {name} in the chat {chat} again");
        let fault = fault_of(CHATS_ARE_COUNTED, chat, text);
        exam.found(fault.repair(words, move |store| async move {
            recount_bytes(&store, chat, id).await
        }));
    }
    Ok(())
}

/// Checks the copies of a chat with its people.
async fn check_copies(
    exam: &mut Examination<'_>,
    (chat, state): (ChatId, &ChatState),
    people: &[UserId],
) -> Result<()> {
    exam.examined(CHATS_MIRROR, people.len());
    let stored = exam.store.stored_chat_copies(chat, people).await?;
    let users = exam.store.user_states(people).await?;
    for (((id, member), stored), user) in state.members.iter().zip(stored).zip(users) {
        let copy = state.copy_of(member);
        let place = match user {
            UserState::Exists => copy.place,
            UserState::Missing | UserState::Incomplete => ChatPlace::Nowhere,
        };
        let is_at = |score: Option<f64>, is_there: bool| match score {
            None => !is_there,
            Some(score) => {
                let late = score - state.at_us as f64;
                is_there && (0.0..SCORE_ROOM).contains(&late)
            }
        };
        let unread = if place == ChatPlace::Nowhere {
            0
        } else {
            copy.unread
        };
        let bytes = match user {
            UserState::Exists if copy.bytes > 0 => Some(copy.bytes.to_string()),
            _ => None,
        };
        let (chats, requests, unread_there, bytes_there) = stored;
        let is_right = is_at(chats, place == ChatPlace::Chats)
            && is_at(requests, place == ChatPlace::Requests)
            && unread_there.unwrap_or(0) == unread
            && bytes_there == bytes;
        if !is_right {
            let text = format!(
                "the chat {chat} and its copy of {} differ",
                names::user(*id)
            );
            exam.found(fault_of(CHATS_MIRROR, chat, text).repair_by(reconcile(chat)));
        }
    }
    Ok(())
}

/// Checks that the chats of a user exist and contain them.
async fn check_user(exam: &mut Examination<'_>, id: UserId) -> Result<()> {
    let mut chats = Vec::new();
    for key in [Key::Chats(id), Key::ChatRequests(id)] {
        let mut members = Members::of(CHATS_MIRROR, &key, "chat");
        while let Some(found) = members.related::<ChatId>(exam).await? {
            chats.extend(found);
        }
    }
    for row in exam.store.unread_chat_rows(id).await? {
        chats.extend(row.parse::<ChatId>().ok());
    }
    chats.extend(check_sum(exam, id).await?);
    chats.sort_unstable();
    chats.dedup();
    for chat in chats {
        let state = exam.store.chat_state(chat).await?;
        if state.members.contains_key(&id) {
            continue;
        }
        let name = names::user(id);
        let text = format!("{name} has the chat {chat}, to which they do not belong");
        let words = format!("removed the chat {chat} from {name}");
        let fault = Fault::new(CHATS_MIRROR, Key::User(id), text).unless(Key::Chat(chat));
        exam.found(fault.repair(words, move |store| async move {
            store.drop_chat_copy(id, &chat.to_string()).await
        }));
    }
    Ok(())
}

/// Checks the sum of the bytes of a user's messages. Returns the chats that it counts.
async fn check_sum(exam: &mut Examination<'_>, id: UserId) -> Result<Vec<ChatId>> {
    let key = Key::ChatBytes(id);
    let counted = exam.store.counted_in(&key).await?;
    let is_chat = |field: &&String| field.parse::<ChatId>().is_ok();
    let wrong = counted
        .entries
        .keys()
        .find(|field| !is_chat(field))
        .cloned();
    let is_right = counted.sum.is_none_or(|sum| sum == counted.actual_sum());
    if wrong.is_some() || !is_right {
        let name = names::user(id);
        let text = format!("the bytes of the messages of {name} have a wrong sum or entry");
        let words = format!("counted the bytes of the messages of {name} again");
        let fault = Fault::new(CHATS_MIRROR, key, text);
        exam.found(fault.repair(words, move |store| async move {
            store
                .recount_bytes(&Key::ChatBytes(id), wrong.as_deref())
                .await
        }));
    }
    let chats = counted.entries.keys().map(|field| field.parse().ok());
    Ok(chats.flatten().collect())
}

fn fault_of(invariant: Invariant, chat: ChatId, text: String) -> Fault {
    Fault::new(invariant, Key::ChatMembers(chat), text).unless(Key::Chat(chat))
}

fn reconcile(chat: ChatId) -> RepairStep {
    repair::reconcile(
        format!("reconciled the copies of the chat {chat}"),
        Thing::Chat(chat),
    )
}
