//! Imports of followed, blocked and muted people from a file. Each line is one ordinary operation, so a file that is
//! imported twice changes nothing the second time.

use crate::actions::{
    blocks::{Block, block},
    follows::{FilterChange, FilterOutcome, Follow, change_filter, follow},
    mutes::{Mute, mute},
};
use crate::{
    actions::prelude::*,
    domain::{FileLine, HomeFilter, LinePerson, Login, MuteTerm, PeopleFile},
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

/// Prepares the import of followed people. The home is dropped and rebuilt at the next visit, once and within the budget of
/// a rebuild. Otherwise each followed person would be merged into it.
pub async fn prepare(store: &Store, actor: impl Into<Actor>, file: PeopleFile) -> Result<()> {
    let actor = actor.into();
    if file != PeopleFile::Following {
        return Ok(());
    }
    store.check_session(&actor).await?;
    store.drop_home(actor.id()).await
}

/// Imports one line of a file.
pub async fn import_line(
    store: &Store,
    actor: impl Into<Actor>,
    file: PeopleFile,
    line: &FileLine,
) -> Result<Imported> {
    let login = match &line.person {
        LinePerson::Here(login) => login,
        LinePerson::Elsewhere => return Ok(Imported::Elsewhere),
        LinePerson::Invalid => return Ok(Imported::Invalid),
    };
    let actor = actor.into();
    match file {
        PeopleFile::Following => import_follow(store, actor, login, line.shows_reposts).await,
        PeopleFile::Blocked => import_block(store, actor, login).await,
        PeopleFile::Muted => import_mute(store, actor, login).await,
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
    let Some(person) = store.person_to_block(me, login).await? else {
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
async fn import_mute(store: &Store, actor: Actor, login: &Login) -> Result<Imported> {
    let viewer = Viewer::Member(actor.id());
    let Some(person) = store.find_user(viewer, login).await? else {
        return Ok(Imported::Unknown);
    };
    if store.mute_of(viewer, person.id).await?.is_some() {
        return Ok(Imported::Already);
    }
    Ok(
        match mute(store, actor, person.id, MuteTerm::Forever).await? {
            Mute::Done => Imported::Done,
            Mute::Oneself => Imported::Oneself,
            Mute::TooMany => Imported::TooMany,
        },
    )
}
