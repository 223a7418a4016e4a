//! The conversations of the demo, from a text file beside this one.

use std::collections::HashMap;

use super::{
    plan::{PlannedPost, Reference},
    questions,
};
use crate::domain::{Message, Poll, Warning};

/// Conversations, with an empty line between two. Each line is a post: `@login text`. A line after `>` replies to the
/// last line above it with one `>` less. A line after `~` quotes the first post. A warning is in brackets before the
/// text. A poll is a line of questions.txt.
const THREADS: &str = include_str!("texts/threads.txt");

/// Returns the posts of each conversation in their order. `people` are the places of the people by login. The first post
/// has the number `first`.
pub(super) fn threads(people: &HashMap<&str, usize>, first: usize) -> Vec<Vec<PlannedPost>> {
    let mut next = first;
    let threads = THREADS.trim_end().split("\n\n").map(|text| {
        let posts = thread(text, people, next);
        next += posts.len();
        posts
    });
    threads.collect()
}

fn thread(text: &str, people: &HashMap<&str, usize>, first: usize) -> Vec<PlannedPost> {
    // The last post of each depth.
    let mut parents: Vec<usize> = Vec::new();
    let lines = text.lines().map(Line::parse).zip(first..);
    let posts = lines.map(|(line, number)| {
        let reference = match line.position {
            Position::Quote => Some(Reference::QuoteOf(first)),
            Position::Depth(depth) => {
                parents.truncate(depth);
                let parent = parents.last().copied();
                parents.push(number);
                parent.map(Reference::ReplyTo)
            }
        };
        let author = *people
            .get(line.login)
            .expect("the threads name people of the demo");
        PlannedPost {
            reference,
            warning: line.warning,
            poll: line.poll,
            ..PlannedPost::new(number, author, line.message)
        }
    });
    posts.collect()
}

/// The position of a post in its conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Position {
    /// The number of posts above it, up to the first one.
    Depth(usize),
    Quote,
}

struct Line<'a> {
    position: Position,
    login: &'a str,
    warning: Option<Warning>,
    message: Message,
    poll: Option<Poll>,
}

impl<'a> Line<'a> {
    fn parse(line: &'a str) -> Self {
        let parts = line.split_once('@').and_then(|(marks, post)| {
            let (login, text) = post.split_once(' ')?;
            Some((marks.trim_end(), login, text))
        });
        let (marks, login, text) = parts.expect("a line of threads.txt has an author and a text");
        let position = match marks {
            "~" => Position::Quote,
            marks => Position::Depth(marks.len()),
        };
        let warned = text.strip_prefix('[');
        let (warning, text) = match warned.and_then(|text| text.split_once("] ")) {
            Some((warning, text)) => (warning, text),
            None => ("", text),
        };
        let (message, poll) = match questions::is_question(text) {
            true => {
                let (message, poll) = questions::question(text);
                (message, Some(poll))
            }
            false => {
                let message = Message::parse(text);
                (message.expect("the threads of the demo are valid"), None)
            }
        };
        Self {
            position,
            login,
            warning: Warning::parse(warning).expect("the warnings of the demo are valid"),
            message,
            poll,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::threads::*;

    const PEOPLE: [&str; 3] = ["ann", "bob", "cem"];

    fn planned(text: &str) -> Vec<PlannedPost> {
        let people: HashMap<&str, usize> = PEOPLE.into_iter().zip(0..).collect();
        thread(text, &people, 10)
    }

    #[test]
    fn a_reply_refers_to_the_last_line_with_one_mark_less() {
        let posts = planned(
            "@ann Who has flour?\n> @bob I have.\n>> @ann Thank you.\n> @cem I have none.\n>> @bob Take mine.\n~ @cem Flour!",
        );
        let references: Vec<_> = posts.iter().map(|post| post.reference).collect();
        let reply = |number| Some(Reference::ReplyTo(number));
        let quote = Some(Reference::QuoteOf(10));
        assert_eq!(
            references,
            [None, reply(10), reply(11), reply(10), reply(13), quote]
        );
        let authors: Vec<_> = posts.iter().map(|post| post.author).collect();
        assert_eq!(authors, [0, 1, 0, 2, 1, 2]);
        let numbers = posts.iter().map(|post| post.number);
        assert!(numbers.eq(10..16));
        assert_eq!(posts[3].message.as_str(), "I have none.");
    }

    #[test]
    fn a_line_can_have_a_warning_or_a_poll() {
        let posts = planned("@ann [Spoilers] He did it.\n> @bob one | Who? | He | She");
        let warning = posts[0].warning.as_ref().map(Warning::as_str);
        assert_eq!(
            (warning, posts[0].message.as_str()),
            (Some("Spoilers"), "He did it.")
        );
        let options = posts[1].poll.as_ref().map(|poll| poll.options().len());
        assert_eq!((options, posts[1].message.as_str()), (Some(2), "Who?"));
    }

    #[test]
    fn each_conversation_has_one_first_post_and_one_to_five_replies() {
        for text in THREADS.trim_end().split("\n\n") {
            let lines: Vec<Line> = text.lines().map(Line::parse).collect();
            assert_eq!(lines[0].position, Position::Depth(0), "{text}");
            let replies = lines.iter().skip(1);
            assert!(
                replies
                    .clone()
                    .all(|line| line.position != Position::Depth(0)),
                "{text}"
            );
            let replies = replies.filter(|line| line.position != Position::Quote);
            assert!((1..=5).contains(&replies.count()), "{text}");
            let authors: HashSet<&str> = lines.iter().map(|line| line.login).collect();
            assert!(authors.len() > 1, "{text}");
            for (above, line) in lines.iter().zip(&lines[1..]) {
                let is_below = match (above.position, line.position) {
                    (Position::Depth(above), Position::Depth(depth)) => depth <= above + 1,
                    _ => line.position == Position::Quote,
                };
                assert!(is_below, "{text}");
            }
        }
    }
}
