//! The cost of pages and forms in Redis. The figures are the same on every machine, and are
//! compared with `benches/costs.md`, bytes with a tolerance of 1 %. A change is reported on standard
//! error and fails no test: a person decides whether to accept it. `REDWING_COSTS=write` writes the
//! new figures.

mod administration;
mod groups;
mod messages;
mod processor;

use std::{collections::HashMap, fmt, io::Write, path::Path};

use redwing::{
    actions::pinned_posts,
    domain::{PinnedPosts, StatusId},
    store::{PinOutcome, Store},
};

use crate::support::{
    Page, Person, Site,
    crowd::{favourite, follow, followers, member, people, post, quote, reply, repost, uid},
    environment,
    pool::Redis,
    redis::RedisServer,
    redis_counters::Counters,
};

const FILE: &str = "benches/costs.md";
const HEAD: &str = "\
# Cost of pages and forms in Redis

Written by the test `costs`. `make test` reports changes. Commands include those of scripts. Round trips are reads
of Redis from sockets. Bytes are those to and from Redis, and of the response.

| page or form | commands | round trips | bytes to Redis | bytes from Redis | bytes of the response |
|---|---|---|---|---|---|
";
/// Number of repetitions. The cheapest counts, because a first request may load scripts or connect.
const ROUNDS: usize = 4;

/// Cost of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cost([u64; 5]);

impl Cost {
    const NAMES: [&str; 5] = [
        "commands",
        "round trips",
        "bytes to Redis",
        "bytes from Redis",
        "bytes",
    ];
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let figures = self.0.map(|figure| figure.to_string());
        write!(f, "{}", figures.join(" | "))
    }
}

#[tokio::test]
async fn changed_costs_of_pages_and_forms_are_reported() {
    let site = Site::on(Redis::Node(RedisServer::start()), &["--threads", "1"]).await;
    let reader = Person::sign_up(&site, "reader").await;
    create_reader_and_star(&site.store, uid(&site.store, "reader").await).await;
    let visitor = Person::visitor(&site);
    let older = reader.open("/").await.older().expect("home goes on");
    let permalink = reader.open("/@author_0").await.status_ids()[0];
    let conversation = fill_pages(&site, StatusId::new(permalink).expect("an id")).await;
    let permalink = format!("/@author_0/{permalink}");

    let mut costs = Vec::new();
    for (label, who, path) in [
        ("home", &reader, "/"),
        ("second page of home", &reader, &older),
        ("important", &reader, "/important"),
        ("everybody", &reader, "/everybody"),
        ("profile", &reader, "/@author_0"),
        ("profile with five pinned posts", &reader, "/@pinner"),
        ("permalink", &reader, &permalink),
        ("conversation of 30 replies", &reader, &conversation),
        ("tag", &reader, "/tags/kettle"),
        ("mentions", &reader, "/mentions"),
        ("notifications", &reader, "/notifications"),
        ("favourites", &reader, "/favourites"),
        ("search, the most common word", &reader, "/search?q=kettle"),
        (
            "search, a common and a rare word",
            &reader,
            "/search?q=kettle+29",
        ),
        ("followers", &reader, "/@author_0/followers"),
        ("landing", &visitor, "/"),
    ] {
        costs.push((label, cheapest(&site, async || who.open(path).await).await));
    }
    costs.extend(forms(&site, &reader).await);
    costs.extend(messages::costs(&site, &reader).await);
    costs.push((
        "home of a reader with conversations",
        home_with_conversations(&site).await,
    ));
    costs.extend(groups::costs(&site, &reader).await);
    costs.extend(administration::costs(&site).await);
    report_changes(&costs);
}

/// Creates a reader of 40 people with two full pages, and a star with a hundred followers.
async fn create_reader_and_star(store: &Store, reader: redwing::domain::UserId) {
    let authors = people(store, "author", 40).await;
    for author in &authors {
        follow(store, reader, *author).await;
    }
    for round in 0..2 {
        for author in &authors {
            let text = format!("{round}: {}", "the kettle is on ".repeat(8));
            post(store, *author, text.trim()).await;
        }
    }
    let pinner = member(store, "pinner").await;
    for number in 0..7 {
        let id = post(store, pinner, &format!("worth a pin: {number}")).await;
        if number < PinnedPosts::MAX {
            let pinned = pinned_posts::pin(store, pinner, id).await;
            assert_eq!(pinned.expect("an answer"), PinOutcome::Done);
        }
    }
    followers(store, reader, 100).await;
    member(store, "stranger").await;
}

/// Fills pages of a tag, of mentions, of notifications and of favourites. Returns the path of a
/// post with thirty replies.
async fn fill_pages(site: &Site, favourited: StatusId) -> String {
    let store = &site.store;
    let reader = uid(store, "reader").await;
    let host = member(store, "host").await;
    let fans = people(store, "fan", 30).await;
    let id = post(store, host, "a kettle to talk about").await;
    let own = post(store, reader, "of the reader").await;
    favourite(store, reader, favourited).await;
    for (number, fan) in fans.into_iter().enumerate() {
        reply(store, fan, id, &format!("answer {number}")).await;
        let said = format!("@reader, a #kettle: {number}");
        let said = post(store, fan, &said).await;
        favourite(store, reader, said).await;
        favourite(store, fan, own).await;
    }
    site.drain().await;
    format!("/@host/{id}")
}

/// Lets the authors talk, and measures the first look of further readers at their homes since then.
async fn home_with_conversations(site: &Site) -> Cost {
    let store = &site.store;
    let mut authors = Vec::new();
    for number in 0..40 {
        authors.push(uid(store, &format!("author_{number}")).await);
    }
    let mut readers = Vec::new();
    for number in 0..ROUNDS {
        let login = format!("reader_{number}");
        let reader = Person::sign_up(site, &login).await;
        let id = uid(store, &login).await;
        for author in &authors {
            follow(store, id, *author).await;
        }
        reader.open("/").await;
        readers.push(reader);
    }
    for pair in authors[..11].windows(2) {
        let id = post(store, pair[0], "@author_1, is the #kettle on?").await;
        let answer = reply(store, pair[1], id, "It is.").await;
        favourite(store, pair[0], answer).await;
        repost(store, pair[1], id).await;
        quote(store, pair[1], id, "A good question.").await;
    }
    site.drain().await;
    let mut least = None;
    for reader in &readers {
        least = cheaper(least, cost(site, async || reader.open("/").await).await);
    }
    least.expect("there are readers")
}

async fn forms(site: &Site, reader: &Person) -> Vec<(&'static str, Cost)> {
    let loner = Person::sign_up(site, "loner").await;
    let mut costs = Vec::new();
    for (label, who) in [
        ("post without followers", &loner),
        ("post to 100 followers", reader),
    ] {
        let mut least = None;
        for number in 0..ROUNDS {
            let form = who.open("/").await.form("/statuses");
            let form = form.set("message", &format!("number {number}"));
            let cost = cost(site, async || who.submit_accepted(&form).await).await;
            least = cheaper(least, cost);
        }
        costs.extend(least.map(|least| (label, least)));
    }
    let (mut followed, mut left) = (None, None);
    for _ in 0..ROUNDS {
        let profile = loner.open("/@author_1").await;
        let form = profile.form("/@author_1/follow");
        followed = cheaper(
            followed,
            cost(site, async || loner.submit_accepted(&form).await).await,
        );
        let profile = loner.open("/@author_1").await;
        let form = profile.form("/@author_1/unfollow");
        left = cheaper(
            left,
            cost(site, async || loner.submit_accepted(&form).await).await,
        );
    }
    costs.extend(followed.map(|cost| ("follow", cost)));
    costs.extend(left.map(|cost| ("unfollow", cost)));
    costs
}

async fn cheapest(site: &Site, ask: impl AsyncFn() -> Page) -> Cost {
    let mut least = None;
    for _ in 0..ROUNDS {
        least = cheaper(least, cost(site, &ask).await);
    }
    least.expect("it was asked for")
}

fn cheaper(least: Option<Cost>, cost: Cost) -> Option<Cost> {
    Some(least.map_or(cost, |least| Cost(least.0.min(cost.0))))
}

async fn cost(site: &Site, ask: impl AsyncFn() -> Page) -> Cost {
    let before = Counters::of(site.redis.one_node());
    let page = ask().await;
    let redis = before.spent_on(site.redis.one_node());
    Cost([
        redis.commands,
        redis.round_trips,
        redis.input,
        redis.output,
        page.html.len() as u64,
    ])
}

/// Prints differences from the committed figures.
fn report_changes(costs: &[(&str, Cost)]) {
    let lines = costs
        .iter()
        .map(|(label, cost)| format!("| {label} | {cost} |\n"));
    let table = HEAD.to_owned() + &lines.collect::<String>();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    if is_to_be_written() {
        std::fs::write(&file, table).expect("the file can be written");
        return;
    }
    let committed = committed(&std::fs::read_to_string(&file).expect("the file is committed"));
    let mut changes = String::new();
    for (label, cost) in costs {
        let Some(before) = committed.get(*label) else {
            panic!("{FILE} has no row {label}: REDWING_COSTS=write rewrites it");
        };
        for (name, (now, before)) in Cost::NAMES.iter().zip(cost.0.iter().zip(before.0)) {
            // Bytes differ slightly between runs, because ids are drawn and people sign up at once.
            let tolerated = if name.starts_with("bytes") {
                before / 100
            } else {
                0
            };
            if now.abs_diff(before) > tolerated {
                let percent = (*now as f64 / before.max(1) as f64 - 1.0) * 100.0;
                changes += &format!("cost: {label}: {name} {before} → {now} ({percent:+.0} %)\n");
            }
        }
    }
    if changes.is_empty() {
        changes =
            "cost: the costs of pages and forms in Redis equal the committed ones\n".to_owned();
    }
    print_uncaptured(&changes);
}

/// Returns whether the current figures are to be written to the file.
fn is_to_be_written() -> bool {
    environment::variable("REDWING_COSTS").is_some_and(|value| value == "write")
}

/// Prints past the output capture of successful tests.
pub fn print_uncaptured(lines: &str) {
    std::io::stderr()
        .write_all(lines.as_bytes())
        .expect("there is a standard error");
}

fn committed(table: &str) -> HashMap<String, Cost> {
    let lines = table.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ");
        let label = cells.next()?.to_owned();
        let figures: Vec<u64> = cells.filter_map(|cell| cell.parse().ok()).collect();
        Some((label, Cost(figures.try_into().ok()?)))
    });
    lines.collect()
}
