//! Crashes of everything at any moment, under many simulated people: the app, the worker and Redis
//! are killed with SIGKILL and started again. What was acknowledged is there exactly once
//! afterwards, and nothing is there half. The seed draws what people do and when what is killed;
//! how the processes interleave is theirs, so a seed makes a failure likely again, not certain.
//!
//! On a cluster a failover may lose copies, reminders and tasks (ARCHITECTURE, "On a cluster"). So
//! two things are not asked of its timelines while it runs ([`pages::Copies`]), and everything is
//! once it was repaired, which the scrub would have done by itself in time.

mod blows;
mod crowd;
mod forms;
mod history;
mod lists;
mod network;
mod nodes;
mod pages;
mod part;
mod people;
mod report;
mod talk;
mod verdict;

use std::sync::Arc;

use futures_util::future;
use rand::{SeedableRng, rngs::StdRng};
use redwing::store::Store;

use crate::support::{
    core::configure,
    environment::variable,
    waiting::{eventually, until_the_moment},
};

use blows::{Blow, Kind, draw, strike};
use crowd::Crowd;
use network::{Network, Setup};
use pages::Copies;
use people::Citizen;
use report::Report;

/// What a run without settings of its own does, among the other tests. The kills that this seed
/// draws are of every kind.
const SEED: u64 = 108;
const KILLS: usize = 16;
const PEOPLE: usize = 10;
/// An election takes seconds, so there are fewer on a cluster; this seed draws most kinds.
const CLUSTER_SEED: u64 = 815;
const CLUSTER_KILLS: usize = 8;

#[tokio::test]
async fn nothing_acknowledged_is_lost_whatever_is_killed() {
    run(Setup::Separate).await;
}

#[tokio::test]
async fn nothing_acknowledged_is_lost_when_all_in_one_is_killed() {
    run(Setup::Embedded).await;
}

#[tokio::test]
async fn nothing_acknowledged_is_lost_whatever_is_killed_of_a_cluster() {
    run(Setup::Cluster).await;
}

async fn run(setup: Setup) {
    let (seed, kills, copies) = match setup {
        Setup::Separate | Setup::Embedded => (SEED, KILLS, Copies::Kept),
        Setup::Cluster => (CLUSTER_SEED, CLUSTER_KILLS, Copies::MayBeLost),
    };
    let (seed, kills) = (
        setting("REDWING_CHAOS_SEED", seed),
        setting("REDWING_CHAOS_KILLS", kills),
    );
    let people = setting("REDWING_CHAOS_PEOPLE", PEOPLE);
    println!("{setup:?}: SEED={seed} KILLS={kills} PEOPLE={people}");
    let blows = draw(&mut StdRng::seed_from_u64(seed), setup, kills);
    let mut network = Network::start(setup);
    let crowd = Crowd::new(&network.base, copies);
    crowd.ready().await;

    let lives = (0..people).map(|number| Citizen::new(&crowd, seed, number).live());
    let (citizens, struck) = future::join(
        future::join_all(lives),
        strike_all(&mut network, &crowd, &blows),
    )
    .await;
    settle(&network, &crowd).await;
    for citizen in &citizens {
        if !citizen.person.is_logged_in().await {
            let login = citizen.person.login.as_str();
            crowd.fault(&format!("the session of {login} is gone"), &[login, "Log"]);
        }
    }
    if copies == Copies::MayBeLost {
        let (_, said) = network.check(&["--repair"]);
        println!("redwing check --repair:\n{said}");
    }
    let (sound, said) = network.check(&[]);
    if !sound {
        crowd.fault(&format!("redwing check:\n{said}"), &[]);
    }
    let verdict = verdict::reach(&crowd).await;
    println!(
        "{}",
        Report {
            crowd: &crowd,
            struck: &struck,
            verdict: &verdict
        }
    );
    println!("{setup:?}: SEED={seed} KILLS={kills} PEOPLE={people}");
    let history = crowd.history.borrow();
    let faults = history.faults().join("\n");
    assert!(faults.is_empty(), "SEED={seed} KILLS={kills}\n{faults}");
}

/// Strikes one blow after the other, as long as nothing was found wrong; then everybody goes home.
async fn strike_all(network: &mut Network, crowd: &Crowd, blows: &[Blow]) -> Vec<Kind> {
    let mut struck = Vec::new();
    for blow in blows {
        crowd.after_requests(blow.after_requests).await;
        until_the_moment(blow.moment).await;
        if network.died_by_itself() {
            crowd.fault("a process ended though nobody had killed it", &[]);
        }
        if crowd.has_faults() {
            break;
        }
        strike(network, blow).await;
        struck.push(blow.kind);
        if blow.recovers {
            crowd.ready().await;
        }
    }
    if network.setup == Setup::Cluster {
        network.nodes().whole().await;
    }
    crowd.ready().await;
    crowd.after_requests(50).await;
    crowd.end();
    struck
}

/// Until the worker has done all that is to be done and all that was due later.
async fn settle(network: &Network, crowd: &Crowd) {
    crowd.ready().await;
    let store = Store::open(&network.redis_url(), Arc::new(configure(&[]))).expect("an address");
    eventually("nothing is left to do", async || {
        matches!(store.task_counts().await, Ok([0, 0, _]))
    })
    .await;
}

/// What `scripts/chaos` asks for.
fn setting<T: std::str::FromStr>(name: &str, otherwise: T) -> T {
    let given = variable(name).and_then(|text| text.to_str()?.parse().ok());
    given.unwrap_or(otherwise)
}
