//! Groups of the demo people, from a text file beside this one.

pub(super) mod writer;

use std::collections::HashMap;

use super::plan::{PlannedGroup, PlannedPerson};
use crate::{
    domain::{GroupDescription, GroupName, GroupReaders, GroupRules, Message, Past},
    store::{GroupDraft, GroupSettings},
};

/// Blocks with `%` on a line of its own between them. The first line of a block has the address, the kind, the way of
/// joining, the name and the description. The second has the owner, the moderators, and after `|` the members. The third has
/// the rules. Each further line is a post, `login: message`.
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
            let (people, rest) = rest.split_once('\n').expect("a block has three lines");
            let (rules, posts) = rest.split_once('\n').expect("a group has posts");
            let post = |line: &str| {
                let (login, text) = line.split_once(": ").expect("a line has an author");
                let text = Message::parse(text).expect("posts of the demo are valid");
                (place(login), text)
            };
            let (leaders, members) = people.split_once(" | ").expect("a group has members");
            let leaders: Vec<usize> = leaders.split(' ').map(place).collect();
            let (owner, moderators) = leaders.split_first().expect("a group has an owner");
            PlannedGroup {
                draft: draft(head, rules),
                owner: *owner,
                moderators: moderators.to_vec(),
                members: members.split(' ').map(place).collect(),
                posts: posts.lines().map(post).collect(),
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
