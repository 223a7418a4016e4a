//! Everything that a feature of the store is made of.

pub(super) use ::redis::{Cmd, Value};

pub(super) use super::{
    Actor, Call, Error, Key, OutboxEntry, Person, Relation, Result, Store, UnixMs, User, Viewer,
    VisibleStatus,
    cache::CachedRow,
    keys,
    redis::{
        commands::{all_members, range_by_score, scores, set_score, trim},
        connection::read,
        reply::{byte_count, outcomes},
        script_call::{TypedCall, expected, script_calls},
        scripts::With,
    },
    relation::Place,
    timelines::profiles::{older, status_ids, user_ids},
};
pub(super) use crate::domain::{
    Cursor, FoldedTag, ListId, Login, PAGE_SIZE, Page, StatusHeader, StatusId, StatusRef, Term,
    Thing, Timeline, UserId,
};
