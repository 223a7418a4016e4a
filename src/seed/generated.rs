//! Invented people for a graph of numbers. Each number always gets the same login, name and interests,
//! and a share of the messages.

use std::collections::HashSet;

use unicode_segmentation::UnicodeSegmentation;

use super::{
    graph::Graph,
    plan::{Plan, PlannedFollow, PlannedPerson, PlannedPost, digest},
};
use crate::domain::{Bio, DisplayName, Login, Message};

const FIRST_NAMES: &str = include_str!("texts/first_names.txt");
const LAST_NAMES: &str = include_str!("texts/last_names.txt");
const INTERESTS: &str = include_str!("texts/interests.txt");

const ELLIPSIS: &str = "…";

/// Returns the people of a graph with their follows and messages.
pub(super) fn plan(graph: &Graph, messages: Vec<Message>) -> Plan {
    let names = Names::new();
    let numbers = graph.people.iter();
    let people: Vec<_> = numbers.map(|number| names.person(*number)).collect();
    let follows = graph.friendships.iter().flat_map(|&(a, b)| {
        [(a, b), (b, a)].map(|(follower, followed)| PlannedFollow::new(follower, followed))
    });
    let mut order: Vec<usize> = (0..people.len()).collect();
    order.sort_by_key(|&place| digest(&["order", people[place].login.as_str()]));
    let posts = order.iter().cycle().zip(messages).enumerate();
    let mut posts =
        posts.map(|(number, (&author, message))| PlannedPost::new(number, author, message));
    let round = || {
        let round: Vec<_> = posts.by_ref().take(people.len()).collect();
        (!round.is_empty()).then_some(round)
    };
    let rounds = std::iter::from_fn(round).collect();
    Plan::new(people, follows.collect(), rounds)
}

/// Returns interests, most common first.
pub(super) fn interests() -> Vec<&'static str> {
    INTERESTS.lines().collect()
}

/// Parses messages, one per line, each once. A long line is cut. Invalid lines are skipped.
pub(super) fn messages(text: &str) -> Vec<Message> {
    let mut seen = HashSet::new();
    text.lines()
        .filter_map(shorten)
        .filter(|message| seen.insert(message.as_str().to_owned()))
        .collect()
}

fn shorten(line: &str) -> Option<Message> {
    let line = line.trim();
    let mut kept = 0;
    for (count, (start, character)) in line.grapheme_indices(true).enumerate() {
        let end = start + character.len();
        if count >= Message::MAX_CHARACTERS || end > Message::MAX_BYTES {
            return Message::parse(&format!("{}{ELLIPSIS}", line[..kept].trim_end())).ok();
        }
        if count + 1 < Message::MAX_CHARACTERS && end + ELLIPSIS.len() <= Message::MAX_BYTES {
            kept = end;
        }
    }
    Message::parse(line).ok()
}

struct Names {
    first: Vec<&'static str>,
    last: Vec<&'static str>,
    interests: Vec<&'static str>,
}

impl Names {
    fn new() -> Self {
        Self {
            first: FIRST_NAMES.lines().collect(),
            last: LAST_NAMES.lines().collect(),
            interests: INTERESTS.lines().collect(),
        }
    }

    fn person(&self, number: u64) -> PlannedPerson {
        let pick = |list: &[&'static str], kind: &str| {
            let place = digest(&[kind, &number.to_string()]) % list.len() as u128;
            list[usize::try_from(place).expect("a place is smaller than the length of its list")]
        };
        let (first, last) = (pick(&self.first, "first"), pick(&self.last, "last"));
        let (one, other) = (pick(&self.interests, "one"), pick(&self.interests, "other"));
        let login = format!("p{number}");
        let name = format!("{first} {last}");
        let bio = format!("Likes {one} and {other}.");
        PlannedPerson {
            login: Login::parse(&login).expect("p and at most 20 digits are a login"),
            name: DisplayName::parse(&name).expect("two names of the lists are a display name"),
            bio: Bio::parse(&bio).expect("two interests of the list are a self-description"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::generated::*;

    fn message(text: &str) -> Message {
        Message::parse(text).expect("valid")
    }

    #[test]
    fn a_number_always_generates_the_same_person() {
        let (one, other) = (Names::new().person(42), Names::new().person(42));
        assert_eq!(
            (one.login.as_str(), one.name, one.bio),
            ("p42", other.name, other.bio)
        );
        let last = Names::new().person(u64::MAX);
        assert_eq!(last.login.as_str(), "p18446744073709551615");
    }

    #[test]
    fn generated_names_are_mostly_distinct() {
        let names = Names::new();
        let name = |number| names.person(number).name.as_str().to_owned();
        let different: HashSet<_> = (0..1000).map(name).collect();
        assert!(different.len() > 950, "{}", different.len());
    }

    #[test]
    fn every_generated_name_and_bio_fits_the_limits() {
        let longest = |list: &str| list.lines().map(str::len).max().expect("a list with lines");
        assert!(longest(FIRST_NAMES) + 1 + longest(LAST_NAMES) <= DisplayName::MAX_CHARACTERS);
        assert!(2 * longest(INTERESTS) + 12 <= Bio::MAX_CHARACTERS);
    }

    #[test]
    fn long_lines_are_truncated_and_invalid_lines_skipped() {
        let long = "é".repeat(600);
        let fits = "x".repeat(500);
        let heavy = "👨‍👩‍👧‍👦".repeat(400);
        let text =
            format!("hello\n\n \u{200B}\nhello\nbad \u{202E} one\n{long}\n{fits}\n{heavy}\n");
        let messages = messages(&text);
        let cut = format!("{}…", "é".repeat(499));
        assert_eq!(messages[..3], ["hello", &cut, &fits].map(message));
        assert!(messages[3].as_str().ends_with('…'));
        assert_eq!(messages.len(), 4);
    }

    #[test]
    fn each_round_has_at_most_one_message_per_author() {
        let graph = Graph::parse("1 2\n2 3").expect("a graph");
        let messages = (0..8).map(|number| message(&number.to_string()));
        let plan = plan(&graph, messages.collect());
        let sizes: Vec<usize> = plan.rounds.iter().map(Vec::len).collect();
        assert_eq!(sizes, [3, 3, 2]);
        for round in &plan.rounds {
            let authors: HashSet<_> = round.iter().map(|post| post.author).collect();
            assert_eq!(authors.len(), round.len());
        }
        assert_eq!(plan.follows.len(), 4);
    }
}
