//! Settings of a few people: followed tags, lists and author preferences. The most followed person has all
//! of them.

use super::{
    decorations::pick_interest,
    plan::{Plan, PlannedSetting, Setting},
    random::{pick_index, pick_neighbours, random_fraction, skewed_count},
};
use crate::domain::{AuthorPreference, ListName, tags_of};

/// Share of people with each setting.
const TAG_FOLLOW_SHARE: f64 = 0.04;
const LIST_SHARE: f64 = 0.1;
const PREFERENCE_SHARE: f64 = 0.1;
/// Maximum number of each setting, and of members of a list.
const MAX_PER_KIND: usize = 3;
const MAX_MEMBERS: usize = 12;

const LISTS: [&str; 5] = [
    "Neighbours",
    "Slow reads",
    "Early birds",
    "Family",
    EXCLUSIVE,
];
/// Name of the lists that are exclusive.
const EXCLUSIVE: &str = "Work";

pub(super) fn plan_settings(plan: &mut Plan, interests: &[&str]) {
    let (most_followed, followed) = (plan.most_followed(), plan.followed());
    for (person, followed) in followed.iter().enumerate() {
        let login = plan.people[person].login.as_str();
        let has = |words: &str, part: f64| {
            person == most_followed || random_fraction(&[words, login]) <= part
        };
        let some = |words: &str| 1 + skewed_count(&[words, login], 1.0, MAX_PER_KIND - 1);
        let mut settings = Vec::new();
        if has("follows tags", TAG_FOLLOW_SHARE) {
            let tag = |turn| tag_setting(login, turn, interests);
            settings.extend((0..some("tags")).filter_map(tag));
        }
        if has("keeps lists", LIST_SHARE) {
            settings.extend((0..some("lists")).map(|turn| list_setting(login, turn, followed)));
        }
        if has("weighs", PREFERENCE_SHARE) {
            let with_preference = pick_neighbours(&["of whom", login], followed, some("weights"));
            settings.extend(with_preference.map(|of| preference_setting(login, of)));
        }
        let settings = settings.into_iter();
        plan.settings
            .extend(settings.map(|setting| PlannedSetting { person, setting }));
    }
}

fn tag_setting(login: &str, turn: usize, interests: &[&str]) -> Option<Setting> {
    let tag = pick_interest(&["follows", login, &turn.to_string()], interests)?;
    tags_of(&format!("#{tag}")).pop().map(Setting::Tag)
}

fn list_setting(login: &str, turn: usize, followed: &[usize]) -> Setting {
    let turn_words = turn.to_string();
    let name = LISTS[(pick_index(&["list", login], LISTS.len()) + turn) % LISTS.len()];
    let words = ["members", login, &turn_words];
    let members = 2 + skewed_count(&words, 3.0, MAX_MEMBERS - 2);
    Setting::List(
        ListName::parse(name).expect("the names of lists of the seed are valid"),
        pick_neighbours(&words, followed, members).collect(),
        name == EXCLUSIVE,
    )
}

fn preference_setting(login: &str, of: usize) -> Setting {
    let drawn = random_fraction(&["weight", login, &of.to_string()]);
    let preference = match drawn <= 0.7 {
        true => AuthorPreference::More,
        false => AuthorPreference::Less,
    };
    Setting::AuthorPreference(of, preference)
}
