//! A poll under a message: its options, or its results.

use crate::{
    domain::{Choice, Poll, Tally},
    web::{
        parts::{moment::span, prelude::*},
        statuses::press::StatusAction,
    },
};

#[derive(Debug, Template)]
#[template(path = "statuses/_poll.html")]
pub struct PollPart {
    options: Vec<OptionView>,
    /// The number of voters and the remaining time.
    state: String,
    view: PollView,
    /// The name of the poll's fields. It differs from poll to poll, because all polls of a page
    /// share one form.
    name: String,
    choice: Choice,
}

impl askama::filters::HtmlSafe for PollPart {}

/// The viewer's options for a poll.
#[derive(Debug)]
enum PollView {
    /// Read the results: the viewer has voted, the poll has ended, or it is their own.
    Results,
    /// Vote, with a button for this status.
    Vote(StatusId),
    /// Log in first, at this path.
    LogIn(String),
}

/// One option and its result.
#[derive(Debug)]
struct OptionView {
    text: String,
    percent: u64,
    votes: String,
    /// The viewer chose this option.
    chosen_by_viewer: bool,
}

impl PollPart {
    /// Returns `None` if the status has no poll.
    pub fn new(visit: &Visit, status: &VisibleStatus) -> Option<Self> {
        let ((poll, tally), ends) = status.poll().zip(status.poll_ends())?;
        let left_ms = ends.0.saturating_sub(visit.now.0);
        let view = if status.ballot().is_some() || status.is_own() || left_ms == 0 {
            PollView::Results
        } else if visit.me().is_some() {
            PollView::Vote(status.id())
        } else {
            let permalink = routes::status(&status.author().login, status.id());
            PollView::LogIn(routes::log_in_then(permalink))
        };
        Some(Self {
            options: option_views(status, poll, tally),
            state: state(tally.people, left_ms),
            view,
            name: routes::vote_field(status.id()),
            choice: poll.choice(),
        })
    }
}

fn option_views(status: &VisibleStatus, poll: &Poll, tally: &Tally) -> Vec<OptionView> {
    let ballot = status.ballot();
    let options = poll.options().iter().zip(&tally.votes).enumerate();
    let option_view = |(at, (option, votes)): (usize, (_, &u64))| {
        let option: &crate::domain::PollOption = option;
        OptionView {
            text: option.as_str().to_owned(),
            percent: tally.percent(at),
            votes: match votes {
                1 => "1 vote".to_owned(),
                number => format!("{} votes", count(*number)),
            },
            chosen_by_viewer: ballot.is_some_and(|ballot| ballot.includes(at)),
        }
    };
    options.map(option_view).collect()
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
