//! A post in a large group: time until the response, until the last home has it, and until its deletion has left them.

use std::time::Instant;

use futures_util::{StreamExt, TryStreamExt, stream};
use redwing::{
    actions::groups::{Found, Join, found, join},
    domain::{
        GroupId, GroupKind, GroupName, GroupReaders, GroupSlug, IdempotencyKey, Joining, Past,
        UserId,
    },
    store::{GroupDraft, GroupSettings},
};

use crate::{
    actions::Actions,
    redis::Outcome,
    results::{Row, format_thousands},
    spread::Spread,
    world::{World, ms},
};

const PART: &str = "Groups";
/// Members of the group: as many as a group can have.
const MEMBERS: u64 = 10_000;
/// Followers of the star whose posts are the reference.
const AUDIENCE: u64 = 1000;
/// Number of concurrent joins.
const JOINS: usize = 32;

/// Figures of one post, in ms.
struct Figures {
    to_followers: f64,
    answered: f64,
    everywhere: f64,
    delete_answered: f64,
    cleaned: f64,
}

pub fn run(world: &mut World, rounds: usize) -> Outcome<Vec<Row>> {
    let members = MEMBERS.min(world.network.people);
    let owner = world.network.star(0)?.uid;
    let group = found_with_members(&Actions::on(&world.site)?, owner, members)?;
    let last = world.redis.texts(&[
        &"ZRANGE",
        &format!("group:{{{group}}}:home"),
        &0,
        &0,
        &"REV",
    ])?;
    let last = last.first().ok_or("the group has members")?.parse()?;
    let figures: Outcome<Vec<Figures>> = (0..rounds)
        .map(|_| post_and_delete(world, (owner, group), last))
        .collect();
    Ok(rows(&figures?, members))
}

/// Founds a group that the first people of the network join.
fn found_with_members(actions: &Actions, owner: u64, members: u64) -> Outcome<GroupId> {
    let store = &actions.store;
    let draft = GroupDraft {
        slug: GroupSlug::parse("bench-group")?,
        kind: GroupKind::Public,
        readable_by: GroupReaders::Members,
        settings: GroupSettings {
            name: GroupName::parse("Everyone")?,
            description: Default::default(),
            rules: Default::default(),
            joining: Joining::Open,
            past: Past::Whole,
            is_unlisted: false,
            closes_replies: false,
        },
    };
    let key = IdempotencyKey::draw();
    let Found::Founded(group) = actions.run(found(store, UserId::new(owner)?, &draft, &key))?
    else {
        return Err("the group is not founded".into());
    };
    // The owner is a member.
    let people = (1..members).map(UserId::new);
    let people: Vec<UserId> = people.collect::<Result<_, _>>()?;
    let joins = stream::iter(people)
        .map(|person| join(store, person, group))
        .buffer_unordered(JOINS)
        .try_collect::<Vec<Join>>();
    let joined = actions.run(joins)?;
    match joined.iter().all(|joined| *joined == Join::Joined) {
        true => Ok(group),
        false => Err("people cannot join the group".into()),
    }
}

/// Posts to the reference audience and to the group. Deletes the post of the group, so other parts find the same homes.
fn post_and_delete(
    world: &mut World,
    (owner, group): (u64, GroupId),
    last: u64,
) -> Outcome<Figures> {
    let star = world.network.star(AUDIENCE)?.clone();
    let to_followers = world.post(&star)?;
    let member = world.member(&world.network.star(0)?.clone())?;
    let request = member.post_with(&[("visibility", &format!("group:{group}"))]);
    let sent = world.send_post(owner, &request, last)?;
    let begun = Instant::now();
    let delete_answered = world.delete(&member, sent.id)?;
    world.wait_for_home(last, sent.id, false)?;
    Ok(Figures {
        to_followers: ms(to_followers.answered),
        answered: ms(sent.answered),
        everywhere: ms(sent.everywhere),
        delete_answered: ms(delete_answered),
        cleaned: ms(begun.elapsed()),
    })
}

fn rows(figures: &[Figures], members: u64) -> Vec<Row> {
    let all = |of: fn(&Figures) -> f64| figures.iter().map(of).collect::<Vec<_>>();
    let members = format_thousands(members as f64);
    let row = |label: &str, of: fn(&Figures) -> f64| {
        let label = format!("{label} a group of {members}");
        Row::new(PART, label, "ms", Spread::of(all(of)))
    };
    let reference = all(|one| one.to_followers);
    vec![
        row("response to a post in", |one| one.answered).with_ratio(
            Spread::of_ratios(&all(|one| one.answered), &reference),
            "a post to 1,000 followers",
        ),
        row("time until the last home has a post in", |one| {
            one.everywhere
        }),
        row("response to the deletion of a post in", |one| {
            one.delete_answered
        }),
        row("time until the last home lacks a deleted post in", |one| {
            one.cleaned
        }),
    ]
}
