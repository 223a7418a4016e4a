//! Exclusive lists: their members are kept off home on every read and write of a home, and only
//! there.

use super::{add, alice_and_bob, delete_form, edit, make, remove_form};
use crate::support::{Person, Site, crowd};

#[tokio::test]
async fn a_list_keeps_its_members_off_home_only_while_it_is_exclusive() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    alice.follow("bob").await;
    let first = bob.post("one").await;
    let list = make(&alice, "Loud").await;
    add(&alice, &list, "bob").await;
    assert_eq!(alice.home_ids().await, [first]);
    edit(&alice, &list, "Loud", true).await;
    assert!(alice.home_ids().await.is_empty(), "taken out");
    let second = bob.post("two").await;
    let own = alice.post("mine").await;
    assert_eq!(alice.home_ids().await, [own], "not delivered");
    assert_eq!(alice.ids(&list).await, [second, first]);
    alice.unfollow("bob").await;
    alice.follow("bob").await;
    assert_eq!(alice.home_ids().await, [own], "not merged by a follow");
    site.assert_sound().await;
    edit(&alice, &list, "Quiet", false).await;
    assert_eq!(alice.home_ids().await, [own, second, first], "restored");
    assert_eq!(alice.open(&list).await.text("h1"), "Quiet");
    edit(&alice, &list, "Quiet", true).await;
    let form = remove_form(&alice, &list).await;
    alice.submit_accepted(&form).await;
    assert_eq!(alice.home_ids().await, [own, second, first], "by removal");
    add(&alice, &list, "bob").await;
    assert_eq!(alice.home_ids().await, [own], "by being added");
    let form = delete_form(&alice, &list).await;
    alice.submit_accepted(&form).await;
    assert_eq!(alice.home_ids().await, [own, second, first], "by deletion");
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_home_emptied_by_exclusive_lists_says_so_and_links_to_them() {
    const LISTS: &str = ".empty a[href=\"/lists\"]";
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    bob.post("to the list").await;
    let list = make(&alice, "Loud").await;
    edit(&alice, &list, "Loud", true).await;
    add(&alice, &list, "bob").await;
    assert!(!alice.open("/").await.has(LISTS), "she follows no one");
    alice.follow("bob").await;
    let home = alice.open("/").await;
    assert!(home.has(LISTS), "{}", home.visible_text());
    Person::sign_up(&site, "carol").await;
    alice.follow("carol").await;
    let home = alice.open("/").await;
    assert!(home.has(".empty") && !home.has(LISTS), "carol is on none");
}

#[tokio::test]
async fn the_owner_in_an_exclusive_list_stays_on_home() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let list = make(&alice, "Me").await;
    edit(&alice, &list, "Me", true).await;
    add(&alice, &list, "alice").await;
    let id = alice.post("to myself").await;
    assert_eq!(alice.home_ids().await, [id]);
    assert_eq!(alice.ids(&list).await, [id]);
    site.assert_sound().await;
}

/// Signs up alice, who follows two people with 60 posts each, in turn. Returns each author's posts,
/// newest first.
async fn follower_of_two(site: &Site) -> (Person, [Vec<u64>; 2]) {
    let alice = Person::sign_up(site, "alice").await;
    let uid = crowd::uid(&site.store, "alice").await;
    let two = [
        crowd::member(&site.store, "loud").await,
        crowd::member(&site.store, "quiet").await,
    ];
    let mut posted = [const { Vec::new() }; 2];
    for (author, ids) in two.iter().zip(&mut posted) {
        crowd::follow(&site.store, uid, *author).await;
        ids.reserve(60);
    }
    for _ in 0..60 {
        for (author, ids) in two.iter().zip(&mut posted) {
            let id = crowd::post(&site.store, *author, "one of many").await;
            ids.insert(0, id.get());
        }
    }
    (alice, posted)
}

#[tokio::test]
async fn members_are_off_home_below_its_floor_and_after_a_long_absence() {
    let site = Site::with(&["--home-size", "40"]).await;
    let (alice, [loud, hidden_reposts]) = follower_of_two(&site).await;
    let uid = crowd::uid(&site.store, "alice").await;
    let mut both = [loud.clone(), hidden_reposts.clone()].concat();
    both.sort_unstable_by(|a, b| b.cmp(a));
    assert_eq!(alice.home_ids().await, both);
    let list = make(&alice, "Loud").await;
    add(&alice, &list, "loud").await;
    for (exclusive, due) in [
        (true, &hidden_reposts),
        (false, &both),
        (true, &hidden_reposts),
    ] {
        edit(&alice, &list, "Loud", exclusive).await;
        for time in ["at once", "after an absence"] {
            assert_eq!(alice.home_ids().await, *due, "{exclusive} {time}");
            assert_eq!(alice.ids(&list).await, loud, "{exclusive} {time}");
            site.assert_sound().await;
            let [home, timeline] = ["active:{", "list:{"].map(|key| format!("{key}{uid}}}"));
            let marks = ["DEL", &home, &format!("{timeline}:1:active")];
            site.redis.command(&marks);
        }
    }
    let form = delete_form(&alice, &list).await;
    alice.submit_accepted(&form).await;
    assert_eq!(alice.home_ids().await, both, "down to its end");
    site.assert_sound().await;
}

#[tokio::test]
async fn one_of_two_exclusive_lists_keeps_its_member_off_home() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    alice.follow("bob").await;
    let lists = [make(&alice, "One").await, make(&alice, "Two").await];
    for list in &lists {
        edit(&alice, list, "Apart", true).await;
        add(&alice, list, "bob").await;
    }
    let id = bob.post("to lists only").await;
    let form = remove_form(&alice, &lists[0]).await;
    alice.submit_accepted(&form).await;
    assert!(alice.home_ids().await.is_empty(), "he is in the other list");
    edit(&alice, &lists[1], "Shared", false).await;
    assert_eq!(alice.home_ids().await, [id]);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_list_that_is_exclusive_takes_nothing_from_other_readers() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let carol = Person::sign_up(&site, "carol").await;
    alice.follow("bob").await;
    carol.follow("bob").await;
    let list = make(&alice, "Apart").await;
    edit(&alice, &list, "Apart", true).await;
    add(&alice, &list, "bob").await;
    let id = bob.post("to carol's home").await;
    assert_eq!(carol.home_ids().await, [id]);
    assert_eq!(bob.home_ids().await, [id]);
    assert!(alice.home_ids().await.is_empty());
    assert_eq!(alice.ids("/@bob").await, [id], "his profile is unchanged");
}
