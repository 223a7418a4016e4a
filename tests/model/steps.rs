//! What can be done to the network, drawn at random.

use proptest::prelude::*;

pub const PEOPLE: usize = 5;
pub const TAGS: [&str; 2] = ["birds", "\u{9CE5}"];
/// Lists that each of them has.
pub const LISTS: usize = 2;

#[derive(Debug, Clone)]
pub enum Step {
    Post {
        by: usize,
        count: usize,
        says: Says,
    },
    /// So many answers to the n-th newest status of all, counted round and round.
    Reply {
        by: usize,
        nth: usize,
        count: usize,
    },
    /// So many of somebody's statuses, from the n-th newest on.
    Delete {
        by: usize,
        nth: usize,
        count: usize,
    },
    /// A poll of two options.
    Poll(usize),
    /// Somebody votes in a poll, counted round and round.
    Vote {
        by: usize,
        nth: usize,
        option: usize,
    },
    /// Somebody corrects one of their statuses, counted round and round.
    Edit {
        by: usize,
        nth: usize,
    },
    /// Reposts the n-th newest of somebody's, without a comment or with one.
    Repost {
        by: usize,
        of: usize,
        nth: usize,
        comment: bool,
    },
    /// Takes a repost without a comment back.
    TakeBack {
        by: usize,
        nth: usize,
    },
    /// The reposts of one come to the home of another, or not.
    Hush {
        from: usize,
        to: usize,
        hide: bool,
    },
    Follow {
        from: usize,
        to: usize,
    },
    Unfollow {
        from: usize,
        to: usize,
    },
    FollowTag {
        reader: usize,
        tag: usize,
    },
    UnfollowTag {
        reader: usize,
        tag: usize,
    },
    /// Changes one of the lists that everybody has.
    List {
        owner: usize,
        list: usize,
        change: Change,
    },
    /// A page of a home, while passes may be under way.
    ReadHome {
        reader: usize,
        from: Place,
    },
    ReadList {
        owner: usize,
        list: usize,
        from: Place,
    },
    /// A page of what search finds: by somebody or by anybody, every line or the rare ones.
    Search {
        by: Option<usize>,
        rare: bool,
        from: Place,
    },
    /// A reader's visit ends.
    Pause(usize),
    /// A reader is away for so long that home and lists go dormant.
    Leave(usize),
    /// The worker does so many tasks.
    Work(usize),
    /// The worker does all that there is to do.
    Drain,
    /// Everybody reads everything, when all passes are done.
    Look,
}

/// What a status says.
#[derive(Debug, Clone, Copy)]
pub struct Says {
    /// Which of the tags it has.
    pub tags: [bool; TAGS.len()],
    pub mentions: Option<usize>,
}

#[derive(Debug, Clone, Copy)]
pub enum Change {
    Add(usize),
    Remove(usize),
    Exclusive(bool),
    Rename,
    /// It is deleted, and another is made in its place.
    Renew,
}

/// Where a page begins.
#[derive(Debug, Clone, Copy)]
pub enum Place {
    Top,
    /// Below the n-th of what is there, counted round and round.
    Below(usize),
    /// Where no status is: between that one and the next.
    Between(usize),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        5 => (0..PEOPLE).prop_map(Change::Add),
        2 => (0..PEOPLE).prop_map(Change::Remove),
        2 => any::<bool>().prop_map(Change::Exclusive),
        1 => Just(Change::Rename),
        1 => Just(Change::Renew),
    ]
}

fn place() -> impl Strategy<Value = Place> {
    prop_oneof![
        4 => Just(Place::Top),
        2 => (0..200_usize).prop_map(Place::Below),
        1 => (0..200_usize).prop_map(Place::Between),
    ]
}

fn says() -> impl Strategy<Value = Says> {
    let tags = prop_oneof![
        3 => Just([false; TAGS.len()]),
        2 => any::<[bool; TAGS.len()]>(),
    ];
    let mentions = prop::option::weighted(0.2, 0..PEOPLE);
    (tags, mentions).prop_map(|(tags, mentions)| Says { tags, mentions })
}

pub fn step() -> impl Strategy<Value = Step> {
    let who = || 0..PEOPLE;
    let some = prop_oneof![3 => 1..3_usize, 1 => 20..40_usize];
    prop_oneof![
        8 => (who(), 1..12_usize, says())
            .prop_map(|(by, count, says)| Step::Post { by, count, says }),
        8 => (who(), 0..20_usize, 1..6_usize)
            .prop_map(|(by, nth, count)| Step::Reply { by, nth, count }),
        3 => (who(), 0..TAGS.len()).prop_map(|(reader, tag)| Step::FollowTag { reader, tag }),
        2 => (who(), 0..TAGS.len()).prop_map(|(reader, tag)| Step::UnfollowTag { reader, tag }),
        4 => (who(), 0..60_usize, some).prop_map(|(by, nth, count)| Step::Delete { by, nth, count }),
        3 => who().prop_map(Step::Poll),
        5 => (who(), 0..10_usize, 0..2_usize)
            .prop_map(|(by, nth, option)| Step::Vote { by, nth, option }),
        3 => (who(), 0..60_usize).prop_map(|(by, nth)| Step::Edit { by, nth }),
        8 => (who(), who(), 0..12_usize, prop::bool::weighted(0.2))
            .prop_map(|(by, of, nth, comment)| Step::Repost { by, of, nth, comment }),
        2 => (who(), 0..9_usize).prop_map(|(by, nth)| Step::TakeBack { by, nth }),
        2 => (who(), who(), any::<bool>())
            .prop_map(|(from, to, hide)| Step::Hush { from, to, hide }),
        5 => (who(), who()).prop_map(|(from, to)| Step::Follow { from, to }),
        3 => (who(), who()).prop_map(|(from, to)| Step::Unfollow { from, to }),
        10 => (who(), 0..LISTS, change())
            .prop_map(|(owner, list, change)| Step::List { owner, list, change }),
        8 => (who(), place()).prop_map(|(reader, from)| Step::ReadHome { reader, from }),
        3 => (who(), 0..LISTS, place())
            .prop_map(|(owner, list, from)| Step::ReadList { owner, list, from }),
        4 => (prop::option::of(who()), any::<bool>(), place())
            .prop_map(|(by, rare, from)| Step::Search { by, rare, from }),
        3 => who().prop_map(Step::Pause),
        2 => who().prop_map(Step::Leave),
        4 => (1..6_usize).prop_map(Step::Work),
        3 => Just(Step::Drain),
        1 => Just(Step::Look),
    ]
}
