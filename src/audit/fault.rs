//! A fault: what does not hold, about what, and how it is mended. And the looks that find them.

use std::{
    collections::BTreeMap,
    fmt,
    hash::{BuildHasher, BuildHasherDefault, DefaultHasher},
};

use super::Invariant;
use crate::{
    domain::{FoldedTag, ListId, Login, StatusId, Task, Term, Thing, Timeline, UserId},
    store::{Chunk, Entry, Place},
};

/// What is looked at by itself, and again where something about it seemed wrong.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Subject {
    Person(UserId),
    Status(StatusId),
    /// Who is said to favour a status.
    FavouritedBy(StatusId),
    /// How people voted in its poll.
    Ballots(StatusId),
    /// What is said to repost a status, with a comment or without.
    Reposts(StatusId),
    /// The statuses with a tag.
    Tagged(FoldedTag),
    /// Who is said to follow a tag.
    TagFollowers(FoldedTag),
    /// What is said to answer a status.
    Answers(StatusId),
    /// What of it is said to be a gap.
    Gaps(StatusId),
    /// By its folded name.
    Login(String),
    /// Type, owner and lifetime of a key.
    Key(String),
    /// Which chunks of postings a term has.
    Chunks(Term),
    Postings(Chunk),
    /// Names that begin with a letter.
    Names(char),
    Newest,
    MostFollowed,
    /// The counter of user ids must have reached the largest of these.
    Counter(Ids),
    Tasks,
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Person(id) => write!(f, "user {id}"),
            Self::Status(id) => write!(f, "status {id}"),
            Self::FavouritedBy(id) => write!(f, "who favours status {id}"),
            Self::Ballots(id) => write!(f, "the ballots of status {id}"),
            Self::Reposts(id) => write!(f, "what reposts status {id}"),
            Self::Tagged(tag) => write!(f, "what is tagged {tag}"),
            Self::TagFollowers(tag) => write!(f, "who follows tag {tag}"),
            Self::Answers(id) => write!(f, "what answers status {id}"),
            Self::Gaps(id) => write!(f, "gaps under status {id}"),
            Self::Login(folded) => write!(f, "login {folded}"),
            Self::Key(name) => f.write_str(name),
            Self::Chunks(term) => write!(f, "the chunks of {}", term.as_str()),
            Self::Postings(chunk) => {
                write!(f, "posts with {} from {}", chunk.term.as_str(), chunk.bound)
            }
            Self::Names(letter) => write!(f, "names that begin with {letter}"),
            Self::Newest => f.write_str("the newest people"),
            Self::MostFollowed => f.write_str("the most followed people"),
            Self::Counter(_) => f.write_str("the counter of user ids"),
            Self::Tasks => f.write_str("what waits to be done"),
        }
    }
}

/// The two largest ids of people that were met. One far above the other is no id that was drawn.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Ids {
    pub(super) largest: u64,
    pub(super) second: u64,
}

impl Ids {
    pub(super) fn add(&mut self, id: u64) {
        if id > self.largest {
            (self.largest, self.second) = (id, self.largest);
        } else if id < self.largest {
            self.second = self.second.max(id);
        }
    }
}

/// What an operation under way can be about.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Concern {
    Status(StatusId),
    Edge(UserId, UserId),
    FollowersOf(UserId),
    Account(UserId),
    /// By its folded name.
    Login(String),
    Timeline(Timeline),
    ListMembership(ListId, UserId),
    List(ListId),
    Favourite(UserId, StatusId),
    Repost(UserId, StatusId),
    TagFollow(UserId, FoldedTag),
}

impl Concern {
    /// What a task or reminder will bring in order.
    pub(super) fn of(task: &Task) -> Vec<Self> {
        match task {
            Task::Deliver { status, .. } | Task::Withdraw { status, .. } => {
                vec![Self::Status(*status)]
            }
            Task::TakeAlong { original, .. } => vec![Self::Status(*original)],
            Task::Index(id) => vec![Self::Status(*id)],
            Task::Rebuild(timeline) => vec![Self::Timeline(*timeline)],
            Task::Reconcile(Thing::Status(id)) => vec![Self::Status(*id)],
            Task::Reconcile(Thing::Edge(from, to)) => {
                vec![Self::Edge(*from, *to), Self::FollowersOf(*to)]
            }
            Task::Reconcile(Thing::Account(id, login)) => {
                vec![Self::Account(*id), Self::Login(login.folded())]
            }
            Task::Reconcile(Thing::ListMembership(list, member)) => {
                vec![Self::ListMembership(*list, *member)]
            }
            Task::Reconcile(Thing::List(list)) => vec![Self::List(*list)],
            Task::Reconcile(Thing::Favourite(by, id)) => vec![Self::Favourite(*by, *id)],
            Task::Reconcile(Thing::Repost(by, id)) => vec![Self::Repost(*by, *id)],
            Task::Reconcile(Thing::TagFollow(who, tag)) => vec![
                Self::TagFollow(*who, tag.clone()),
                Self::Timeline(Timeline::Home(*who)),
            ],
            Task::Reconcile(Thing::Names(who)) => vec![Self::Account(*who)],
        }
    }
}

/// How a fault is mended. Truth is never invented: where it is there, its copies are brought to it;
/// where it is absent, they go. What takes truth away is done only where the one who runs the site
/// says that it is not to be restored.
#[derive(Debug, Clone)]
pub(super) enum Remedy {
    /// What could mend it is not there: it is only reported.
    None,
    Status(StatusId),
    /// It forgets how far it has come, and comes to everybody.
    DeliverAnew(StatusId),
    Edge(UserId, UserId),
    /// An edge to nobody, or to oneself, leads nowhere.
    ClearEdge(UserId, UserId),
    Recount(UserId),
    /// The last id drawn is at least the newest living status, and no more than can be.
    SettleLast {
        of: UserId,
        newest: u64,
        largest: u64,
    },
    Rebuild(Timeline),
    ListMembership(ListId, UserId),
    /// Nobody is there to stand in it.
    RemoveMember(ListId, UserId),
    /// A list that was deleted and not cleared.
    ClearList(ListId),
    RecountExcluded(UserId),
    Favourite(UserId, StatusId),
    /// A claim to repost a status without one that does.
    Repost(UserId, StatusId),
    /// An original's side of a repost that is none: of somebody's, or of a quote.
    ForgetRepost(StatusId, StatusId, Option<UserId>),
    /// What reposts a dead status.
    TakeAlong(StatusId),
    TagFollow(UserId, FoldedTag),
    RecountStatus(StatusId),
    /// What a poll comes to.
    RecountBallots(StatusId),
    /// The second is put where it belongs under the first.
    Answer(StatusId, StatusId),
    /// A status is found by its text as it is.
    Index(StatusId),
    /// Something that does not belong into a chunk.
    DropPosting(Chunk, String),
    /// The bound of a chunk that is empty.
    DropChunk(Chunk),
    OrderChunks(Term),
    /// A person is found by their names as they are.
    Names(UserId),
    DropName(char, String),
    /// What is remembered names ids and times that can be.
    Reading(UserId),
    /// Somebody is followed, or not weighed.
    DropWeight(UserId, String),
    /// Nobody knows how far they read what they were told.
    ForgetNoticed(UserId),
    TrimNotifications(UserId),
    DropMember(Place, String),
    TrimSuggested(Place),
    Respace(Place, String),
    /// A person's place among the newest.
    Welcome(UserId),
    /// A person's place among the most followed, by their number of followers.
    Rank(UserId, u64),
    /// What it holds names nobody who names it back.
    ReleaseLogin(Login, String),
    GiveLoginBack(UserId, Login),
    /// A sign-up that came second, with nothing to lose.
    TakeBack(UserId, Login),
    Unlink(String),
    Persist(String),
    Expire(String, u64),
    AgeStatus(StatusId),
    RaiseCounter(UserId),
    /// Work that nobody was at.
    Work,
    Revive(Entry),
}

impl Remedy {
    /// It takes truth away because other truth that it names is not there. That may only be lost
    /// until it is restored.
    pub(super) fn drops_orphans(&self) -> bool {
        match self {
            Self::ClearEdge(from, to) => from != to,
            Self::ReleaseLogin(..) | Self::TakeBack(..) => true,
            _ => false,
        }
    }

    /// It changes or takes away what is truth, if only in its form.
    pub(super) fn touches_truth(&self) -> bool {
        self.drops_orphans()
            || matches!(
                self,
                Self::ClearEdge(..)
                    | Self::DropMember(
                        Place::Following(_)
                            | Place::Collection(..)
                            | Place::Tags(_)
                            | Place::HiddenReposts(_)
                            | Place::Ballots(_),
                        _
                    )
                    | Self::Respace(
                        Place::Following(_) | Place::Collection(..) | Place::Tags(_),
                        _
                    )
                    | Self::Reading(_)
                    | Self::DropWeight(..)
                    | Self::ForgetNoticed(_)
            )
    }
}

/// Something that does not hold.
#[derive(Debug, Clone)]
pub(super) struct Fault {
    pub(super) invariant: Invariant,
    pub(super) subject: Subject,
    /// What is wrong; the same words at each look, and with the invariant its identity.
    pub(super) what: String,
    /// What differs from look to look: numbers.
    pub(super) detail: String,
    pub(super) concerns: Vec<Concern>,
    pub(super) remedy: Remedy,
}

impl Fault {
    pub(super) fn new(invariant: Invariant, subject: Subject, what: impl Into<String>) -> Self {
        Self {
            invariant,
            subject,
            what: what.into(),
            detail: String::new(),
            concerns: Vec::new(),
            remedy: Remedy::None,
        }
    }

    pub(super) fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = detail.into();
        self
    }

    /// It is none while an operation is under way that is about one of these.
    pub(super) fn unless(mut self, concerns: impl IntoIterator<Item = Concern>) -> Self {
        self.concerns.extend(concerns);
        self
    }

    pub(super) fn repair_by(mut self, remedy: Remedy) -> Self {
        self.remedy = remedy;
        self
    }

    pub(super) fn is_repairable(&self) -> bool {
        !matches!(self.remedy, Remedy::None)
    }

    /// The same at each look, in few bytes.
    pub(super) fn identity(&self) -> u64 {
        BuildHasherDefault::<DefaultHasher>::default().hash_one((self.invariant, &self.what))
    }

    pub(super) fn words(&self) -> String {
        if self.detail.is_empty() {
            self.what.clone()
        } else {
            format!("{}: {}", self.what, self.detail)
        }
    }
}

/// Faults that are noted of one thing: people, queues. The others are found when these are mended.
const FAULTS_OF_ONE: usize = 5000;

/// What was examined and what seemed wrong.
#[derive(Debug, Default)]
pub(super) struct Look {
    pub(super) examined: BTreeMap<Invariant, u64>,
    pub(super) faults: Vec<Fault>,
    /// Of people who are there, or were.
    pub(super) ids: Ids,
}

impl Look {
    pub(super) fn examined(&mut self, invariant: Invariant, count: usize) {
        *self.examined.entry(invariant).or_default() += count as u64;
    }

    pub(super) fn found(&mut self, fault: Fault) {
        if self.faults.len() < FAULTS_OF_ONE {
            self.faults.push(fault);
        }
    }

    /// How many rows were read, about.
    pub(super) fn rows(&self) -> u64 {
        self.examined.values().sum()
    }

    pub(super) fn add(&mut self, other: Self) {
        for (invariant, count) in other.examined {
            *self.examined.entry(invariant).or_default() += count;
        }
        self.faults.extend(other.faults);
        self.ids.add(other.ids.second);
        self.ids.add(other.ids.largest);
    }
}
