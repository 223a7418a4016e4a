//! Profiles: the user's details, the user's posts, and the viewer's relation to the user.

use reqwest::StatusCode;

use crate::support::{Person, Site, crowd, person::name_of};

#[tokio::test]
async fn a_profile_shows_the_users_details_and_posts() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("on my profile").await;
    let profile = Person::visitor(&site).open("/@alice").await;
    assert_eq!(profile.text("main .h-card .p-name"), name_of("alice"));
    assert_eq!(profile.status_ids(), [id]);
}

#[tokio::test]
async fn a_profile_holds_only_its_owners_posts() {
    let site = Site::start().await;
    let (alice, bob) = (
        Person::sign_up(&site, "alice").await,
        Person::sign_up(&site, "bob").await,
    );
    alice.follow("bob").await;
    bob.post("not alice's").await;
    assert!(bob.open("/@alice").await.status_ids().is_empty());
}

#[tokio::test]
async fn a_profile_is_found_in_any_case() {
    let site = Site::start().await;
    crowd::member(&site.store, "Alice").await;
    let page = Person::visitor(&site).open("/@aLiCe").await;
    assert!(page.text("main .h-card .p-nickname").contains("Alice"));
}

#[tokio::test]
async fn the_button_names_its_action() {
    let site = Site::start().await;
    crowd::member(&site.store, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let offers = async || {
        let page = bob.open("/@alice").await;
        (
            page.has("form[action=\"/@alice/follow\"]"),
            page.has("form[action=\"/@alice/unfollow\"]"),
        )
    };
    assert_eq!(offers().await, (true, false));
    bob.follow("alice").await;
    assert_eq!(offers().await, (false, true));
}

#[tokio::test]
async fn a_profile_shows_whether_the_user_follows_the_viewer() {
    let site = Site::start().await;
    let bob = Person::sign_up(&site, "bob").await;
    let alice = crowd::member(&site.store, "alice").await;
    let before = bob.open("/@alice").await.visible_text();
    crowd::follow(&site.store, alice, crowd::uid(&site.store, "bob").await).await;
    let after = bob.open("/@alice").await.visible_text();
    assert!(!before.to_lowercase().contains("follows you"));
    assert!(after.to_lowercase().contains("follows you"));
}

#[tokio::test]
async fn a_profile_that_does_not_exist_is_not_found() {
    let site = Site::start().await;
    let visitor = Person::visitor(&site);
    for path in [
        "/@nobody",
        "/@nobody/followers",
        "/@nobody/following",
        "/@nobody/1",
        "/@",
        "/@no body",
        "/@%FF",
    ] {
        assert_eq!(
            visitor.get(path).await.status,
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
}

#[tokio::test]
async fn an_open_form_of_the_profile_keeps_what_another_device_saved() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = async || alice.open("/settings").await.form("/settings/profile");
    let former = form().await;
    alice
        .submit_accepted(&form().await.set("bio", "I sail."))
        .await;
    alice
        .submit_accepted(&former.set("name", "Alice of the harbour"))
        .await;
    let saved = form().await;
    assert_eq!(saved.value("name"), "Alice of the harbour");
    assert_eq!(saved.value("bio"), "I sail.");
    // A field that both have changed is a conflict. A second save overwrites it.
    let former = form().await;
    alice
        .submit_accepted(&form().await.set("bio", "I row."))
        .await;
    let conflict = alice.submit(&former.set("bio", "I swim.")).await;
    assert_eq!(conflict.status, StatusCode::CONFLICT);
    let error = conflict.text("#bio-error");
    assert!(error.contains("It is now “I row.” Save"), "{error}");
    assert_eq!(form().await.value("bio"), "I row.");
    let again = conflict.form("/settings/profile");
    alice.submit_accepted(&again).await;
    assert_eq!(form().await.value("bio"), "I swim.");
    site.assert_sound().await;
}

#[tokio::test]
async fn two_devices_that_save_at_once_both_keep_their_change() {
    const FORM: &str = "/settings/profile";
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let phone = Person::log_in(&site, "alice").await;
    for round in 0..20 {
        let (name, bio) = (format!("Alice {round}"), format!("Round {round}"));
        let of_name = alice.open("/settings").await.form(FORM).set("name", &name);
        let of_bio = phone.open("/settings").await.form(FORM).set("bio", &bio);
        tokio::join!(
            alice.submit_accepted(&of_name),
            phone.submit_accepted(&of_bio)
        );
        let stored = alice.open("/settings").await.form(FORM);
        assert_eq!((stored.value("name"), stored.value("bio")), (&*name, &*bio));
    }
}

#[tokio::test]
async fn only_names_from_right_to_left_have_a_direction() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let nadia = Person::sign_up(&site, "nadia").await;
    let form = nadia.open("/settings").await.form("/settings/profile");
    nadia.submit_accepted(&form.set("name", "نادية حداد")).await;
    for author in [&alice, &nadia] {
        author.post("by someone").await;
    }
    let with_direction = ".status .p-author > .p-name[dir=auto]";
    let of_nadia = alice.open("/@nadia").await;
    assert_eq!(of_nadia.texts(with_direction), ["نادية حداد"]);
    let of_alice = nadia.open("/@alice").await;
    assert_eq!(of_alice.texts(".status .p-author > .p-name").len(), 1);
    assert!(!of_alice.has(with_direction), "{}", of_alice.html);
}

#[tokio::test]
async fn names_from_right_to_left_have_a_direction_on_home_notifications_and_lists_of_people() {
    const NAME: &str = "نادية حداد";
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let nadia = Person::sign_up(&site, "nadia").await;
    let form = nadia.open("/settings").await.form("/settings/profile");
    nadia.submit_accepted(&form.set("name", NAME)).await;
    alice.follow("nadia").await;
    nadia.follow("alice").await;
    let by_alice = alice.post("by alice").await;
    nadia.post("by nadia").await;
    nadia.press("/@alice", "repost", by_alice).await;
    nadia.press("/@alice", "favourite", by_alice).await;
    site.drain().await;
    let of_post = format!("/@alice/{by_alice}/favourites");
    for (reader, path, part) in [
        (&alice, "/", ".status .p-author > .p-name[dir=auto]"),
        (&alice, "/@nadia", ".reposted > .p-author[dir=auto]"),
        (&nadia, "/", ".summary-name bdi"),
        (&alice, "/notifications", ".notification-body a[dir=auto]"),
        (&alice, "/@alice/followers", ".person .p-name[dir=auto]"),
        (&alice, "/@alice/following", ".person .p-name[dir=auto]"),
        (&alice, &*of_post, ".person .p-name[dir=auto]"),
        (&alice, "/search?q=nadia", ".person .p-name[dir=auto]"),
        (&alice, "/@nadia/followers", ".breadcrumb [dir=auto]"),
        (&alice, "/@nadia/followers", "h1 bdi"),
        (&alice, "/@nadia/following", "h1 bdi"),
    ] {
        let page = reader.open(path).await;
        assert!(
            page.texts(part).iter().any(|text| text == NAME),
            "{path}: no {part}"
        );
    }
    let block = alice.open("/@nadia").await.form("/@nadia/block");
    alice.submit_accepted(&block).await;
    let blocked = alice.open("/settings/blocked").await;
    assert_eq!(blocked.texts(".person .p-name[dir=auto]"), [NAME]);
}
