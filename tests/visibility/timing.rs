//! What the viewer may not see costs as much as what does not exist: as many commands and round trips, and as much
//! time. So time tells no one that something is hidden.

use std::time::{Duration, Instant};

use redwing::domain::{Draft, GroupKind, Message, Visibility};

use super::existence::Scene;
use crate::{
    costs::print_uncaptured,
    support::{
        Person, Site,
        crowd::{self, uid},
        groups,
        pool::Redis,
        redis::RedisServer,
        redis_counters::{Counters, Spent},
    },
};

/// Number of measured requests of which the cheapest counts. Another request may have loaded a script meanwhile.
const ROUNDS: usize = 4;
/// Number of requests whose time is measured.
const REQUESTS: usize = 1000;

/// What is compared: a name, and the paths of what is hidden and of what does not exist.
type Pair = (String, [String; 2]);

async fn scene() -> Scene {
    let site = Site::on(Redis::Node(RedisServer::start()), &["--threads", "1"]).await;
    let scene = Scene::on(site).await;
    let store = &scene.site.store;
    let away = crowd::member(store, "suspended").await;
    crowd::set_suspended(store, away, true).await;
    crowd::applicant(store, "waiting").await;
    let id = redwing::domain::StatusId::new(scene.hidden[0]).expect("an id");
    // Followers of the author have reacted to what the stranger does not see.
    let author = uid(store, "author").await;
    for fan in crowd::followers(store, author, 3).await {
        crowd::favourite(store, fan, id).await;
    }
    let mut secret = groups::draft("secret-one", GroupKind::Private);
    secret.settings.is_unlisted = true;
    groups::found(store, author, &secret).await;
    scene
}

fn pairs(scene: &Scene) -> Vec<Pair> {
    let hidden = scene.hidden[0];
    let absent = hidden + 7;
    let pages = ["", "/versions", "/favourites", "/reposts"].map(|page| {
        let path = |id: u64| format!("/@author/{id}{page}");
        (format!("post{page}"), [hidden, absent].map(path))
    });
    let by_id = ["", "/quote", "/state"].map(|page| {
        let path = |id: u64| format!("/statuses/{id}{page}");
        (format!("status{page}"), [hidden, absent].map(path))
    });
    let people = ["", "/followers", "/following", "/report"].map(|page| {
        let path = |login: &str| format!("/@{login}{page}");
        (format!("blocker{page}"), ["blocker", "no_such"].map(path))
    });
    let others = ["suspended", "waiting"].map(|login| {
        let paths = [format!("/@{login}"), "/@no_suchone".to_owned()];
        (login.to_owned(), paths)
    });
    let of_blocker = scene.of_blocker[0];
    let post = ["blocker", "no_such"].map(|login| format!("/@{login}/{of_blocker}"));
    let groups = ["", "/feed", "/leave", "/report"].map(|page| {
        let path = |slug: &str| format!("/groups/{slug}{page}");
        (
            format!("unlisted group{page}"),
            ["secret-one", "absent-one"].map(path),
        )
    });
    let all = pages.into_iter().chain(by_id).chain(people).chain(others);
    all.chain([("post of a blocker".to_owned(), post)])
        .chain(groups)
        .collect()
}

async fn cheapest(scene: &Scene, who: &Person, path: &str) -> Spent {
    let redis = scene.site.redis.one_node();
    let mut least = None;
    for _ in 0..ROUNDS {
        let before = Counters::of(redis);
        let answer = who.get(path).await;
        let spent = before.spent_on(redis);
        assert_eq!(answer.status, reqwest::StatusCode::NOT_FOUND, "{path}");
        let costs = |spent: &Spent| (spent.commands, spent.round_trips);
        let is_less = |least: &Spent| costs(&spent) < costs(least);
        least = Some(least.filter(|least| !is_less(least)).unwrap_or(spent));
    }
    least.expect("it was asked for")
}

#[tokio::test]
async fn hidden_and_absent_things_cost_as_many_commands_and_round_trips() {
    let scene = scene().await;
    let visitor = Person::visitor(&scene.site);
    for (what, [hidden, absent]) in pairs(&scene) {
        // A visitor who asks to leave or to report a group is asked to log in, whatever the group.
        let is_of_member = what.ends_with("/leave") || what.ends_with("/report");
        let is_for_members = what.contains("blocker") || is_of_member;
        let is_for_everyone = !is_for_members && !what.starts_with("status/");
        let viewers = [Some(&scene.stranger), is_for_everyone.then_some(&visitor)];
        for viewer in viewers.into_iter().flatten() {
            let one = cheapest(&scene, viewer, &hidden).await;
            let other = cheapest(&scene, viewer, &absent).await;
            let both = [one, other].map(|spent| (spent.commands, spent.round_trips));
            assert_eq!(both[0], both[1], "{what} for {:?}", viewer.login);
        }
    }
}

#[tokio::test]
async fn a_search_for_a_word_of_a_hidden_post_costs_as_many_commands_as_for_an_absent_word() {
    let scene = scene().await;
    let store = &scene.site.store;
    let author = uid(store, "author").await;
    let draft = Draft {
        visibility: Visibility::Followers,
        ..Draft::from(&Message::parse("zanzibar and marmalade").expect("a message"))
    };
    crowd::post_draft(store, author, draft).await;
    crowd::post(store, author, "oranges for everybody").await;
    scene.site.drain().await;
    let redis = scene.site.redis.one_node();
    for (hidden, absent) in [
        ("zanzibar", "quicksilver"),
        ("from:author+zanzibar", "from:author+quicksilver"),
        ("oranges+zanzibar", "oranges+quicksilver"),
        ("marmalade+zanzibar", "quicksilver+gasometer"),
    ] {
        let mut costs = Vec::new();
        for words in [hidden, absent] {
            let mut least = (u64::MAX, u64::MAX);
            for _ in 0..ROUNDS {
                let before = Counters::of(redis);
                let page = scene.stranger.open(&format!("/search?q={words}")).await;
                let spent = before.spent_on(redis);
                assert!(page.status_ids().is_empty(), "{words}");
                least = least.min((spent.commands, spent.round_trips));
            }
            costs.push(least);
        }
        assert_eq!(costs[0], costs[1], "{hidden}");
    }
}

/// Prints how far times tell hidden things from absent ones. It asserts nothing, because a machine can be busy.
#[tokio::test]
async fn times_of_hidden_and_absent_things_are_reported() {
    let scene = scene().await;
    for (what, paths) in pairs(&scene) {
        if !["post", "blocker", "post/favourites"].contains(&what.as_str()) {
            continue;
        }
        let mut times: [Vec<Duration>; 2] = Default::default();
        for round in 0..REQUESTS {
            // In turn and in both orders, so that a slow moment meets both.
            for which in [round % 2, (round + 1) % 2] {
                let start = Instant::now();
                scene.stranger.get(&paths[which]).await;
                times[which].push(start.elapsed());
            }
        }
        let pairs = times[0].iter().zip(&times[1]);
        let slower = pairs.filter(|(hidden, absent)| hidden > absent).count();
        let [hidden, absent] = times.map(median);
        print_uncaptured(&format!(
            "time: {what}: median of {REQUESTS}: hidden {} µs, absent {} µs; hidden was slower in {} % of pairs\n",
            hidden.as_micros(),
            absent.as_micros(),
            slower * 100 / REQUESTS
        ));
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
