//! Habits of a few people: followed tags, lists and author preferences. The most followed person has all
//! of them.

use super::{
    draws::{chance, how_many, pick, some_of},
    dressing::some_interest,
    plan::{Habit, Plan, PlannedHabit},
};
use crate::domain::{AuthorPreference, ListName, tags_of};

/// Share of people with each habit.
const FOLLOW_TAGS: f64 = 0.04;
const KEEP_LISTS: f64 = 0.1;
const WEIGH: f64 = 0.1;
/// Maximum number of each habit, and of members of a list.
const MOST: usize = 3;
const MOST_MEMBERS: usize = 12;

const LISTS: [&str; 5] = ["Neighbours", "Slow reads", "Early birds", "Family", "Work"];

/// Gives a few people habits.
pub(super) fn habits(plan: &mut Plan, tag_follows: &[&str]) {
    let (guide, followed) = (plan.guide(), plan.followed());
    for (person, followed) in followed.iter().enumerate() {
        let login = plan.people[person].login.as_str();
        let has = |words: &str, part: f64| person == guide || chance(&[words, login]) <= part;
        let some = |words: &str| 1 + how_many(&[words, login], 1.0, MOST - 1);
        let mut habits = Vec::new();
        if has("follows tags", FOLLOW_TAGS) {
            habits.extend((0..some("tags")).filter_map(|turn| tag(login, turn, tag_follows)));
        }
        if has("keeps lists", KEEP_LISTS) {
            habits.extend((0..some("lists")).map(|turn| list(login, turn, followed)));
        }
        if has("weighs", WEIGH) {
            let with_preference = some_of(&["of whom", login], followed, some("weights"));
            habits.extend(with_preference.map(|of| weight(login, of)));
        }
        let habits = habits.into_iter();
        plan.habits
            .extend(habits.map(|habit| PlannedHabit { person, habit }));
    }
}

fn tag(login: &str, turn: usize, tag_follows: &[&str]) -> Option<Habit> {
    let tag = some_interest(&["follows", login, &turn.to_string()], tag_follows)?;
    tags_of(&format!("#{tag}")).pop().map(Habit::Tag)
}

fn list(login: &str, turn: usize, followed: &[usize]) -> Habit {
    let turn_words = turn.to_string();
    let name = LISTS[(pick(&["list", login], LISTS.len()) + turn) % LISTS.len()];
    let words = ["members", login, &turn_words];
    let members = 2 + how_many(&words, 3.0, MOST_MEMBERS - 2);
    Habit::List(
        ListName::parse(name).expect("the names of lists of the seed are valid"),
        some_of(&words, followed, members).collect(),
    )
}

fn weight(login: &str, of: usize) -> Habit {
    let drawn = chance(&["weight", login, &of.to_string()]);
    Habit::AuthorPreference(
        of,
        if drawn <= 0.7 {
            AuthorPreference::More
        } else {
            AuthorPreference::Less
        },
    )
}
