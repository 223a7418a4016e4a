//! The header of a status, and the timelines on which it belongs.

use super::*;

fn person(id: u64) -> UserId {
    UserId::new(id).expect("in range")
}

fn of(author: u64) -> StatusHeader {
    StatusHeader::of(person(author))
}

fn by(author: u64) -> Option<StatusRef> {
    let status = StatusId::new(4096).expect("in range");
    let author = person(author);
    Some(StatusRef { status, author })
}

fn tag(text: &str) -> FoldedTag {
    FoldedTag::stored(text).expect("a tag")
}

/// The home of person 1, who follows 2, 3 and 4, has 4 in an exclusive list, hides reposts by 3, follows a tag
/// and has the posts of group 6 there.
fn home() -> Sources {
    Sources {
        timeline: Timeline::Home(person(1)),
        people: [2, 3, 4].map(person).into(),
        excluded: [person(4)].into(),
        filtered: HomeFilter::ALL.map(|filter| match filter == HomeFilter::HiddenReposts {
            true => [person(3)].into(),
            false => HashSet::new(),
        }),
        tags: [tag("birds")].into(),
        groups: [group(6)].into(),
    }
}

fn group(number: u64) -> GroupId {
    number.to_string().parse().expect("a group")
}

fn in_group(number: u64, status: StatusHeader) -> StatusHeader {
    let group = Some(group(number));
    StatusHeader { group, ..status }
}

fn reply(author: u64, answered: u64) -> StatusHeader {
    let reply_to = by(answered);
    StatusHeader {
        reply_to,
        ..of(author)
    }
}

fn repost(author: u64, original: u64) -> StatusHeader {
    let repost_of = by(original);
    StatusHeader {
        repost_of,
        ..of(author)
    }
}

fn tagged(status: StatusHeader) -> StatusHeader {
    let tags = vec![tag("cats"), tag("birds")];
    StatusHeader { tags, ..status }
}

/// A list of the people 2 and 3.
fn list() -> Sources {
    Sources {
        timeline: Timeline::List("1:7".parse().expect("a list")),
        people: [2, 3].map(person).into(),
        excluded: HashSet::new(),
        filtered: Default::default(),
        tags: HashSet::new(),
        groups: HashSet::new(),
    }
}

#[test]
fn a_timeline_has_the_statuses_that_belong_to_its_sources() {
    for (rule, sources, belong, others) in [
        (
            "a home has its owner and followed people except excluded ones",
            home(),
            vec![of(1), of(2)],
            vec![of(4), of(5)],
        ),
        (
            "a reply reaches followers of both people",
            home(),
            vec![reply(2, 3), reply(2, 1), reply(2, 2), reply(1, 9)],
            vec![reply(2, 9), reply(9, 2), reply(9, 1)],
        ),
        (
            "a repost skips hidden reposts and its original author",
            home(),
            vec![repost(2, 9), repost(1, 9)],
            vec![repost(3, 9), repost(2, 1)],
        ),
        (
            "a followed tag adds posts, but neither replies, reposts nor excluded people",
            home(),
            vec![tagged(of(9))],
            vec![tagged(of(4)), tagged(reply(9, 9)), tagged(repost(9, 9))],
        ),
        (
            "a list has members and replies between them",
            list(),
            vec![of(2), reply(2, 3), reply(2, 1)],
            vec![of(1), reply(2, 9)],
        ),
    ] {
        for status in belong {
            assert!(sources.belongs(&status), "{rule}: {status}");
        }
        for status in others {
            assert!(!sources.belongs(&status), "{rule}: {status}");
        }
    }
}

fn for_followers_of(person_id: u64, status: StatusHeader) -> StatusHeader {
    let readers = Readers::FollowersOf(person(person_id));
    StatusHeader { readers, ..status }
}

#[test]
fn a_status_for_followers_comes_to_homes_by_that_person_alone() {
    for status in [
        for_followers_of(2, of(2)),
        for_followers_of(2, reply(3, 2)),
        for_followers_of(1, reply(2, 3)),
    ] {
        assert!(home().belongs(&status), "{status}");
    }
    for status in [
        for_followers_of(9, tagged(of(9))),
        for_followers_of(9, reply(2, 3)),
        for_followers_of(9, reply(2, 9)),
    ] {
        assert!(!home().belongs(&status), "{status}");
    }
    assert!(list().belongs(&for_followers_of(2, of(2))));
}

#[test]
fn a_post_in_a_group_comes_to_homes_by_the_group_alone() {
    for status in [
        in_group(6, of(9)),
        in_group(6, of(2)),
        in_group(7, of(1)),
        in_group(7, reply(1, 9)),
        in_group(6, for_followers_of(2, of(2))),
    ] {
        assert!(home().belongs(&status), "{status}");
    }
    for status in [
        in_group(7, of(2)),
        in_group(7, tagged(of(9))),
        in_group(6, of(4)),
        in_group(6, reply(2, 3)),
        in_group(6, reply(2, 1)),
        in_group(6, for_followers_of(9, of(9))),
    ] {
        assert!(!home().belongs(&status), "{status}");
    }
    assert!(!list().belongs(&in_group(6, of(2))));
}

#[test]
fn the_status_header_for_scripts_is_one_line() {
    let status = StatusHeader {
        reply_to: by(3),
        tags: vec![tag("birds"), tag("日本")],
        ..of(2)
    };
    assert_eq!(status.to_string(), "2 3 0 birds 日本");
    assert_eq!(of(2).to_string(), "2 0 0");
    assert_eq!(for_followers_of(5, of(2)).to_string(), "2/5 0 0");
    assert_eq!(in_group(6, of(2)).to_string(), "2@6 0 0");
    assert_eq!(
        in_group(6, for_followers_of(2, of(2))).to_string(),
        "2/2@6 0 0"
    );
}

#[test]
fn an_edit_records_the_former_tags_and_mentions() {
    let status = StatusHeader {
        tags: vec![tag("birds"), tag("cats")],
        mentioned: vec![person(3)],
        ..of(2)
    };
    let status = status.edited(vec![tag("cats"), tag("dogs")], vec![], None);
    let fields = status.fields_of_text().map(|(_, value)| value);
    assert_eq!(fields, ["cats dogs", "", "birds", "3"]);
    let status = status.edited(vec![tag("birds")], vec![person(3)], None);
    let fields = status.fields_of_text().map(|(_, value)| value);
    assert_eq!(fields, ["birds", "3", "cats dogs", ""]);
    assert_eq!(status.tags_served().count(), 3);
}
