//! Who can see a post: the choice in the composer, what others see, replies, reposts and quotes, and edits.

mod budgets;
mod conversations;
mod empty_pages;
mod existence;
mod favourites_tab;
mod full_pages;
mod groups;
mod matrix;
mod mentions;
mod one_place;
mod private_reposts;
mod races;
mod random;
mod timing;

use redwing::{
    actions::reposts::{self, Repost},
    domain::{StatusId, Timeline, UserId, Visibility},
    store::{Store, Viewer},
};
use reqwest::StatusCode;

use crate::{
    notifications::members,
    support::{Page, Person, Site, core::Core, crowd},
};

/// Posts with this choice of the composer. Returns the id.
async fn post_to(person: &Person, visibility: &str, message: &str) -> u64 {
    let form = person.open("/").await.form("/statuses");
    let form = form.set("message", message).set("visibility", visibility);
    person.submit_accepted(&form).await;
    person.home_ids().await[0]
}

/// Returns the choices that a form offers, and the selected one.
fn choices(page: &Page) -> (Vec<String>, Vec<String>) {
    let offered = page.attributes("#visibility option", "value");
    (
        offered,
        page.attributes("#visibility option[selected]", "value"),
    )
}

async fn sign_up<const N: usize>(site: &Site, logins: [&str; N]) -> [Person; N] {
    let mut people = Vec::new();
    for login in logins {
        people.push(Person::sign_up(site, login).await);
    }
    people.try_into().ok().expect("as many")
}

/// Returns the text of an error page without the number of its request.
fn without_request(page: &Page) -> Vec<String> {
    let text = page.visible_text();
    let lines = text.lines().filter(|line| !line.contains("request "));
    lines.map(str::to_owned).collect()
}

/// Returns those of these people who may see a status.
async fn who_sees(store: &Store, people: &[UserId], id: StatusId) -> Vec<UserId> {
    let mut viewers = Vec::new();
    for person in people {
        let seen = store.status(Viewer::Member(*person), id).await;
        viewers.extend(seen.expect("an answer").map(|_| *person));
    }
    viewers
}

#[tokio::test]
async fn a_post_is_seen_by_everyone_by_members_or_by_followers() {
    let site = Site::start().await;
    let [author, follower, stranger] = sign_up(&site, ["author", "follower", "stranger"]).await;
    follower.follow("author").await;
    let visitor = Person::visitor(&site);
    for (visibility, words, readers) in [
        ("public", "", [true, true, true]),
        ("members", "Visible to: Members", [true, true, false]),
        ("followers", "Visible to: Followers", [true, false, false]),
    ] {
        let id = post_to(&author, visibility, &format!("for {visibility}")).await;
        let path = format!("/@author/{id}");
        for (viewer, sees) in [&follower, &stranger, &visitor].into_iter().zip(readers) {
            let page = viewer.get(&path).await;
            let expected = if sees {
                StatusCode::OK
            } else {
                StatusCode::NOT_FOUND
            };
            assert_eq!(page.status, expected, "{visibility}");
            let profile = viewer.open("/@author").await;
            assert_eq!(profile.status_ids().contains(&id), sees, "{visibility}");
        }
        let shown = author.open(&path).await;
        assert_eq!(shown.texts(".subject .visibility").concat(), words);
        let home = follower.open("/").await;
        assert_eq!(home.messages()[0], format!("for {visibility}"));
    }
    let absent = stranger.get("/@author/4096").await;
    let hidden = stranger
        .get(&format!("/@author/{}", author.home_ids().await[0]))
        .await;
    assert_eq!(hidden.status, absent.status);
    assert_eq!(without_request(&hidden), without_request(&absent));
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_setting_decides_which_visibility_the_composer_offers_first() {
    let site = Site::start().await;
    let author = Person::sign_up(&site, "author").await;
    let first = async || choices(&author.open("/").await).1.concat();
    let settings = author.open("/settings").await;
    assert!(settings.has("a[href=\"/settings/privacy\"]"));
    let choose = async |one: &str| {
        let form = author.open("/settings/privacy").await;
        let form = form.form("/settings/privacy").set("visibility", one);
        let saved = author.submit_accepted(&form).await;
        assert_eq!(saved.location(), "/settings/privacy");
        let page = author.open("/settings/privacy").await;
        assert_eq!(choices(&page).1, [one]);
    };
    choose("followers").await;
    assert_eq!(first().await, "followers");
    let id = post_to(&author, "public", "one").await;
    assert_eq!(first().await, "followers", "the last post changes nothing");
    let quote = author.open(&format!("/statuses/{id}/quote")).await;
    assert_eq!(choices(&quote).1, ["followers"]);
    choose("last").await;
    assert_eq!(
        first().await,
        "public",
        "that of the last post is known again"
    );
    let form = author.open("/settings/privacy").await;
    let form = form.form("/settings/privacy").set("visibility", "friends");
    assert_eq!(author.submit(&form).await.status, StatusCode::BAD_REQUEST);
    site.assert_sound().await;
}

#[tokio::test]
async fn the_composer_remembers_the_visibility_of_the_last_post() {
    let site = Site::start().await;
    let author = Person::sign_up(&site, "author").await;
    let all = ["public", "members", "followers"]
        .map(str::to_owned)
        .to_vec();
    let selected = async |one: &str| {
        let offered = choices(&author.open("/").await);
        assert_eq!(offered, (all.clone(), vec![one.to_owned()]));
    };
    selected("public").await;
    let id = post_to(&author, "followers", "one").await;
    selected("followers").await;
    // A reply has the visibility of its conversation, and is not remembered.
    let reply = author.open(&format!("/@author/{id}")).await;
    let only = vec!["followers".to_owned()];
    assert_eq!(choices(&reply), (only.clone(), only));
    post_to(&author, "members", "two").await;
    author.reply(id, "an answer").await;
    selected("members").await;
    // A form that is given back keeps its choice.
    let form = author.open("/").await.form("/statuses");
    let refused = author
        .submit(&form.set("message", " ").set("visibility", "followers"))
        .await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(choices(&refused).1, ["followers"]);
}

#[tokio::test]
async fn only_posts_for_everyone_or_members_are_reposted_and_quoted() {
    let site = Site::start().await;
    let store = &site.store;
    let [author, follower] = sign_up(&site, ["author", "follower"]).await;
    follower.follow("author").await;
    let uid = crowd::uid(store, "follower").await;
    for (visibility, allowed) in [("public", true), ("members", true), ("followers", false)] {
        let id = post_to(&author, visibility, visibility).await;
        let status = StatusId::new(id).expect("an id");
        let page = follower.open(&format!("/@author/{id}")).await;
        assert_eq!(
            page.find_button(&format!("/statuses/{id}/repost"))
                .is_some(),
            allowed
        );
        let menu = follower.open(&format!("/statuses/{id}/menu")).await;
        assert_eq!(menu.has(".post-menu .quote"), allowed);
        let quote = follower.get(&format!("/statuses/{id}/quote")).await;
        assert_eq!(quote.status == StatusCode::OK, allowed, "{visibility}");
        let repost = reposts::repost(store, uid, status)
            .await
            .expect("an answer");
        assert_eq!(matches!(repost, Repost::Done(_)), allowed, "{visibility}");
    }
    // Authors quote their own posts for followers to followers only.
    let own = author.home_ids().await[0];
    let page = author.open(&format!("/statuses/{own}/quote")).await;
    assert_eq!(choices(&page).0, ["followers"]);
    let form = page.form(&format!("/statuses/{own}/quote"));
    let forged = form.set("message", "again").set("visibility", "public");
    author.submit_accepted(&forged).await;
    let quote = author.home_ids().await[0];
    assert_ne!(quote, own);
    let seen = Person::visitor(&site)
        .get(&format!("/@author/{quote}"))
        .await;
    assert_eq!(seen.status, StatusCode::NOT_FOUND);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_quote_of_a_post_that_the_reader_may_not_see_says_that_it_is_not_available() {
    let site = Site::start().await;
    let [author, third] = sign_up(&site, ["author", "third"]).await;
    let id = post_to(&author, "members", "secret of members").await;
    let page = third.open(&format!("/statuses/{id}/quote")).await;
    let form = page.form(&format!("/statuses/{id}/quote"));
    third
        .submit_accepted(&form.set("message", "a comment").set("visibility", "public"))
        .await;
    let quote = third.home_ids().await[0];
    let visitor = Person::visitor(&site);
    let page = visitor.open(&format!("/@third/{quote}")).await;
    assert!(!page.html.contains("secret of members"));
    assert!(!page.html.contains("@author"));
    assert_eq!(page.text(".quoted"), "This post is not available");
    assert!(
        third
            .open(&format!("/@third/{quote}"))
            .await
            .html
            .contains("secret of members")
    );
}

#[tokio::test]
async fn an_edit_narrows_at_once_and_never_widens() {
    let site = Site::start().await;
    let [author, stranger] = sign_up(&site, ["author", "stranger"]).await;
    let id = post_to(&author, "members", "for members").await;
    let edit = format!("/statuses/{id}/edit");
    let permalink = format!("/@author/{id}");
    stranger.press(&permalink, "favourite", id).await;
    stranger.press(&permalink, "repost", id).await;
    let page = author.open(&edit).await;
    assert_eq!(
        choices(&page),
        (
            vec!["members".to_owned(), "followers".to_owned()],
            vec!["members".to_owned()]
        )
    );
    let form = page.form(&edit);
    author
        .submit_accepted(&form.clone().set("visibility", "public"))
        .await;
    let visitor = Person::visitor(&site);
    assert_eq!(visitor.get(&permalink).await.status, StatusCode::NOT_FOUND);
    assert_eq!(stranger.get(&permalink).await.status, StatusCode::OK);
    author
        .submit_accepted(&form.clone().set("visibility", "followers"))
        .await;
    for path in [&permalink, "/favourites", "/@stranger", "/@author"] {
        let page = stranger.get(path).await;
        assert!(!page.html.contains("for members"), "{path}");
    }
    author
        .submit_accepted(&form.set("visibility", "members"))
        .await;
    assert_eq!(stranger.get(&permalink).await.status, StatusCode::NOT_FOUND);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_mention_in_a_post_for_followers_reaches_only_followers() {
    let core = Core::start();
    let store = &core.store;
    let author = crowd::member(store, "author").await;
    let follower = crowd::member(store, "follower").await;
    let stranger = crowd::member(store, "stranger").await;
    crowd::follow(store, follower, author).await;
    let text = "@follower and @stranger, #birds";
    let id = crowd::post_to(store, author, Visibility::Followers, text).await;
    let open = crowd::post(store, author, text).await;
    core.drain().await;
    let mention = |id| format!("mention:{id}:{author}");
    assert_eq!(members(store, follower).await, [mention(id), mention(open)]);
    assert_eq!(members(store, stranger).await, [mention(open)]);
    // Narrowing takes the notification back, with the place on homes that came by the tag.
    let by_tag = crowd::member(store, "by_tag").await;
    crowd::home(store, by_tag).await;
    crowd::follow_tag(store, by_tag, "birds").await;
    assert_eq!(crowd::home(store, by_tag).await, [text]);
    crowd::narrow(store, author, open, Visibility::Followers).await;
    core.drain().await;
    assert!(members(store, stranger).await.is_empty());
    assert!(
        crowd::timeline(store, Timeline::Home(by_tag))
            .await
            .is_empty()
    );
    let later = crowd::post_to(store, author, Visibility::Followers, "#birds later").await;
    core.drain().await;
    for (reader, has_it) in [(by_tag, false), (follower, true)] {
        let home = crowd::timeline(store, Timeline::Home(reader)).await;
        assert_eq!(home.contains(&later), has_it);
    }
    core.assert_sound().await;
}

#[tokio::test]
async fn the_form_says_who_is_mentioned_and_will_not_see_the_post() {
    let site = Site::start().await;
    let [author, follower, bob, carol] =
        sign_up(&site, ["author", "follower", "bob", "carol"]).await;
    follower.follow("author").await;
    let home = author.open("/").await.form("/statuses");
    let form = home
        .clone()
        .set("message", "@follower, @bob and @carol")
        .set("visibility", "followers");
    let asked = author.submit(&form).await;
    assert_eq!(asked.status, StatusCode::UNPROCESSABLE_ENTITY);
    let said = asked.text("#message-error");
    assert!(said.contains("@bob and @carol will not see it"), "{said}");
    assert!(author.home_ids().await.is_empty(), "nothing was posted");
    let again = asked.form("/statuses");
    author.submit_accepted(&again).await;
    assert_eq!(author.home_ids().await.len(), 1);
    for reader in [&bob, &carol] {
        assert!(reader.open("/mentions").await.messages().is_empty());
    }
    assert_eq!(follower.open("/mentions").await.messages().len(), 1);
    // Nobody is named if everyone mentioned sees the post.
    for (message, visibility) in [("@follower", "followers"), ("@bob", "members")] {
        let form = home
            .clone()
            .set("message", message)
            .set("visibility", visibility);
        let fresh = author.open("/").await.form("/statuses");
        let form = form.set("idempotency_key", fresh.value("idempotency_key"));
        author.submit_accepted(&form).await;
    }
}

#[tokio::test]
async fn tags_of_posts_that_not_everyone_sees_do_not_trend() {
    let core = Core::start();
    let store = &core.store;
    let people = crowd::people(store, "person", 2).await;
    for person in &people {
        crowd::post_to(store, *person, Visibility::Members, "#secret").await;
        let id = crowd::post(store, *person, "#open #narrowed").await;
        crowd::narrow(store, *person, id, Visibility::Followers).await;
        crowd::post(store, *person, "#open").await;
    }
    core.drain().await;
    let trends = store.trends_of_now().await.expect("an answer");
    let text = format!("{trends:?}");
    assert!(text.contains("open"), "{text}");
    assert!(
        !text.contains("secret") && !text.contains("narrowed"),
        "{text}"
    );
    core.assert_sound().await;
}
