//! Everything that an action is made of.

pub(super) use crate::{
    domain::{
        FoldedTag, IdempotencyKey, ListId, StatusHeader, StatusId, StatusRef, Task, Thing,
        Timeline, UserId,
    },
    store::{Actor, Call, Error, Life, Relation, Result, SetOutcome, Store, Viewer, VisibleStatus},
};
