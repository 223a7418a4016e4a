//! Crashes of all processes at random moments, under many simulated people. The app, the worker and
//! Redis are killed with SIGKILL and started again. Afterwards every acknowledged write is present
//! exactly once, and no write is half applied. The seed determines people's actions and the
//! kills. The interleaving of processes is not determined, so the same seed repeats a failure only
//! with some probability.
//!
//! On a cluster a failover may lose derived copies, outbox entries and tasks (ARCHITECTURE, "On a
//! cluster"). So two claims are not made about cluster timelines during the run
//! ([`pages::Copies`]). All claims are made after a repair, which the scrub would have done by
//! itself in time.

mod crowd;
mod disruptions;
mod forms;
mod groups;
mod history;
mod lists;
mod messages;
mod network;
mod nodes;
mod pages;
mod people;
mod privacy;
mod report;
mod restartable_process;
mod talk;
mod verdict;

use std::sync::Arc;

use futures_util::future;
use rand::{SeedableRng, rngs::StdRng};
use redwing::store::Store;

use crate::support::{
    core::configure,
    environment::variable,
    waiting::{eventually, pause_for},
};

use crowd::Crowd;
use disruptions::{Disruption, Kind, disrupt, draw};
use network::{Network, Setup};
use pages::Copies;
use people::Citizen;
use report::Report;

/// Default seed of the run among the other tests. It draws kills of every kind.
const SEED: u64 = 108;
const KILLS: usize = 16;
const PEOPLE: usize = 10;
/// Default seed on a cluster. An election takes seconds, so there are fewer kills; this seed draws
/// most kinds.
const CLUSTER_SEED: u64 = 815;
const CLUSTER_KILLS: usize = 8;

#[tokio::test]
async fn no_acknowledged_write_is_lost_when_any_process_is_killed() {
    run(Setup::Separate).await;
}

#[tokio::test]
async fn no_acknowledged_write_is_lost_when_the_single_process_is_killed() {
    run(Setup::Embedded).await;
}

#[tokio::test]
async fn no_acknowledged_write_is_lost_when_any_cluster_process_is_killed() {
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
    let disruptions = draw(&mut StdRng::seed_from_u64(seed), setup, kills);
    let mut network = Network::start(setup);
    let crowd = Crowd::new(&network.base, copies);
    crowd.ready().await;

    let lives = (0..people).map(|number| Citizen::new(&crowd, seed, number).live());
    let (citizens, disrupted) = future::join(
        future::join_all(lives),
        disrupt_until_fault(&mut network, &crowd, &disruptions),
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
    for pair in citizens.iter().filter_map(|citizen| citizen.pair.as_ref()) {
        pair.check(&crowd, Copies::Kept).await;
    }
    println!(
        "{}",
        Report {
            crowd: &crowd,
            disrupted: &disrupted,
            verdict: &verdict
        }
    );
    println!("{setup:?}: SEED={seed} KILLS={kills} PEOPLE={people}");
    let history = crowd.history.borrow();
    let faults = history.faults().join("\n");
    assert!(faults.is_empty(), "SEED={seed} KILLS={kills}\n{faults}");
}

/// Applies one disruption after the other until a fault is found, then ends the crowd.
async fn disrupt_until_fault(
    network: &mut Network,
    crowd: &Crowd,
    disruptions: &[Disruption],
) -> Vec<Kind> {
    let mut disrupted = Vec::new();
    for disruption in disruptions {
        crowd.after_requests(disruption.after_requests).await;
        pause_for(disruption.moment).await;
        if network.died_by_itself() {
            crowd.fault("a process ended without being killed", &[]);
        }
        if crowd.has_faults() {
            break;
        }
        crowd.history.borrow_mut().disruption_begins();
        disrupt(network, disruption).await;
        disrupted.push(disruption.kind);
        if disruption.recovers {
            crowd.ready().await;
        }
        crowd.history.borrow_mut().disruption_ends();
    }
    if network.setup == Setup::Cluster {
        network.nodes().whole().await;
    }
    crowd.ready().await;
    crowd.after_requests(50).await;
    crowd.end();
    disrupted
}

/// Waits until the worker has done all tasks and all delayed tasks.
async fn settle(network: &Network, crowd: &Crowd) {
    crowd.ready().await;
    let store = Store::open(&network.redis_url(), Arc::new(configure(&[]))).expect("an address");
    eventually("no task is left", async || {
        matches!(
            crate::support::state::task_counts(&store).await,
            Ok([0, 0, _])
        )
    })
    .await;
}

/// Returns a setting given by `scripts/chaos`, or the default.
fn setting<T: std::str::FromStr>(name: &str, otherwise: T) -> T {
    let given = variable(name).and_then(|text| text.to_str()?.parse().ok());
    given.unwrap_or(otherwise)
}
