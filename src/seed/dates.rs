//! The times of the demo's posts and follows: spread over three weeks, more of them lately.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use super::{
    plan::{Plan, PlannedGroup, PlannedPost},
    random::random_fraction,
};

const HOUR: Duration = Duration::from_secs(60 * 60);
const MINUTE: Duration = Duration::from_secs(60);
/// Age of the first post.
const OLDEST_AGE: Duration = Duration::from_secs(21 * 24 * 60 * 60);
/// How much more is written lately: 1 is evenly over the time.
const RECENCY: f64 = 1.5;
/// Age of the last post.
const NEWEST_AGE: Duration = Duration::from_secs(3 * 60);
/// Number of posts that are edited.
const EDITED_POSTS: usize = 2;
/// Time from a post to its edit, at least and at most. Edits are possible for 15 minutes only.
const EDIT_DELAY: (Duration, Duration) = (Duration::from_secs(2 * 60), Duration::from_secs(9 * 60));
/// Age of a poll as a share of its duration, so that it is still open: least and most.
const OPEN_SHARE: (f64, f64) = (0.1, 0.6);
/// Time from a post to its reply, at least and at most.
const REPLY_DELAY: (Duration, Duration) = (Duration::from_secs(4 * 60), HOUR);

/// Time from a post to a favourite of it, at least and at most.
const FAVOURITE_DELAY: (Duration, Duration) = (MINUTE, Duration::from_secs(40 * 60));

/// Age of the last message of a conversation, at least and at most, and time between two of its messages.
const LAST_MESSAGE_AGE: (Duration, Duration) = (HOUR, Duration::from_secs(3 * 24 * 60 * 60));
const MESSAGE_DELAY: Duration = Duration::from_secs(7 * 60);

/// The ages of posts by number.
type Ages = HashMap<usize, Duration>;

/// Gives each follow an age and arranges the follows by time.
pub(super) fn date_follows_back(plan: &mut Plan) {
    for follow in &mut plan.follows {
        let people = [follow.follower, follow.followed].map(|place| place.to_string());
        follow.age = age_at(random_fraction(&["follow", &people[0], &people[1]]));
    }
    plan.follows
        .sort_by_key(|follow| std::cmp::Reverse(follow.age));
}

/// Gives each post an age and arranges the posts, with those of the groups, by time: one in each round.
pub(super) fn date_back(plan: &mut Plan) {
    let mut posts: Vec<PlannedPost> = plan.rounds.drain(..).flatten().collect();
    // A limit of posts leaves gaps between the numbers.
    let first_of_groups = posts.iter().map(|post| post.number + 1).max();
    posts.extend(group_posts(plan, first_of_groups.unwrap_or_default()));
    let edited = edited_posts(&posts);
    for post in &mut posts {
        post.typo = post.typo.take().filter(|_| edited.contains(&post.number));
    }
    let spread = posts.iter().filter(|post| is_spread(post)).count();
    let (mut ages, mut ages_of_last_replies) = (Ages::new(), Ages::new());
    let mut place = 0;
    for post in &mut posts {
        let text = post.message.as_str();
        post.age = match (post.reference, &post.poll) {
            _ if !post.age.is_zero() => post.age,
            (Some(reference), _) => {
                let number = reference.number();
                let last = ages_of_last_replies.get(&number).unwrap_or(&ages[&number]);
                let age = age_of_reply(*last, text);
                ages_of_last_replies.insert(number, age);
                age
            }
            (None, Some(poll)) => {
                let share = between(OPEN_SHARE, random_fraction(&["poll", text]));
                Duration::from_millis(poll.term().ms()).mul_f64(share)
            }
            (None, None) => {
                place += 1;
                age_of(place, spread)
            }
        };
        ages.insert(post.number, post.age);
    }
    posts.sort_by_key(|post| std::cmp::Reverse(post.age));
    plan.rounds = posts.into_iter().map(|post| vec![post]).collect();
}

/// Returns the numbers of the posts that are edited, spread evenly over the posts with a typo.
fn edited_posts(posts: &[PlannedPost]) -> HashSet<usize> {
    let with_typo = posts
        .iter()
        .filter(|post| post.typo.is_some() && is_spread(post));
    let numbers: Vec<usize> = with_typo.map(|post| post.number).collect();
    let part_size = numbers.len().div_ceil(EDITED_POSTS).max(1);
    let parts = numbers.chunks(part_size);
    parts.map(|part| part[part.len() / 2]).collect()
}

/// Returns whether the age of a post depends only on its position.
fn is_spread(post: &PlannedPost) -> bool {
    post.reference.is_none() && post.poll.is_none() && post.group.is_none()
}

/// Returns the posts of the groups, each at its own time.
fn group_posts(plan: &Plan, first: usize) -> Vec<PlannedPost> {
    let groups = plan.groups.iter().enumerate();
    let posts = groups.flat_map(|(group, planned)| {
        let posts = planned.posts.iter().enumerate();
        posts.map(move |(place, (author, message))| PlannedPost {
            group: Some(group),
            age: age_of_group_post(planned, place),
            ..PlannedPost::new(0, *author, message.clone())
        })
    });
    let numbered = posts.zip(first..);
    let numbered = numbered.map(|(post, number)| PlannedPost { number, ..post });
    numbered.collect()
}

/// Returns the age of a post by its position among so many posts.
fn age_of(place: usize, of: usize) -> Duration {
    age_at(place as f64 / of as f64)
}

/// Returns the age after this share of the posts.
fn age_at(share: f64) -> Duration {
    NEWEST_AGE + OLDEST_AGE.mul_f64((1.0 - share).max(0.0).powf(RECENCY))
}

/// Returns the age of a reply that follows a post, or the reply before it, of this age.
fn age_of_reply(of: Duration, text: &str) -> Duration {
    let (least, most) = REPLY_DELAY;
    let after = least + (most - least).mul_f64(random_fraction(&["after", text]));
    of.saturating_sub(after).max(of / 2)
}

fn between((least, most): (f64, f64), share: f64) -> f64 {
    least + (most - least) * share
}

/// Returns the age of a favourite of a post. Those of one person come in the order of the posts, so they are soon after them.
pub(super) fn age_of_favourite(of: Duration, by: &str) -> Duration {
    let (least, most) = FAVOURITE_DELAY;
    let after = least + (most - least).mul_f64(random_fraction(&["favourite", by]));
    of.saturating_sub(after).max(of / 2)
}

/// Returns the age of the edit of a post of this age.
pub(super) fn age_of_edit(of: Duration, text: &str) -> Duration {
    let (least, most) = EDIT_DELAY;
    let after = least + (most - least).mul_f64(random_fraction(&["edit", text]));
    of.saturating_sub(after).max(of / 2)
}

/// Returns the age of a post of a group by its position among the posts of that group.
fn age_of_group_post(group: &PlannedGroup, place: usize) -> Duration {
    let place = place as f64 + random_fraction(&["group", group.draft.slug.as_str()]);
    age_at(place / group.posts.len() as f64)
}

/// Returns the age of the groups: their first posts are later.
pub(super) fn age_of_groups() -> Duration {
    age_at(0.0)
}

/// Returns the age of a membership by its position in the group. It is between the founding and the first post.
pub(super) fn age_of_membership(place: usize, group: &PlannedGroup) -> Duration {
    let of = group.moderators.len() + group.members.len();
    let time_to_first_post = age_of_groups().saturating_sub(age_of_group_post(group, 0));
    let share = (place + 1) as f64 / (of + 1) as f64;
    age_of_groups().saturating_sub(time_to_first_post.mul_f64(share))
}

/// Returns the age of a message by its position among so many of its conversation.
pub(super) fn age_of_message(place: usize, of: usize, conversation: &str) -> Duration {
    let (least, most) = LAST_MESSAGE_AGE;
    let last = least + (most - least).mul_f64(random_fraction(&["chat", conversation]));
    last + MESSAGE_DELAY.mul_f64(of.saturating_sub(place + 1) as f64)
}

/// Returns the age of a repost of a post: some minutes after it.
pub(super) fn age_of_repost(of: Duration) -> Duration {
    of.saturating_sub(2 * MINUTE).max(of / 2)
}

#[cfg(test)]
mod tests {
    use super::super::{dates::*, decorations, demo};
    use crate::domain::EditState;

    fn plan() -> Plan {
        let mut plan = demo::plan();
        decorations::decorate_demo(&mut plan);
        date_back(&mut plan);
        plan
    }

    #[test]
    fn posts_are_spread_over_three_weeks_by_time() {
        let plan = plan();
        let ages: Vec<Duration> = plan.rounds.iter().flatten().map(|post| post.age).collect();
        assert!(ages.is_sorted_by(|one, next| one >= next));
        let weeks = ages.chunk_by(|one, next| one.as_secs() / 604_800 == next.as_secs() / 604_800);
        let sizes: Vec<usize> = weeks.map(<[_]>::len).collect();
        assert!(
            sizes.len() == 3 && sizes.iter().all(|size| *size > 20),
            "{sizes:?}"
        );
    }

    #[test]
    fn replies_come_later_in_their_order_and_polls_are_open() {
        let plan = plan();
        let (mut seen, mut last_replies) = (Ages::new(), HashMap::new());
        let (mut polls, mut edited, mut in_groups) = (0, 0, 0);
        for post in plan.rounds.iter().flatten() {
            if let Some(reference) = post.reference {
                assert!(seen[&reference.number()] > post.age);
                let before = last_replies.insert(reference.number(), post.number);
                assert!(before.is_none_or(|before| before < post.number));
            }
            if let Some(poll) = &post.poll {
                polls += 1;
                assert!(u128::from(poll.term().ms()) > post.age.as_millis());
            }
            if post.typo.is_some() {
                edited += 1;
                let delay = post.age - age_of_edit(post.age, post.message.as_str());
                assert!(delay >= MINUTE && delay.as_millis() < u128::from(EditState::OPEN_MS));
            }
            in_groups += usize::from(post.group.is_some());
            assert!(seen.insert(post.number, post.age).is_none());
        }
        let of_groups: usize = plan.groups.iter().map(|group| group.posts.len()).sum();
        assert_eq!((edited, in_groups), (EDITED_POSTS, of_groups));
        assert!(polls > 0);
    }

    #[test]
    fn the_people_of_a_group_join_before_its_first_post() {
        for group in &demo::plan().groups {
            let people = group.moderators.len() + group.members.len();
            let ages: Vec<Duration> = (0..people)
                .map(|place| age_of_membership(place, group))
                .collect();
            assert!(ages.is_sorted_by(|one, next| one > next));
            assert!(ages[0] < age_of_groups());
            assert!(ages[people - 1] > age_of_group_post(group, 0));
        }
    }
}
