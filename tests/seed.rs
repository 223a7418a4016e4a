//! The seed: every page of its network has content, and a second run creates no duplicates.

use redwing::{
    domain::{Login, ProfileView},
    seed::{self, SeedArgs},
    store::{Store, Viewer, VisibleStatus},
};

use crate::support::{
    PASSWORD, Page, Person, Site, crowd, leftovers, pool::Redis, process::Home, redis::RedisServer,
};

/// Number of people in the graph; all of them are connected to the first.
const PEOPLE: u64 = 24;
pub const MOST_FOLLOWED: &str = "p1";

/// Seeds a graph with the demo's messages: all of them, or the first ones.
pub async fn seed(store: &Store, posts: Option<usize>) -> String {
    let directory = leftovers::directory("redwing-seed-");
    let path = directory.path().join("graph.txt");
    let hub = (2..=PEOPLE).map(|other| format!("1 {other}\n"));
    let ring = (2..PEOPLE).map(|one| format!("{one} {}\n", one + 1));
    let edges: String = hub.chain(ring).collect();
    std::fs::write(&path, edges).expect("the directory is writable");
    let args = SeedArgs {
        graph: Some(path),
        messages: None,
        password: PASSWORD.to_owned(),
        posts,
        at_once: 16,
    };
    let done = seed::run(args, store).await.expect("the seed succeeds");
    done.to_string()
}

pub async fn statuses(store: &Store, login: &str) -> Vec<VisibleStatus> {
    let who = crowd::uid(store, login).await;
    let (mut found, mut before) = (Vec::new(), None);
    loop {
        let view = ProfileView::PostsAndReplies;
        let page = store.profile_page(Viewer::Anonymous, who, view, before);
        let page = page.await.expect("an answer");
        found.extend(page.items);
        before = page.next;
        if before.is_none() {
            return found;
        }
    }
}

fn logins() -> impl Iterator<Item = String> {
    (1..=PEOPLE).map(|number| format!("p{number}"))
}

/// Returns all counts of the site, in lines.
async fn all_counts(site: &Site, most_followed: &Person) -> Vec<String> {
    let store = &site.store;
    let mut lines = Vec::new();
    for login in logins() {
        let parsed = Login::parse(&login).expect("a login");
        let user = store.user_by_login(&parsed).await.expect("an answer");
        let user = user.expect("the person exists");
        let counts = (user.posts, user.followers, user.following);
        lines.push(format!("{login} {counts:?}"));
        for list in store.lists(user.id).await.expect("an answer") {
            lines.push(format!(
                "{login} {} {} {}",
                list.name, list.members, list.exclusive
            ));
        }
        for status in statuses(store, &login).await {
            let of = status.shown();
            let counts = (
                of.favourite_count(),
                of.reply_count(),
                of.repost_count(),
                of.quote_count(),
            );
            let people = of.poll().map(|(_, tally)| tally.people);
            let text = of.message();
            lines.push(format!("{text} {counts:?} {people:?} {}", of.revision()));
        }
    }
    for path in ["/favourites", "/bookmarks", "/mentions", "/notifications"] {
        for page in most_followed.pages(path).await {
            lines.extend(page.texts(".e-content, .notifications blockquote"));
        }
    }
    lines.extend(most_followed.open("/tags").await.texts(".people.tags bdi"));
    lines
}

/// Checks that the page has at least this many elements, each with text.
#[track_caller]
fn assert_full(page: &Page, css: &str, least: usize) {
    let texts = page.texts(css);
    let full = texts.len() >= least && texts.iter().all(|text| !text.trim().is_empty());
    assert!(full, "{css}: {texts:?} in\n{}", page.html);
}

#[tokio::test]
async fn every_page_of_a_seeded_network_has_content() {
    let site = Site::start().await;
    let said = seed(&site.store, None).await;
    assert!(
        said.contains(&format!("Log in as {MOST_FOLLOWED}, ")),
        "{said}"
    );
    site.drain().await;
    let most_followed = Person::log_in(&site, MOST_FOLLOWED).await;
    for (path, css, least) in [
        ("/important", ".status .ranking-reason", 20),
        ("/", ".status .e-content", 30),
        ("/", ".trending a", 2),
        ("/@p1", ".status .e-content", 5),
        ("/@p1/replies", ".status .replying-to", 1),
        ("/mentions", ".status .e-content a[href=\"/@p1\"]", 5),
        ("/favourites", ".status .e-content", 5),
        ("/bookmarks", ".status .e-content", 2),
        ("/tags", ".people.tags bdi", 1),
        ("/lists", ".lists li", 1),
        ("/lists/1", ".status .e-content", 5),
        ("/search?q=the", ".status .e-content", 5),
    ] {
        assert_full(&most_followed.open(path).await, css, least);
    }
    let tag = most_followed
        .open("/tags")
        .await
        .attributes(".people.tags a", "href");
    assert_full(&most_followed.open(&tag[0]).await, ".status .e-content", 3);
    assert_all_notification_kinds(&most_followed.pages("/notifications").await);
    assert_has_preference(&most_followed).await;
    site.assert_sound().await;
}

fn assert_all_notification_kinds(pages: &[Page]) {
    let lines = pages
        .iter()
        .flat_map(|page| page.texts(".notifications li p"));
    let lines = lines.collect::<Vec<_>>().join("\n");
    for did in ["follow", "favour", "quoted", "replied", "mention"] {
        assert!(lines.contains(did), "{did}:\n{lines}");
    }
}

/// Checks that the most followed person sees more or less of at least one person.
async fn assert_has_preference(most_followed: &Person) {
    let mut with_preference = 0;
    for login in logins().skip(1) {
        let page = most_followed.open(&format!("/@{login}")).await;
        let pressed = page.attributes(".author-preference [aria-pressed=true]", "value");
        with_preference += pressed.iter().filter(|value| *value != "normal").count();
    }
    assert!(with_preference > 0);
}

#[tokio::test]
async fn the_seed_creates_posts_of_every_kind() {
    let site = Site::start().await;
    seed(&site.store, None).await;
    let most_followed = Person::log_in(&site, MOST_FOLLOWED).await;
    let mut all = Vec::new();
    for login in logins() {
        let own = statuses(&site.store, &login).await;
        all.extend(own.into_iter().map(|status| (login.clone(), status)));
    }
    let open = async |is: &dyn Fn(&VisibleStatus) -> bool, page: &str, css: &str| {
        let found = all.iter().find(|(_, status)| is(status));
        let (login, status) = found.unwrap_or_else(|| panic!("none with {css}"));
        let path = format!("/@{login}/{}{page}", status.id());
        assert_full(&most_followed.open(&path).await, css, 1);
    };
    let voted = |status: &VisibleStatus| status.poll().is_some_and(|(_, tally)| tally.people > 0);
    open(&voted, "", ".poll label, .poll li").await;
    open(&|status| status.warning().is_some(), "", ".warned summary").await;
    open(
        &|status| status.revision() == 1,
        "/versions",
        ".versions .version-text",
    )
    .await;
    open(
        &|status| status.quoted().is_some(),
        "",
        ".quoted .p-content",
    )
    .await;
    open(
        &|status| status.reply_count() > 0,
        "",
        ".nested-replies .status .e-content, .reply-list .e-content",
    )
    .await;
}

/// Deletes the idempotency keys, as the passing of some hours would.
fn delete_idempotency_keys(site: &Site) {
    let node = site.redis.one_node();
    let keys = node.ask(&["KEYS", "idempotency:*"]);
    let keys: Vec<&str> = keys
        .lines()
        .filter(|line| line.starts_with("idempotency:"))
        .collect();
    assert!(!keys.is_empty());
    for key in keys {
        node.command(&["DEL", key]);
    }
}

#[tokio::test]
async fn an_interrupted_and_repeated_run_creates_no_duplicates() {
    let site = Site::on(Redis::Node(RedisServer::start()), &[]).await;
    seed(&site.store, Some(2 * PEOPLE as usize)).await;
    delete_idempotency_keys(&site);
    seed(&site.store, None).await;
    site.drain().await;
    let most_followed = Person::log_in(&site, MOST_FOLLOWED).await;
    let before = all_counts(&site, &most_followed).await;
    for login in logins() {
        let statuses = statuses(&site.store, &login).await;
        let mut texts: Vec<&str> = statuses.iter().map(VisibleStatus::message).collect();
        texts.retain(|text| !text.is_empty());
        let said = texts.len();
        texts.sort_unstable();
        texts.dedup();
        assert_eq!(texts.len(), said, "{login}");
    }
    delete_idempotency_keys(&site);
    seed(&site.store, None).await;
    site.drain().await;
    assert_eq!(all_counts(&site, &most_followed).await, before);
    site.assert_sound().await;
}

#[test]
fn the_embedded_server_rewrites_its_files_while_the_seed_runs() {
    let home = Home::new();
    let output = home.run(&["seed", "--posts", "50"]);
    assert!(output.status.success(), "{output:?}");
    // The first rewrite is due at once. The server begins none by itself.
    let files = home.path().join("redis/appendonlydir");
    let list = std::fs::read_to_string(files.join("appendonly.aof.manifest"));
    let list = list.expect("the server has files");
    assert!(list.contains("file appendonly.aof.2.base.rdb"), "{list}");
}

#[test]
fn follows_beyond_the_limit_are_reported_and_end_with_status_1() {
    let home = Home::new();
    let directory = leftovers::directory("redwing-seed-");
    let path = directory.path().join("graph.txt");
    std::fs::write(&path, "1 2\n1 3\n1 4\n1 5\n").expect("the directory is writable");
    let graph = path.to_str().expect("the path is text");
    let seed = |limit: &str| {
        let output = home.run(&[
            "seed",
            "--graph",
            graph,
            "--posts",
            "5",
            "--max-following",
            limit,
        ]);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code(), said)
    };
    let (status, said) = seed("3");
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("Created 5 people, 7 follows and "), "{said}");
    let refused = "Refused follows: 1, because of REDWING_MAX_FOLLOWING. Raise it";
    assert!(said.contains(refused), "{said}");
    let (status, said) = seed("4");
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("Created 0 people, 1 follows and "), "{said}");
    assert!(!said.contains("Refused"), "{said}");
}
