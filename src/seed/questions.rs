//! The polls of a seed, from a text file beside this one.

use super::random::pick_index;
use crate::domain::{Choice, Message, Poll, PollOption, PollTerm};

/// One poll per line: `one` or `several` | question | options.
const QUESTIONS: &str = include_str!("texts/questions.txt");

pub(super) fn questions() -> Vec<(Message, Poll)> {
    QUESTIONS.lines().map(question).collect()
}

/// Returns whether a text is a line of such a file.
pub(super) fn is_question(text: &str) -> bool {
    text.starts_with("one | ") || text.starts_with("several | ")
}

/// Parses a line of such a file.
pub(super) fn question(line: &str) -> (Message, Poll) {
    let mut parts = line.split(" | ");
    let mut part = || parts.next().expect("a line of questions.txt has its parts");
    let choice = match part() {
        "several" => Choice::Several,
        _ => Choice::One,
    };
    let message = Message::parse(part()).expect("the questions of the seed are messages");
    let option = |text| PollOption::parse(text).ok().flatten();
    let options = parts.filter_map(option).collect();
    let term = PollTerm::ALL[pick_index(&["term", line], PollTerm::ALL.len())];
    let poll = Poll::new(options, choice, term).expect("the polls of the seed are valid");
    (message, poll)
}

#[cfg(test)]
mod tests {
    use super::super::questions::*;

    #[test]
    fn every_line_is_parsed_as_a_poll_with_all_options() {
        for (line, (message, poll)) in QUESTIONS.lines().zip(questions()) {
            let options = poll.options().iter().map(PollOption::as_str);
            let texts: Vec<&str> = [message.as_str()].into_iter().chain(options).collect();
            assert_eq!(line.split(" | ").skip(1).collect::<Vec<_>>(), texts);
        }
    }
}
