//! The buttons that followers press under posts: few for most posts and many for a few.

use super::{
    plan::{Button, Plan, PlannedPost, PlannedPress},
    random::{pick_neighbours, pick_skewed_index, skewed_count},
};
use crate::domain::{Ballot, Poll};

/// Scale of the counts. One post in four has a favourite.
const FAVOURITE_SCALE: f64 = 0.5;
const BOOKMARK_SCALE: f64 = 0.15;
const REPOST_SCALE: f64 = 0.1;
/// Most followers of a poll's author vote.
const VOTE_SCALE: f64 = 8.0;

/// Adds the presses of all posts. Replies and quotes get favourites only.
pub(super) fn add_presses(plan: &mut Plan) {
    let mut presses = PressPlanner::new(plan.followers());
    for post in plan.rounds.iter().flatten() {
        match post.reference {
            None => presses.add_all(post),
            Some(_) => presses.add_favourites(post),
        }
        if let Some(poll) = &post.poll {
            presses.add_votes(post, poll, post.message.as_str());
        }
    }
    plan.presses = presses.into_presses();
}

/// The presses so far.
pub(super) struct PressPlanner {
    followers: Vec<Vec<usize>>,
    presses: Vec<PlannedPress>,
}

impl PressPlanner {
    pub(super) fn new(followers: Vec<Vec<usize>>) -> Self {
        Self {
            followers,
            presses: Vec::new(),
        }
    }

    pub(super) fn followers_of(&self, person: usize) -> &[usize] {
        &self.followers[person]
    }

    pub(super) fn into_presses(self) -> Vec<PlannedPress> {
        self.presses
    }

    /// Adds favourites, bookmarks and reposts of a post.
    pub(super) fn add_all(&mut self, post: &PlannedPost) {
        self.add_favourites(post);
        self.add(post, "bookmark", BOOKMARK_SCALE, Button::Bookmark);
        self.add(post, "repost", REPOST_SCALE, Button::Repost);
    }

    fn add_favourites(&mut self, post: &PlannedPost) {
        self.add(post, "favour", FAVOURITE_SCALE, Button::Favourite);
    }

    fn add(&mut self, post: &PlannedPost, kind: &str, scale: f64, button: Button) {
        let text = post.message.as_str();
        let followers_of_author = &self.followers[post.author];
        let count = skewed_count(&[kind, text], scale, followers_of_author.len());
        let people = pick_neighbours(&["from", kind, text], followers_of_author, count);
        self.presses.extend(people.map(|person| PlannedPress {
            person,
            post: post.number,
            button,
        }));
    }

    /// Adds votes in a poll. They follow from `text`.
    pub(super) fn add_votes(&mut self, post: &PlannedPost, poll: &Poll, text: &str) {
        let followers_of_author = &self.followers[post.author];
        let count = skewed_count(&["vote", text], VOTE_SCALE, followers_of_author.len());
        let voters = pick_neighbours(&["voters", text], followers_of_author, count);
        self.presses.extend(voters.map(|person| {
            let words = ["votes", text, &person.to_string()];
            let option = pick_skewed_index(&words, poll.options().len());
            let ballot = Ballot::of(&[option]).expect("a poll has no more options than a ballot");
            PlannedPress {
                person,
                post: post.number,
                button: Button::Vote(ballot),
            }
        }));
    }
}
