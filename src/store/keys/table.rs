//! The table of keys in ARCHITECTURE.md and the functions that make them.

use std::collections::BTreeSet;

use crate::store::keys::*;

/// A key without what differs from one to the next.
fn shape(key: &str) -> String {
    let mut shape = String::new();
    let mut inside = false;
    for letter in key.chars() {
        inside &= !matches!(letter, '}' | '>');
        if !inside {
            shape.push(letter);
        }
        inside |= matches!(letter, '{' | '<');
    }
    shape
}

#[test]
fn the_table_of_keys_names_every_key_and_no_other() {
    let id = UserId::new(7).expect("in range");
    let status_id = StatusId::new(7).expect("in range");
    let name = Login::stored("robin").expect("a login");
    let drawn = IdempotencyKey::of(1);
    let term = Term::stored("word").expect("a term");
    let list: ListId = "7:3".parse().expect("a list");
    let tag = FoldedTag::stored("birds").expect("a tag");
    let numbered = |key: String| key.replace(":3:", ":<n>:");
    let code = [
        NEXT_USER_ID.to_owned(),
        PEOPLE_NEWEST.to_owned(),
        PEOPLE_FOLLOWED.to_owned(),
        user(id),
        auth(id),
        login(&name),
        following(id),
        followers(id),
        status(status_id),
        collection(id, Collection::Favourites),
        collection(id, Collection::Bookmarks),
        favourited_by(status_id),
        ballots(status_id),
        versions(status_id),
        own_reposts(id),
        reposted_by(status_id),
        quotes(status_id),
        replies(status_id),
        gaps(status_id),
        profile(id),
        posts(id),
        home(id),
        active(id),
        reading(id),
        arrivals(id),
        notifications(id),
        read_marker(id),
        lists(id),
        numbered(list_members(list)),
        numbered(list_timeline(list)),
        numbered(list_active(list)),
        excluded(id),
        hidden_reposts(id),
        author_preferences(id),
        followed_tags(id),
        tag_index(&tag),
        tag_followers(&tag),
        tag_uses(&tag),
        TAGS_MOST_USED.to_owned(),
        TAGS_TRENDING.to_owned(),
        mention_index(id),
        received_replies(id),
        list_memberships(id),
        chunks(&term),
        postings(&term, 9).replace(":9", ":<bound>"),
        names('r'),
        idempotency_key(id, &drawn).replace(drawn.as_str(), "<n>"),
        session(id, "<digest>"),
        sessions(id),
        tasks(0),
        tasks_later(0),
        tasks_dead(0),
        SCRUB.to_owned(),
        rate("limit", "who"),
    ];
    let architecture = include_str!("../../../ARCHITECTURE.md");
    let (_, section) = architecture
        .split_once("\n## Keys\n")
        .expect("the section of keys");
    let table = section.lines().take_while(|line| !line.starts_with("## "));
    let table: BTreeSet<String> = table
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .map(shape)
        .collect();
    let code: BTreeSet<String> = code.iter().map(|key| shape(key)).collect();
    assert_eq!(table, code);
}
