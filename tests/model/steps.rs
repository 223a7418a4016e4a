//! Operations on the network, drawn at random.

use proptest::prelude::*;
use redwing::domain::{Choice, Collection};

pub const PEOPLE: usize = 5;
pub const TAGS: [&str; 2] = ["birds", "\u{9CE5}"];
/// Number of lists of each person.
pub const LISTS: usize = 2;

#[derive(Debug, Clone)]
pub enum Step {
    Post {
        by: usize,
        count: usize,
        content: Content,
    },
    /// Adds this many replies to the n-th newest status of all, modulo their number.
    Reply {
        by: usize,
        nth: usize,
        count: usize,
        mentions: Option<usize>,
    },
    /// Deletes this many of a person's statuses, from the n-th newest on.
    Delete {
        by: usize,
        nth: usize,
        count: usize,
    },
    Poll {
        by: usize,
        options: usize,
        choice: Choice,
    },
    /// Votes in the n-th poll, modulo their number; one bit for each option.
    Vote {
        by: usize,
        nth: usize,
        bits: u64,
    },
    /// Ends the n-th poll, modulo their number.
    End(usize),
    /// Edits one of a person's statuses, modulo their number.
    Edit {
        by: usize,
        nth: usize,
        content: Content,
    },
    /// Saves this many statuses, from the n-th newest of all on, modulo their number.
    Save {
        by: usize,
        nth: usize,
        count: usize,
        collection: Collection,
    },
    /// Removes one saved status.
    Unsave {
        by: usize,
        nth: usize,
        collection: Collection,
    },
    /// Reposts or quotes the n-th newest status of a person.
    Repost {
        by: usize,
        of: usize,
        nth: usize,
        comment: bool,
    },
    /// Takes a plain repost back.
    UndoRepost {
        by: usize,
        nth: usize,
    },
    /// Hides or shows one person's reposts on another person's home.
    SetHiddenReposts {
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
    /// Posts in the group of the network, if the person is a member.
    PostInGroup {
        by: usize,
        count: usize,
        content: Content,
    },
    /// Changes what connects a person with the group.
    Group {
        who: usize,
        change: GroupChange,
    },
    /// Changes one of a person's lists.
    List {
        owner: usize,
        list: usize,
        change: Change,
    },
    /// Reads a page of a home while passes may be pending.
    ReadHome {
        reader: usize,
        from: Place,
    },
    ReadList {
        owner: usize,
        list: usize,
        from: Place,
    },
    /// Reads a page of search results, by one author or by anyone.
    Search {
        by: Option<usize>,
        wanted: SearchTerm,
        from: Place,
    },
    /// Reads the first page of a person's notifications.
    ReadNotifications(usize),
    /// Pauses until the visit to the notifications ends.
    PauseNotifications(usize),
    /// Ends a reader's visit.
    Pause(usize),
    /// Keeps a reader away until home and lists become dormant.
    BecomeDormant(usize),
    /// Runs this many tasks of the worker.
    RunTasks(usize),
    /// Runs all tasks of the worker.
    Drain,
    /// Compares everything, after all passes are done.
    CompareAll,
}

/// Content of a status.
#[derive(Debug, Clone, Copy, Default)]
pub struct Content {
    /// Which of the tags it has.
    pub tags: [bool; TAGS.len()],
    pub mentions: Option<usize>,
    /// Whether the text is behind a warning.
    pub warned: bool,
}

/// Search terms.
#[derive(Debug, Clone, Copy)]
pub enum SearchTerm {
    /// The text of every status.
    Line,
    /// A phrase that some statuses contain.
    Rare,
    Tag(usize),
    /// Before a past day on which some statuses were posted.
    Before,
    /// On or after that day.
    Since,
}

#[derive(Debug, Clone, Copy)]
pub enum Change {
    Add(usize),
    Remove(usize),
    Exclusive(bool),
    Rename,
    /// Deletes the list and creates another one.
    Renew,
}

#[derive(Debug, Clone, Copy)]
pub enum GroupChange {
    Join,
    Leave,
    /// Posts come to the home, or only to the page of the group.
    Home(bool),
}

/// Start of a page.
#[derive(Debug, Clone, Copy)]
pub enum Place {
    Top,
    /// Below the n-th of the existing ids, modulo their number.
    Below(usize),
    /// Between the n-th id and the next one, where no status is.
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

fn group_change() -> impl Strategy<Value = GroupChange> {
    prop_oneof![
        3 => Just(GroupChange::Join),
        1 => Just(GroupChange::Leave),
        2 => any::<bool>().prop_map(GroupChange::Home),
    ]
}

fn place() -> impl Strategy<Value = Place> {
    prop_oneof![
        4 => Just(Place::Top),
        2 => (0..200_usize).prop_map(Place::Below),
        1 => (0..200_usize).prop_map(Place::Between),
    ]
}

impl SearchTerm {
    pub const ALL: [Self; 6] = [
        Self::Line,
        Self::Rare,
        Self::Tag(0),
        Self::Tag(1),
        Self::Before,
        Self::Since,
    ];
}

impl Content {
    /// Returns the rest of a status's text, after the common words.
    pub fn tail(self) -> String {
        let tags = (0..TAGS.len()).filter(|tag| self.tags[*tag]);
        let tags = tags.map(|tag| format!(" #{}", TAGS[tag]));
        let mention = self.mentions.map(|who| format!(" @person_{who}"));
        tags.chain(mention).collect()
    }
}

fn content() -> impl Strategy<Value = Content> {
    let tags = prop_oneof![
        3 => Just([false; TAGS.len()]),
        2 => any::<[bool; TAGS.len()]>(),
    ];
    let mentions = prop::option::weighted(0.3, 0..PEOPLE);
    let warned = prop::bool::weighted(0.2);
    (tags, mentions, warned).prop_map(|(tags, mentions, warned)| Content {
        tags,
        mentions,
        warned,
    })
}

/// Steps that concern one status, or one person's notifications.
fn other_step() -> impl Strategy<Value = Step> {
    let who = || 0..PEOPLE;
    let collection = || prop::sample::select(Collection::ALL.to_vec());
    let choice = prop::sample::select(vec![Choice::One, Choice::Several]);
    let count = prop_oneof![3 => 1..3_usize, 1 => 20..40_usize];
    prop_oneof![
        3 => (who(), 2..5_usize, choice)
            .prop_map(|(by, options, choice)| Step::Poll { by, options, choice }),
        7 => (who(), 0..10_usize, 1..16_u64)
            .prop_map(|(by, nth, bits)| Step::Vote { by, nth, bits }),
        1 => (0..10_usize).prop_map(Step::End),
        4 => (who(), 0..60_usize, content()).prop_map(|(by, nth, content)| Step::Edit { by, nth, content }),
        9 => (who(), 0..90_usize, count, collection())
            .prop_map(|(by, nth, count, collection)| Step::Save { by, nth, count, collection }),
        4 => (who(), 0..90_usize, collection())
            .prop_map(|(by, nth, collection)| Step::Unsave { by, nth, collection }),
        5 => who().prop_map(Step::ReadNotifications),
        3 => who().prop_map(Step::PauseNotifications),
    ]
}

pub fn step() -> impl Strategy<Value = Step> {
    let who = || 0..PEOPLE;
    let some = prop_oneof![3 => 1..3_usize, 1 => 20..40_usize];
    let mentions = prop::option::weighted(0.2, who());
    let wanted = prop::sample::select(SearchTerm::ALL.to_vec());
    prop_oneof![
        30 => other_step(),
        8 => (who(), 1..12_usize, content())
            .prop_map(|(by, count, content)| Step::Post { by, count, content }),
        8 => (who(), 0..20_usize, 1..6_usize, mentions)
            .prop_map(|(by, nth, count, mentions)| Step::Reply { by, nth, count, mentions }),
        3 => (who(), 0..TAGS.len()).prop_map(|(reader, tag)| Step::FollowTag { reader, tag }),
        2 => (who(), 0..TAGS.len()).prop_map(|(reader, tag)| Step::UnfollowTag { reader, tag }),
        4 => (who(), 0..60_usize, some).prop_map(|(by, nth, count)| Step::Delete { by, nth, count }),
        8 => (who(), who(), 0..12_usize, prop::bool::weighted(0.2))
            .prop_map(|(by, of, nth, comment)| Step::Repost { by, of, nth, comment }),
        2 => (who(), 0..9_usize).prop_map(|(by, nth)| Step::UndoRepost { by, nth }),
        2 => (who(), who(), any::<bool>())
            .prop_map(|(from, to, hide)| Step::SetHiddenReposts { from, to, hide }),
        5 => (who(), who()).prop_map(|(from, to)| Step::Follow { from, to }),
        3 => (who(), who()).prop_map(|(from, to)| Step::Unfollow { from, to }),
        5 => (who(), 1..12_usize, content())
            .prop_map(|(by, count, content)| Step::PostInGroup { by, count, content }),
        6 => (who(), group_change()).prop_map(|(who, change)| Step::Group { who, change }),
        10 => (who(), 0..LISTS, change())
            .prop_map(|(owner, list, change)| Step::List { owner, list, change }),
        8 => (who(), place()).prop_map(|(reader, from)| Step::ReadHome { reader, from }),
        3 => (who(), 0..LISTS, place())
            .prop_map(|(owner, list, from)| Step::ReadList { owner, list, from }),
        5 => (prop::option::of(who()), wanted, place())
            .prop_map(|(by, wanted, from)| Step::Search { by, wanted, from }),
        3 => who().prop_map(Step::Pause),
        2 => who().prop_map(Step::BecomeDormant),
        4 => (1..6_usize).prop_map(Step::RunTasks),
        3 => Just(Step::Drain),
        1 => Just(Step::CompareAll),
    ]
}
