//! The texts of values, in keys, members and addresses: each is read and written whole, and other text
//! is refused.

use std::{any::type_name, fmt::Display, str::FromStr};

use super::*;

/// Checks texts and malformed texts, both separated by `|`.
fn assert_stored<T: FromStr + Display>(stored: &str, malformed: &str) {
    let name = type_name::<T>();
    for text in stored.split('|') {
        let read = text.parse::<T>().ok().map(|value| value.to_string());
        assert_eq!(read.as_deref(), Some(text), "{name}");
    }
    for text in malformed.split('|') {
        assert!(text.parse::<T>().is_err(), "{name}: {text:?}");
    }
}

#[test]
fn every_text_is_read_back_whole_and_other_text_is_refused() {
    let no_ids = "|0|01|-1|+1| 1|1 |1.0|1e3|٣|9007199254740992|99999999999999999999";
    assert_stored::<UserId>("1|9007199254740991", no_ids);
    assert_stored::<StatusId>("1|9007199254740991", no_ids);
    assert_stored::<ListId>("7:3", "|7|7:|:3|7:3:1|7:x|07:3");
    assert_stored::<StatusRef>("4096:3", "|4096|4096:|:3|4096:3:1");
    assert_stored::<Thread>("1 1 1|1 3 3,2,1", "|1|1 1|1 1 |1 x 1|1 1 1,|a 1 1");
    assert_stored::<Rank>("37333.4096", "|5|5.|.5|+5.5|-5.5|5.0|5.5.5|x.5");
    assert_stored::<Arrival>(
        "1795000000000-12",
        "|5|5-|-5|+5-1|5-1-1|9007199254740992-0|a-b",
    );
    assert_stored::<AuthorPreference>("more|normal|less", "|More|much|more ");
    assert_stored::<Notification>(
        "follow:0:7|favourite:5:7|repost:5:7|quote:5:7|reply:5:7|mention:9007199254740991:7|grouprequest:5:7|\
         groupinvitation:9007199254740991:7",
        "|follow|follow:0|follow:5:7|follow:0:7:1|follow:0:0|favourite:0:7|favourite:05:7|\
         favourite:5:x|star:5:7|Favourite:5:7",
    );
}

#[test]
fn a_text_names_its_parts_in_their_order() {
    let list: ListId = "7:3".parse().expect("a list");
    assert_eq!((list.owner.get(), list.number.get()), (7, 3));
    let origin: StatusRef = "4096:3".parse().expect("a reference");
    assert_eq!((origin.status.get(), origin.author.get()), (4096, 3));
}
