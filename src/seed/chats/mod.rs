//! Conversations of the demo people, from a text file beside this one.

pub(super) mod writer;

use std::collections::HashMap;

use super::plan::{PlannedChat, PlannedPerson};
use crate::domain::{ChatName, ChatText};

/// Blocks with `%` on a line of its own between them. The first line of a block has the logins, beginning with the
/// author of the first message, and after `|` the name of the conversation. Each further line is `login: message`.
const MESSAGES: &str = include_str!("messages.txt");

/// Returns the conversations of these people.
pub(super) fn plan(people: &[PlannedPerson]) -> Vec<PlannedChat> {
    let logins = people.iter().map(|person| person.login.as_str());
    let places: HashMap<&str, usize> = logins.zip(0..).collect();
    let place = |login: &str| {
        let place = places.get(login);
        *place.expect("the conversations have people of the demo only")
    };
    let chat = |block: &'static str| {
        let (head, lines) = block.split_once('\n').expect("a block has messages");
        let (logins, name) = head.split_once(" | ").unwrap_or((head, ""));
        let message = |line: &str| {
            let (login, text) = line.split_once(": ").expect("a line has an author");
            let text = ChatText::parse(text).expect("messages of the demo are valid");
            (place(login), text)
        };
        PlannedChat {
            people: logins.split(' ').map(place).collect(),
            name: ChatName::parse(name).expect("names of the demo are valid"),
            messages: lines.lines().map(message).collect(),
        }
    };
    MESSAGES.trim_end().split("\n%\n").map(chat).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{chats, demo};

    #[test]
    fn everybody_follows_the_person_who_begins_a_conversation() {
        let plan = demo::plan();
        let followers = plan.followers();
        let chats = chats::plan(&plan.people);
        assert!(chats.len() >= 8);
        for chat in chats {
            let (first, others) = chat.people.split_first().expect("people");
            assert_eq!(chat.messages[0].0, *first);
            for other in others {
                assert!(followers[*first].contains(other), "{chat:?}");
            }
            for (author, _) in &chat.messages {
                assert!(chat.people.contains(author), "{chat:?}");
            }
        }
    }
}
