//! Everything that a module of invariants is made of.

pub(super) use super::{Invariant, scores::Members};
pub(super) use crate::{
    audit::{
        examination::{Examination, ExaminedStatus, Target},
        fault::{Fault, Subject, UserIds},
        names,
        repair::{self, Effect, RepairStep},
    },
    domain::{
        AccountState, AuthorPreference, FoldedTag, GroupId, Leaving, ListId, Login,
        NOTIFICATIONS_KEPT, Notification, NotificationKind, ProfileView, Relation, ReplyPosition,
        Seen, Sources, StatusHeader, StatusId, StatusRef, Task, Term, Thing, Timeline, UserId,
        all_terms_of, beginnings_of, terms_of,
    },
    store::{
        BacklogReader, Begin, Chunk, Class, Entry, FoundKey, IndexEntry, Key, KeyOwner, Life,
        ListState, Mark, PEOPLE_KEPT, Pages, Queue, RESERVED_LOGIN, Result, Row, Store, UnixMs,
        UserSnapshot, UserState,
    },
};
