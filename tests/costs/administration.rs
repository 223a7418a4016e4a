//! The cost of the pages for the people who run a site, and of the public numbers of decisions.

use redwing::{
    actions::moderation::Reported,
    domain::{Measure, UserId},
    store::Store,
};

use super::{Cost, cheapest, people, uid};
use crate::{
    administration::output_of,
    moderation::{decisions::decide_by, report_by},
    support::{Person, Site, pool::Redis, redis::RedisServer},
};

/// Open reports about the most reported person: more than a page shows.
const REPORTS: usize = 55;
/// Reported people: more than a page shows.
const REPORTED: usize = 45;
/// Other people, so that the list of people reads a whole part of the accounts at once.
const OTHERS: usize = 110;

const PAGES: [(&str, &str); 6] = [
    ("administration", "/admin"),
    ("administration, people", "/admin/people"),
    ("administration, reports", "/admin/reports"),
    ("administration, a case", "/admin/reports/reported_0"),
    ("administration, invited people", "/admin/people/reported_0"),
    ("public numbers of decisions", "/moderation"),
];

/// Makes somebody the owner of a site with public numbers.
async fn owner(site: &Site) -> Person {
    let owner = Person::sign_up(site, "runner").await;
    output_of(site, &["role", "runner", "owner"]);
    output_of(site, &["site", "--entrance", "open", "--public-log", "on"]);
    site.store.read_site().await.expect("an answer");
    owner
}

/// Reports many people, and one of them often. Each decision adds to the log and to the numbers.
async fn fill(store: &Store, reporters: &[UserId], reported: &[UserId]) {
    for person in reported {
        // It closes earlier reports.
        decide_by(store, *person, Measure::Warn).await;
        report_by(store, reporters[0], Reported::Person(*person)).await;
        let noted = store.add_invited(reported[0], *person).await;
        noted.expect("an answer");
    }
    for reporter in reporters {
        report_by(store, *reporter, Reported::Person(reported[0])).await;
    }
}

async fn costs_of(site: &Site, owner: &Person) -> Vec<(&'static str, Cost)> {
    let mut costs = Vec::new();
    for (label, path) in PAGES {
        costs.push((label, cheapest(site, async || owner.open(path).await).await));
    }
    costs
}

pub async fn costs(site: &Site) -> Vec<(&'static str, Cost)> {
    let owner = owner(site).await;
    people(&site.store, "other", OTHERS).await;
    let reporters = people(&site.store, "reporter", REPORTS).await;
    let reported = people(&site.store, "reported", REPORTED).await;
    fill(&site.store, &reporters, &reported).await;
    site.drain().await;
    costs_of(site, &owner).await
}

#[tokio::test]
async fn the_pages_of_the_administration_cost_the_same_on_a_larger_site() {
    let site = Site::on(Redis::Node(RedisServer::start()), &["--threads", "1"]).await;
    let small = costs(&site).await;
    let store = &site.store;
    let reporters = people(store, "later_reporter", 2 * REPORTS).await;
    let mut reported = vec![uid(store, "reported_0").await];
    reported.extend(people(store, "later_reported", REPORTED).await);
    fill(store, &reporters, &reported).await;
    site.drain().await;
    let owner = Person::log_in(&site, "runner").await;
    owner.open("/").await;
    let large = costs_of(&site, &owner).await;
    for ((label, before), (_, now)) in small.iter().zip(&large) {
        assert_eq!(
            before.0[..2],
            now.0[..2],
            "commands and round trips: {label}"
        );
    }
}
