//! Groups of the demo people, from a text file beside this one.

pub(super) mod writer;

use std::collections::HashMap;

use super::plan::{PlannedGroup, PlannedPerson};
use crate::{
    domain::{GroupDescription, GroupName, GroupReaders, GroupRules, Past},
    store::{GroupDraft, GroupSettings},
};

/// Blocks with `%` on a line of its own between them. The first line of a block has the address, the kind, the way of
/// joining, the name and the description. The second has the owner, the moderators, and after `|` the members. The third has
/// the rules.
const GROUPS: &str = include_str!("groups.txt");

/// Returns the groups of these people.
pub(super) fn plan(people: &[PlannedPerson]) -> Vec<PlannedGroup> {
    let logins = people.iter().map(|person| person.login.as_str());
    let places: HashMap<&str, usize> = logins.zip(0..).collect();
    let place = |login: &str| {
        let place = places.get(login);
        *place.expect("the groups have people of the demo only")
    };
    let blocks = GROUPS.trim_end().split("\n%\n");
    blocks
        .map(|block| {
            let (head, rest) = block.split_once('\n').expect("a block has three lines");
            let (people, rules) = rest.split_once('\n').expect("a block has three lines");
            let (leaders, members) = people.split_once(" | ").expect("a group has members");
            let leaders: Vec<usize> = leaders.split(' ').map(place).collect();
            let (owner, moderators) = leaders.split_first().expect("a group has an owner");
            PlannedGroup {
                draft: draft(head, rules),
                owner: *owner,
                moderators: moderators.to_vec(),
                members: members.split(' ').map(place).collect(),
            }
        })
        .collect()
}

fn draft(head: &str, rules: &str) -> GroupDraft {
    let mut parts = head.splitn(5, " | ");
    let [slug, kind, joining, name, description] =
        std::array::from_fn(|_| parts.next().expect("the first line has five parts"));
    let rules = rules.strip_prefix("rules: ").expect("the third line");
    GroupDraft {
        slug: slug.parse().expect("addresses of the demo are valid"),
        kind: kind.parse().expect("kinds of the demo are valid"),
        readable_by: GroupReaders::Everyone,
        settings: GroupSettings {
            name: GroupName::parse(name).expect("names of the demo are valid"),
            description: GroupDescription::parse(description).expect("it is valid"),
            rules: GroupRules::parse(rules).expect("rules of the demo are valid"),
            joining: joining.parse().expect("ways of joining are valid"),
            past: Past::Whole,
            is_unlisted: false,
            closes_replies: false,
        },
    }
}
