//! The names of conversations and people, and the sentences of refused messages.

use std::sync::Arc;

use crate::{
    actions::messages::SendRefusal,
    domain::{ChatMessage, MemberState, MessageContent, MessageExpiry, UserId},
    store::{ChatPerson, ChatView, User, WriteRefusal},
    web::parts::{moment, quote_at_end},
};

/// Number of people that the title of a conversation names.
const NAMED_PEOPLE: usize = 3;

/// Returns the name of a person in a conversation.
pub fn person_name(person: &ChatPerson) -> String {
    match (&person.user, person.member.state) {
        (Some(user), _) => user.name.clone(),
        (None, MemberState::Gone) => "Deleted account".to_owned(),
        (None, _) => "Unavailable account".to_owned(),
    }
}

/// Returns the title of a conversation: its name, or the names of the others.
pub fn title(chat: &ChatView) -> String {
    if let Some(name) = &chat.name {
        return name.clone();
    }
    let names: Vec<String> = chat.people.iter().map(person_name).collect();
    let (named, others) = names.split_at(names.len().min(NAMED_PEOPLE));
    match others.len() {
        0 => named.join(", "),
        1 => format!("{} and 1 other", named.join(", ")),
        number => format!("{} and {number} others", named.join(", ")),
    }
}

/// Returns the author of a message. `None` for the viewer, and for a person who cannot be named.
pub fn author_of(chat: &ChatView, id: UserId) -> Option<&Arc<User>> {
    chat.person(id)?.user.as_ref()
}

/// Returns the name of the author of a message, as the subject of a sentence.
pub fn author_name(chat: &ChatView, id: UserId) -> String {
    chat.person(id)
        .map_or_else(|| "You".to_owned(), person_name)
}

/// Returns the sentence of an event, or of a deleted message. `None` for a message with a text.
pub fn event(chat: &ChatView, message: &ChatMessage) -> Option<String> {
    let name = author_name(chat, message.author);
    Some(match &message.content {
        MessageContent::Text { .. } => return None,
        MessageContent::Deleted => "Message deleted".to_owned(),
        MessageContent::Renamed(to) if to.is_empty() => {
            format!("{name} removed the name of the conversation.")
        }
        MessageContent::Renamed(to) => {
            format!("{name} named the conversation {}", quote_at_end(to))
        }
        MessageContent::Expiry(None) => {
            format!("{name} switched off that new messages disappear.")
        }
        MessageContent::Expiry(Some(expiry)) => {
            let after = days(*expiry);
            format!("{name} decided that new messages disappear after {after}.")
        }
        MessageContent::Left => format!("{name} left."),
    })
}

/// Returns the time after which messages disappear, as a person reads it.
pub fn days(expiry: MessageExpiry) -> String {
    match expiry.days() {
        1 => "1 day".to_owned(),
        days => format!("{days} days"),
    }
}

/// The reason for which a person without room cannot write.
pub const OVER_QUOTA: &str = "Your messages use all your storage, which is smaller while the site is almost full. Delete some of your messages to make room.";

/// Returns the sentence of a refused message.
pub fn refusal(refusal: &SendRefusal, request_limit: usize) -> String {
    match refusal {
        SendRefusal::NotFound | SendRefusal::Conflict => {
            "This conversation does not exist any more.".to_owned()
        }
        SendRefusal::Waiting => {
            "You can write more when your first message is accepted.".to_owned()
        }
        SendRefusal::Alone => "Everybody else has left this conversation.".to_owned(),
        SendRefusal::TooManyRequests => format!(
            "You can write to {request_limit} people a day who do not follow you. Try again tomorrow."
        ),
        SendRefusal::WrongNumber => "Name at least one other person, and at most 19.".to_owned(),
        SendRefusal::OverQuota => OVER_QUOTA.to_owned(),
        SendRefusal::Person(WriteRefusal::Unavailable) => {
            "You cannot write to this person.".to_owned()
        }
        SendRefusal::Person(WriteRefusal::NotFollowed(login)) => {
            format!("@{login} gets messages only from people that they follow.")
        }
        SendRefusal::Person(WriteRefusal::NoMessages(login)) => {
            format!("@{login} gets no messages.")
        }
        SendRefusal::Person(WriteRefusal::Limited) => {
            "The moderators limited your account. You can write only to people who follow you."
                .to_owned()
        }
        SendRefusal::Person(WriteRefusal::Newcomer(until)) => format!(
            "Your account is new. Until {} you can write only to people who follow you or share a group with you.",
            moment::full(*until, &crate::domain::Zone::default())
        ),
    }
}
