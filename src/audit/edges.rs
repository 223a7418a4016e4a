//! Follows: both sides mirror each other, name existing people, and have unique scores.

use super::{
    Invariant,
    fault::{Concern, Fault, Findings, Remedy, Subject},
};
use crate::{
    domain::UserId,
    store::{Pages, Place, Result, Row, Standing, Store},
};

/// Number of follows per round trip.
const EDGES_PER_ROUND_TRIP: usize = 500;
/// The largest whole number that a score holds exactly.
const LARGEST_SCORE: f64 = 9_007_199_254_740_991.0;

/// Checks a person's followed people and followers.
pub(super) async fn check(store: &Store, id: UserId, findings: &mut Findings) -> Result<()> {
    for place in [Place::Following(id), Place::Followers(id)] {
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
                    Place::Following(_) => check_following(store, id, others, findings).await?,
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
    place: &Place,
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
fn check_members(place: &Place, id: UserId, rows: &[Row], findings: &mut Findings) -> Vec<UserId> {
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
    let mirrored = store.is_follower_of_each(id, others).await?;
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
    let follow = store.followed_by_each(id, others).await?;
    for (other, _) in others.iter().zip(follow).filter(|(_, follows)| !follows) {
        let remedy = if *other == id {
            Remedy::DropMember(Place::Followers(id), id.to_string())
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
pub(super) fn named(place: &Place) -> String {
    match place {
        Place::Following(of) => format!("following of {of}"),
        Place::Followers(of) => format!("followers of {of}"),
        Place::Profile(of) => format!("profile of {of}"),
        Place::Posts(of) => format!("posts of {of}"),
        Place::Home(of) => format!("home of {of}"),
        Place::Members(list) => format!("members of list {list}"),
        Place::List(list) => format!("list {list}"),
        Place::Tagged(tag) => format!("statuses tagged {tag}"),
        Place::TagFollowers(tag) => format!("who follows tag {tag}"),
        Place::Mentions(of) => format!("mentions of {of}"),
        Place::Answered(of) => format!("answers to {of}"),
        Place::HiddenReposts(of) => format!("whose reposts {of} does not want"),
        Place::Tags(of) => format!("tags that {of} follows"),
        Place::Listed(of) => format!("lists that {of} stands in"),
        Place::Excluded(of) => format!("whom the home of {of} leaves out"),
        Place::Collection(of, collection) => format!("{collection} of {of}"),
        Place::FavouritedBy(of) => format!("who favours {of}"),
        Place::Ballots(of) => format!("ballots of {of}"),
        Place::Reposted(by) => format!("what {by} reposts"),
        Place::Reposts(of) => format!("who reposts {of}"),
        Place::Quotes(of) => format!("what quotes {of}"),
        Place::Answers(to) => format!("answers to status {to}"),
        Place::Gaps(under) => format!("gaps under status {under}"),
        Place::Notifications(of) => format!("what {of} was told"),
        Place::Newest => "the newest people".into(),
        Place::MostFollowed => "the most followed people".into(),
    }
}
