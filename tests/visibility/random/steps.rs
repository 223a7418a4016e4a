//! The steps of a game, drawn at random.

use proptest::prelude::*;
use redwing::domain::{Answer, Repliers, Visibility};

pub const PEOPLE: usize = 4;

#[derive(Debug, Clone)]
pub enum Step {
    Post {
        by: usize,
        visibility: Visibility,
        tagged: bool,
        mentioned: usize,
    },
    /// Changes who can reply to the n-th status.
    Control(usize, Repliers),
    /// A person hides the n-th status as a reply, or shows it.
    Hide(usize, usize, bool),
    /// Replies to the n-th status, modulo their number.
    Reply {
        by: usize,
        nth: usize,
        visibility: Visibility,
    },
    Narrow {
        nth: usize,
        visibility: Visibility,
    },
    Delete(usize),
    Follow(usize, usize),
    Unfollow(usize, usize),
    Block(usize, usize),
    Unblock(usize, usize),
    Mute(usize, usize),
    Unmute(usize, usize),
    FollowTag(usize),
    MuteTag(usize),
    UnmuteTag(usize),
    Private(usize, bool),
    /// The host suspends or restores a person.
    Suspend(usize, bool),
    /// A person answers the request of another one.
    Answer(usize, usize, Answer),
    Compare,
}

pub fn step() -> impl Strategy<Value = Step> {
    let who = || 0..PEOPLE;
    let visibility = || prop::sample::select(Visibility::ALL.to_vec());
    prop_oneof![
        6 => (who(), visibility(), any::<bool>(), who())
            .prop_map(|(by, visibility, tagged, mentioned)| Step::Post { by, visibility, tagged, mentioned }),
        4 => (0..30_usize, prop::sample::select(Repliers::ALL.to_vec()))
            .prop_map(|(nth, repliers)| Step::Control(nth, repliers)),
        3 => (who(), 0..30_usize, any::<bool>())
            .prop_map(|(by, nth, is_hidden)| Step::Hide(by, nth, is_hidden)),
        8 => (who(), 0..30_usize, visibility())
            .prop_map(|(by, nth, visibility)| Step::Reply { by, nth, visibility }),
        4 => (0..30_usize, visibility()).prop_map(|(nth, visibility)| Step::Narrow { nth, visibility }),
        2 => (0..30_usize).prop_map(Step::Delete),
        8 => (who(), who()).prop_map(|(from, to)| Step::Follow(from, to)),
        3 => (who(), who()).prop_map(|(from, to)| Step::Unfollow(from, to)),
        2 => (who(), who()).prop_map(|(from, to)| Step::Block(from, to)),
        2 => (who(), who()).prop_map(|(from, to)| Step::Unblock(from, to)),
        1 => (who(), who()).prop_map(|(from, to)| Step::Mute(from, to)),
        1 => (who(), who()).prop_map(|(from, to)| Step::Unmute(from, to)),
        1 => who().prop_map(Step::FollowTag),
        1 => who().prop_map(Step::MuteTag),
        1 => who().prop_map(Step::UnmuteTag),
        2 => (who(), any::<bool>()).prop_map(|(who, is_private)| Step::Private(who, is_private)),
        2 => (who(), any::<bool>()).prop_map(|(who, is_suspended)| Step::Suspend(who, is_suspended)),
        3 => (who(), who(), prop::sample::select(vec![Answer::Accept, Answer::Refuse]))
            .prop_map(|(who, from, answer)| Step::Answer(who, from, answer)),
        2 => Just(Step::Compare),
    ]
}
