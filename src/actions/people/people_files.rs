//! Imports of followed, blocked and muted people from a file. Each line is one ordinary operation, so a file that is
//! imported twice changes nothing the second time.

use crate::actions::{
    blocks::{Block, block},
    follows::{FilterChange, FilterOutcome, Follow, change_filter, follow},
    mutes::{Mute, mute_one_of_many},
};
use crate::{
    actions::prelude::*,
    domain::{FileLine, HomeFilter, LinePerson, Login, MuteTerm, PeopleFile, UnixMs},
};

/// The outcome of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Imported {
    Done,
    /// The account is private. The person was asked.
    Requested,
    /// The person was followed, blocked or muted before.
    Already,
    Oneself,
    /// The actor finds no person with this login.
    Unknown,
    /// The person has an account on another site.
    Elsewhere,
    /// The line has no address.
    Invalid,
    /// The actor has reached the limit.
    TooMany,
}

/// An import that has begun, with the reads that its lines share.
#[derive(Debug, Clone, Copy)]
pub enum Import {
    Following,
    Blocked,
    /// Mutes that ended before this time are removed.
    Muted {
        removable_until: UnixMs,
    },
}

/// Begins an import. For followed people, the home is dropped and rebuilt at the next visit, once and within the budget of
/// a rebuild. Otherwise each followed person would be merged into it.
pub async fn begin_import(
    store: &Store,
    actor: impl Into<Actor>,
    file: PeopleFile,
) -> Result<Import> {
    Ok(match file {
        PeopleFile::Following => {
            let actor = actor.into();
            store.check_session(&actor).await?;
            store.drop_home(actor.id()).await?;
            Import::Following
        }
        PeopleFile::Blocked => Import::Blocked,
        PeopleFile::Muted => Import::Muted {
            removable_until: store.removable_until().await,
        },
    })
}

/// Imports one line of a file.
pub async fn import_line(
    store: &Store,
    actor: impl Into<Actor>,
    import: Import,
    line: &FileLine,
) -> Result<Imported> {
    let login = match &line.person {
        LinePerson::Here(login) => login,
        LinePerson::Elsewhere => return Ok(Imported::Elsewhere),
        LinePerson::Invalid => return Ok(Imported::Invalid),
    };
    let actor = actor.into();
    match import {
        Import::Following => import_follow(store, actor, login, line.shows_reposts).await,
        Import::Blocked => import_block(store, actor, login).await,
        Import::Muted { removable_until } => {
            import_mute(store, actor, login, removable_until).await
        }
    }
}

async fn import_follow(
    store: &Store,
    actor: Actor,
    login: &Login,
    shows_reposts: bool,
) -> Result<Imported> {
    let me = actor.id();
    let Some(person) = store.find_user(Viewer::Member(me), login).await? else {
        return Ok(Imported::Unknown);
    };
    let relations = [
        Relation::Follow(me, person.id),
        Relation::FollowRequest(me, person.id),
    ];
    let was_set = store.have_relations(&relations).await?.contains(&true);
    let outcome = match follow(store, actor.clone(), person.id).await? {
        Follow::Oneself => return Ok(Imported::Oneself),
        Follow::Unknown => return Ok(Imported::Unknown),
        Follow::TooMany => return Ok(Imported::TooMany),
        Follow::Requested | Follow::Done if was_set => Imported::Already,
        Follow::Requested => return Ok(Imported::Requested),
        Follow::Done => Imported::Done,
    };
    if shows_reposts {
        return Ok(outcome);
    }
    // A request that waits has no choice about reposts.
    let hidden = FilterChange::Set(HomeFilter::HiddenReposts);
    match change_filter(store, actor, person.id, hidden).await? {
        FilterOutcome::Done | FilterOutcome::NotFollowing => Ok(outcome),
    }
}

async fn import_block(store: &Store, actor: Actor, login: &Login) -> Result<Imported> {
    let me = actor.id();
    let Some(person) = store.find_user_to_report(Viewer::Member(me), login).await? else {
        return Ok(Imported::Unknown);
    };
    if store.has_relation(&Relation::Block(me, person.id)).await? {
        return Ok(Imported::Already);
    }
    Ok(match block(store, actor, person.id).await? {
        Block::Done => Imported::Done,
        Block::Oneself => Imported::Oneself,
        Block::Unknown => Imported::Unknown,
        Block::TooMany => Imported::TooMany,
    })
}

/// Mutes a person until it is lifted. The file does not state an end, so an earlier mute keeps its own.
async fn import_mute(
    store: &Store,
    actor: Actor,
    login: &Login,
    removable_until: UnixMs,
) -> Result<Imported> {
    let viewer = Viewer::Member(actor.id());
    let Some(person) = store.find_user(viewer, login).await? else {
        return Ok(Imported::Unknown);
    };
    if store.mute_of(viewer, person.id).await?.is_some() {
        return Ok(Imported::Already);
    }
    let term = MuteTerm::Forever;
    let muted = mute_one_of_many(store, actor, person.id, term, removable_until).await?;
    Ok(match muted {
        Mute::Done => Imported::Done,
        Mute::Oneself => Imported::Oneself,
        Mute::TooMany => Imported::TooMany,
    })
}
