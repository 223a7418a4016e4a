//! A poll under a message: its options, or its results.

use askama::Template;

use crate::{
    domain::{Choice, Poll, Tally},
    store::VisibleStatus,
    web::{
        parts::{count, moment::span, visit::Visit},
        routes,
    },
};

#[derive(Debug, Template)]
#[template(path = "statuses/_poll.html")]
pub(in crate::web) struct PollPart {
    options: Vec<Answer>,
    /// The number of voters and the remaining time.
    state: String,
    way: Way,
    /// The name of the poll's fields. It differs from poll to poll, because all polls of a page
    /// share one form.
    name: String,
    choice: Choice,
}

impl askama::filters::HtmlSafe for PollPart {}

/// The viewer's options for a poll.
#[derive(Debug)]
enum Way {
    /// Read the results: the viewer has voted, the poll has ended, or it is their own.
    Results,
    /// Vote, with a button that submits to this path.
    Vote(String),
    /// Log in first, at this path.
    LogIn(String),
}

/// One option and its result.
#[derive(Debug)]
struct Answer {
    text: String,
    percent: u64,
    votes: String,
    /// The viewer chose this option.
    mine: bool,
}

impl PollPart {
    /// Returns `None` if the status has no poll.
    pub(in crate::web) fn new(visit: &Visit, status: &VisibleStatus) -> Option<Self> {
        let ((poll, tally), ends) = status.poll().zip(status.poll_ends())?;
        let left_ms = ends.0.saturating_sub(visit.now.0);
        let way = if status.ballot().is_some() || status.is_own() || left_ms == 0 {
            Way::Results
        } else if visit.me().is_some() {
            Way::Vote(routes::vote(status.id()))
        } else {
            let permalink = routes::status(&status.author().login, status.id());
            Way::LogIn(routes::log_in_then(permalink))
        };
        Some(Self {
            options: answers(status, poll, tally),
            state: state(tally.people, left_ms),
            way,
            name: routes::vote_field(status.id()),
            choice: poll.choice(),
        })
    }
}

fn answers(status: &VisibleStatus, poll: &Poll, tally: &Tally) -> Vec<Answer> {
    let ballot = status.ballot();
    let options = poll.options().iter().zip(&tally.votes).enumerate();
    let answer = |(at, (option, votes)): (usize, (_, &u64))| {
        let option: &crate::domain::PollOption = option;
        Answer {
            text: option.as_str().to_owned(),
            percent: tally.percent(at),
            votes: match votes {
                1 => "1 vote".to_owned(),
                number => format!("{} votes", count(*number)),
            },
            mine: ballot.is_some_and(|ballot| ballot.includes(at)),
        }
    };
    options.map(answer).collect()
}

/// Returns `12 people · 3 hours left`.
fn state(people: u64, left_ms: u64) -> String {
    let people = match people {
        0 => "No votes yet".to_owned(),
        1 => "1 person".to_owned(),
        number => format!("{} people", count(number)),
    };
    match left_ms {
        0 => format!("{people} · ended"),
        _ => format!("{people} · {} left", span(left_ms)),
    }
}

#[cfg(test)]
mod tests {
    use super::state;

    #[test]
    fn the_poll_state_shows_voters_and_time_left() {
        assert_eq!(state(0, 1), "No votes yet · 1 minute left");
        assert_eq!(state(1, 0), "1 person · ended");
        assert_eq!(state(1200, 3 * 3_600_000), "1,200 people · 3 hours left");
    }
}
