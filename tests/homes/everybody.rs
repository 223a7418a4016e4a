//! The timeline of everybody, and the newest posts on the landing page.

use crate::support::{Person, Site};

#[tokio::test]
async fn everybody_reads_the_newest_public_posts_and_no_replies_or_reposts() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let first = alice.post("first").await;
    let second = bob.post("second").await;
    bob.reply(first, "a reply").await;
    bob.press("/@alice", "repost", first).await;
    site.drain().await;
    let visitor = Person::visitor(&site);
    for person in [&alice, &visitor] {
        let page = person.open("/everybody").await;
        assert_eq!(page.status_ids(), [second, first]);
        assert!(page.has(".h-feed .h-entry"));
    }
    let landing = visitor.open("/").await;
    assert_eq!(landing.status_ids(), [second, first]);
    assert!(landing.has("a[href=\"/everybody\"]"));
    assert!(alice.open("/").await.has("nav a[href=\"/everybody\"]"));
    alice.delete(first).await;
    site.drain().await;
    assert_eq!(visitor.open("/everybody").await.status_ids(), [second]);
    assert_eq!(visitor.open("/").await.status_ids(), [second]);
    site.assert_sound().await;
}

#[tokio::test]
async fn an_empty_site_has_no_newest_posts() {
    let site = Site::start().await;
    let visitor = Person::visitor(&site);
    assert!(visitor.open("/everybody").await.has(".empty"));
    let landing = visitor.open("/").await;
    assert!(!landing.has(".recent-posts") && landing.has("a[href=\"/signup\"]"));
}
