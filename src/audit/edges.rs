//! Follows: both sides mirror each other, name existing people, and have unique scores.

use super::{
    Invariant,
    fault::{Concern, Fault, Findings, Remedy, Subject},
};
use crate::{
    domain::UserId,
    store::{Key, Pages, Relation, Result, Row, Standing, Store},
};

/// Number of follows per round trip.
const EDGES_PER_ROUND_TRIP: usize = 500;
/// The largest whole number that a score holds exactly.
const LARGEST_SCORE: f64 = 9_007_199_254_740_991.0;

/// Checks a person's followed people and followers.
pub(super) async fn check(store: &Store, id: UserId, findings: &mut Findings) -> Result<()> {
    for place in [Key::Following(id), Key::Followers(id)] {
        let mut pages = Pages::of(&place);
        let mut last = None;
        loop {
            let rows = store.rows(&mut pages).await?;
            if rows.is_empty() {
                break;
            }
            check_scores(&place, &Subject::Person(id), &rows, &mut last, findings);
            let others = check_members(&place, id, &rows, findings);
            for others in others.chunks(EDGES_PER_ROUND_TRIP) {
                match place {
                    Key::Following(_) => check_following(store, id, others, findings).await?,
                    _ => check_followers(store, id, others, findings).await?,
                }
            }
        }
    }
    Ok(())
}

/// Checks that scores are positive whole numbers, each once: passes and pages continue from an exclusive
/// one.
pub(super) fn check_scores(
    place: &Key,
    subject: &Subject,
    rows: &[Row],
    last: &mut Option<f64>,
    findings: &mut Findings,
) {
    findings.examined(Invariant::ScoresOrder, rows.len());
    for (member, score) in rows {
        let whole = score.fract() == 0.0 && (1.0..=LARGEST_SCORE).contains(score);
        if !whole || *last == Some(*score) {
            let fault = Fault::new(
                Invariant::ScoresOrder,
                subject.clone(),
                format!("{member} has no score of its own in {}", named(place)),
            );
            let fault = fault.detail(score.to_string());
            findings.found(fault.repair_by(Remedy::Respace(place.clone(), member.clone())));
        }
        *last = Some(*score);
    }
}

/// Returns the people among the members.
fn check_members(place: &Key, id: UserId, rows: &[Row], findings: &mut Findings) -> Vec<UserId> {
    let mut others = Vec::with_capacity(rows.len());
    for (member, _) in rows {
        match member.parse::<UserId>() {
            Ok(other) => others.push(other),
            Err(_) => {
                let fault = Fault::new(
                    Invariant::EdgesMirror,
                    Subject::Person(id),
                    format!("{member} is no person and stands in {}", named(place)),
                );
                findings.found(fault.repair_by(Remedy::DropMember(place.clone(), member.clone())));
            }
        }
    }
    others
}

async fn check_following(
    store: &Store,
    id: UserId,
    others: &[UserId],
    findings: &mut Findings,
) -> Result<()> {
    findings.examined(Invariant::EdgesMirror, others.len());
    let follows = others.iter().map(|other| Relation::follow(id, *other));
    let mirrored = store.are_mirrored(follows.collect()).await?;
    let standings = store.standings(others).await?;
    for ((other, mirrored), standing) in others.iter().zip(mirrored).zip(standings) {
        let (what, remedy) = if *other == id {
            ("themself".to_owned(), Remedy::ClearEdge(id, id))
        } else if standing == Standing::Nobody {
            let what = format!("{other}, who is not there");
            (what, Remedy::ClearEdge(id, *other))
        } else if standing == Standing::Damaged {
            (format!("{other}, who is damaged"), Remedy::None)
        } else if !mirrored {
            let what = format!("{other}, who does not know");
            (what, Remedy::Edge(id, *other))
        } else {
            continue;
        };
        let fault = Fault::new(
            Invariant::EdgesMirror,
            Subject::Person(id),
            format!("user {id} follows {what}"),
        );
        let concerns = [Concern::Edge(id, *other), Concern::Account(*other)];
        findings.found(fault.unless(concerns).repair_by(remedy));
    }
    Ok(())
}

async fn check_followers(
    store: &Store,
    id: UserId,
    others: &[UserId],
    findings: &mut Findings,
) -> Result<()> {
    findings.examined(Invariant::EdgesMirror, others.len());
    let follows = others.iter().map(|other| Relation::follow(*other, id));
    let follow = store.have_relations(follows.collect()).await?;
    for (other, _) in others.iter().zip(follow).filter(|(_, follows)| !follows) {
        let remedy = if *other == id {
            Remedy::DropMember(Key::Followers(id), id.to_string())
        } else {
            Remedy::Edge(*other, id)
        };
        let fault = Fault::new(
            Invariant::EdgesMirror,
            Subject::Person(id),
            format!("user {other} is listed as a follower of {id}, and is none"),
        );
        findings.found(fault.unless([Concern::Edge(*other, id)]).repair_by(remedy));
    }
    Ok(())
}

/// Returns the name of a person's ZSET.
pub(super) fn named(place: &Key) -> String {
    match place {
        Key::Following(of) => format!("following of {of}"),
        Key::Followers(of) => format!("followers of {of}"),
        Key::Profile(of) => format!("profile of {of}"),
        Key::Posts(of) => format!("posts of {of}"),
        Key::Home(of) => format!("home of {of}"),
        Key::ListMembers(list) => format!("members of list {list}"),
        Key::ListTimeline(list) => format!("list {list}"),
        Key::TagIndex(tag) => format!("statuses tagged {tag}"),
        Key::TagFollowers(tag) => format!("who follows tag {tag}"),
        Key::MentionIndex(of) => format!("mentions of {of}"),
        Key::ReceivedReplies(of) => format!("answers to {of}"),
        Key::HiddenReposts(of) => format!("whose reposts {of} does not want"),
        Key::FollowedTags(of) => format!("tags that {of} follows"),
        Key::ListMemberships(of) => format!("lists that {of} stands in"),
        Key::Excluded(of) => format!("whom the home of {of} leaves out"),
        Key::Favourites(of) => format!("favourites of {of}"),
        Key::Bookmarks(of) => format!("bookmarks of {of}"),
        Key::FavouritedBy(of) => format!("who favours {of}"),
        Key::Ballots(of) => format!("ballots of {of}"),
        Key::OwnReposts(by) => format!("what {by} reposts"),
        Key::RepostedBy(of) => format!("who reposts {of}"),
        Key::Quotes(of) => format!("what quotes {of}"),
        Key::Replies(to) => format!("answers to status {to}"),
        Key::Gaps(under) => format!("gaps under status {under}"),
        Key::Notifications(of) => format!("what {of} was told"),
        Key::PeopleNewest => "the newest people".into(),
        Key::PeopleFollowed => "the most followed people".into(),
        other => other.name(),
    }
}
