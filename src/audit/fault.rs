//! Faults: the broken invariant, its subject and its repair. Also the findings of an examination.

use std::{
    collections::BTreeMap,
    fmt,
    hash::{BuildHasher, BuildHasherDefault, DefaultHasher},
};

use super::Invariant;
use crate::{
    domain::{FoldedTag, ListId, Login, StatusId, Task, Term, Thing, Timeline, UserId},
    store::{Chunk, Entry, Key},
};

/// A thing that is examined by itself, and again if a fault was found.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Subject {
    Person(UserId),
    Status(StatusId),
    /// The people listed as having favourited a status.
    FavouritedBy(StatusId),
    /// The votes in its poll.
    Ballots(StatusId),
    /// The reposts and quotes listed under a status.
    Reposts(StatusId),
    /// The statuses listed under a tag.
    Tagged(FoldedTag),
    /// The people listed as followers of a tag.
    TagFollowers(FoldedTag),
    /// The replies listed under a status.
    Answers(StatusId),
    /// The gaps listed under a status.
    Gaps(StatusId),
    /// A login, in lower case.
    Login(String),
    /// Type, owner and lifetime of a key.
    Key(String),
    /// The chunks of a term's postings.
    Chunks(Term),
    Postings(Chunk),
    /// Names that start with a letter.
    Names(char),
    Newest,
    MostFollowed,
    /// The counter of user ids, which must have reached the largest of these.
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

/// The two largest user ids met. One far above the other was never drawn.
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

/// A subject of an operation under way.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Concern {
    Status(StatusId),
    Edge(UserId, UserId),
    FollowersOf(UserId),
    Account(UserId),
    /// A login, in lower case.
    Login(String),
    Timeline(Timeline),
    ListMembership(ListId, UserId),
    List(ListId),
    Favourite(UserId, StatusId),
    Repost(UserId, StatusId),
    TagFollow(UserId, FoldedTag),
}

impl Concern {
    /// Returns the subjects that a task or outbox entry will reconcile.
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

/// The repair of a fault. A source of truth is never invented: if it exists, its copies follow it; if it
/// is missing, they go. A repair that removes a source of truth needs the operator's word that nothing
/// will be restored.
#[derive(Debug, Clone)]
pub(super) enum Remedy {
    /// No repair: the fault is only reported.
    None,
    Status(StatusId),
    /// Forgets the progress and delivers the status again to all.
    DeliverAnew(StatusId),
    Edge(UserId, UserId),
    /// Removes a follow of a missing person or of oneself.
    ClearEdge(UserId, UserId),
    Recount(UserId),
    /// Sets the last drawn id to at least the newest living status and at most the largest possible id.
    SettleLast {
        of: UserId,
        newest: u64,
        largest: u64,
    },
    Rebuild(Timeline),
    ListMembership(ListId, UserId),
    /// Removes a missing person from a list.
    RemoveMember(ListId, UserId),
    /// Clears a list that was deleted and not cleared.
    ClearList(ListId),
    RecountExcluded(UserId),
    Favourite(UserId, StatusId),
    /// Reconciles a claim to repost a status.
    Repost(UserId, StatusId),
    /// Removes a repost or quote from its original, which lists it wrongly.
    ForgetRepost(StatusId, StatusId, Option<UserId>),
    /// Deletes the reposts of a dead status.
    TakeAlong(StatusId),
    TagFollow(UserId, FoldedTag),
    RecountStatus(StatusId),
    /// Counts the votes of a poll again.
    RecountBallots(StatusId),
    /// Puts the second status into its position under the first.
    Answer(StatusId, StatusId),
    /// Indexes a status by its current text.
    Index(StatusId),
    /// Removes a wrong member from a chunk.
    DropPosting(Chunk, String),
    /// Removes the bound of an empty chunk.
    DropChunk(Chunk),
    OrderChunks(Term),
    /// Indexes a person by their current names.
    Names(UserId),
    DropName(char, String),
    /// Corrects ids and times in the reading progress.
    Reading(UserId),
    /// Removes a preference for a person who is not followed.
    DropWeight(UserId, String),
    /// Removes the read marker of notifications.
    ForgetNoticed(UserId),
    TrimNotifications(UserId),
    DropMember(Key, String),
    TrimSuggested(Key),
    Respace(Key, String),
    /// Adds a person to the newest people.
    Welcome(UserId),
    /// Ranks a person among the most followed by their number of followers.
    Rank(UserId, u64),
    /// Frees a login that names a person with another login.
    ReleaseLogin(Login, String),
    GiveLoginBack(UserId, Login),
    /// Removes a sign-up that came second and has no data.
    TakeBack(UserId, Login),
    Unlink(String),
    Persist(String),
    Expire(String, u64),
    AgeStatus(StatusId),
    RaiseCounter(UserId),
    /// Does work that no worker handles.
    Work,
    Revive(Entry),
}

impl Remedy {
    /// Returns whether it removes a source of truth because another one is missing. That one may be
    /// restored later.
    pub(super) fn drops_orphans(&self) -> bool {
        match self {
            Self::ClearEdge(from, to) => from != to,
            Self::ReleaseLogin(..) | Self::TakeBack(..) => true,
            _ => false,
        }
    }

    /// Returns whether it changes or removes a source of truth.
    pub(super) fn touches_truth(&self) -> bool {
        self.drops_orphans()
            || matches!(
                self,
                Self::ClearEdge(..)
                    | Self::DropMember(
                        Key::Following(_)
                            | Key::Favourites(_)
                            | Key::Bookmarks(_)
                            | Key::FollowedTags(_)
                            | Key::HiddenReposts(_)
                            | Key::Ballots(_),
                        _
                    )
                    | Self::Respace(
                        Key::Following(_)
                            | Key::Favourites(_)
                            | Key::Bookmarks(_)
                            | Key::FollowedTags(_),
                        _
                    )
                    | Self::Reading(_)
                    | Self::DropWeight(..)
                    | Self::ForgetNoticed(_)
            )
    }
}

/// A broken invariant.
#[derive(Debug, Clone)]
pub(super) struct Fault {
    pub(super) invariant: Invariant,
    pub(super) subject: Subject,
    /// Description of the fault, equal at each look. With the invariant it identifies the fault.
    pub(super) what: String,
    /// Numbers that differ from look to look.
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

    /// Ignores the fault while an operation about one of these is under way.
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

    /// Returns a short identity that is equal at each look.
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

/// Maximum number of faults recorded per subject, such as a person or queue. Further ones are found
/// after repairs.
const FAULTS_OF_ONE: usize = 5000;

/// Number of examined items and the faults found.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) examined: BTreeMap<Invariant, u64>,
    pub(super) faults: Vec<Fault>,
    /// Ids of existing and former people.
    pub(super) ids: Ids,
}

impl Findings {
    pub(super) fn examined(&mut self, invariant: Invariant, count: usize) {
        *self.examined.entry(invariant).or_default() += count as u64;
    }

    pub(super) fn found(&mut self, fault: Fault) {
        if self.faults.len() < FAULTS_OF_ONE {
            self.faults.push(fault);
        }
    }

    /// Returns the approximate number of rows read.
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
