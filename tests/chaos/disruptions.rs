//! Kills, freezes and slot moves, with their times. They are drawn from the seed before the run
//! starts. A time is a number of requests, so that a disruption happens in the middle of them.

use std::{fmt, time::Duration};

use rand::{RngExt, rngs::StdRng};

use super::network::{Network, Setup, Target, WRITE_DEADLINE};
use crate::support::waiting::pause_for;

/// One disruption, with its kind and its time.
#[derive(Debug, Clone, Copy)]
pub struct Disruption {
    pub kind: Kind,
    /// Number of further requests before the disruption, followed by a delay.
    pub after_requests: u64,
    pub moment: Duration,
    /// Time until the target is started again or thawed.
    pub down_for: Duration,
    /// Whether the next disruption waits until the site is ready again.
    pub recovers: bool,
    /// Random number that selects a node of a cluster.
    pub drawn: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    App,
    Worker,
    Redis,
    AppAndRedis,
    Everything,
    AppAsItStarts,
    RedisAsItStarts,
    RedisFrozen,
    AppFrozen,
    AppWhileRedisIsFrozen,
    Primary,
    PrimaryBackAtOnce,
    PrimaryFrozen,
    AppAndPrimary,
    Replica,
    SlotsMoved,
}

impl Kind {
    const SEPARATE: [Self; 18] = [
        Self::App,
        Self::App,
        Self::App,
        Self::App,
        Self::Worker,
        Self::Worker,
        Self::Worker,
        Self::Redis,
        Self::Redis,
        Self::Redis,
        Self::AppAndRedis,
        Self::AppAndRedis,
        Self::Everything,
        Self::AppAsItStarts,
        Self::RedisAsItStarts,
        Self::RedisFrozen,
        Self::AppFrozen,
        Self::AppWhileRedisIsFrozen,
    ];
    const EMBEDDED: [Self; 5] = [
        Self::App,
        Self::Redis,
        Self::Everything,
        Self::Everything,
        Self::AppAsItStarts,
    ];

    const CLUSTER: [Self; 16] = [
        Self::App,
        Self::App,
        Self::Worker,
        Self::Worker,
        Self::AppAsItStarts,
        Self::Primary,
        Self::Primary,
        Self::Primary,
        Self::PrimaryBackAtOnce,
        Self::PrimaryBackAtOnce,
        Self::PrimaryFrozen,
        Self::AppAndPrimary,
        Self::AppAndPrimary,
        Self::Replica,
        Self::Replica,
        Self::SlotsMoved,
    ];

    fn all(setup: Setup) -> &'static [Self] {
        match setup {
            Setup::Separate => &Self::SEPARATE,
            Setup::Embedded => &Self::EMBEDDED,
            Setup::Cluster => &Self::CLUSTER,
        }
    }

    /// Returns whether the disruption ends processes. A freeze is a hang, not a kill.
    pub fn kills(self) -> bool {
        !matches!(
            self,
            Self::RedisFrozen | Self::AppFrozen | Self::PrimaryFrozen | Self::SlotsMoved
        )
    }

    /// Returns whether a node of a cluster is disrupted.
    fn is_on_node(self) -> bool {
        matches!(
            self,
            Self::Primary
                | Self::PrimaryBackAtOnce
                | Self::PrimaryFrozen
                | Self::AppAndPrimary
                | Self::Replica
                | Self::SlotsMoved
        )
    }

    fn targets(self) -> &'static [Target] {
        match self {
            Self::App
            | Self::AppAsItStarts
            | Self::AppFrozen
            | Self::AppWhileRedisIsFrozen
            | Self::AppAndPrimary => &[Target::App],
            Self::Worker => &[Target::Worker],
            Self::Redis | Self::RedisAsItStarts | Self::RedisFrozen => &[Target::Redis],
            Self::AppAndRedis => &[Target::Redis, Target::App],
            Self::Everything => &[Target::Redis, Target::App, Target::Worker],
            Self::Primary
            | Self::PrimaryBackAtOnce
            | Self::PrimaryFrozen
            | Self::Replica
            | Self::SlotsMoved => &[],
        }
    }

    fn in_words(self) -> &'static str {
        match self {
            Self::App => "app",
            Self::Worker => "worker",
            Self::Redis => "Redis",
            Self::AppAndRedis => "app and Redis together",
            Self::Everything => "everything together",
            Self::AppAsItStarts => "app, and again as it starts",
            Self::RedisAsItStarts => "Redis, and again as it starts",
            Self::RedisFrozen => "Redis frozen beyond the write deadline",
            Self::AppFrozen => "app frozen beyond the write deadline",
            Self::AppWhileRedisIsFrozen => "app, while Redis is frozen",
            Self::Primary => "primary, until its replica was promoted",
            Self::PrimaryBackAtOnce => "primary, back before a failover",
            Self::PrimaryFrozen => "primary frozen beyond a failover",
            Self::AppAndPrimary => "app and primary together",
            Self::Replica => "replica",
            Self::SlotsMoved => "slots moved between primaries",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.in_words())
    }
}

/// Draws this many disruptions that kill processes, with freezes among them that are not counted.
pub fn draw(dice: &mut StdRng, setup: Setup, kills: usize) -> Vec<Disruption> {
    let mut disruptions = Vec::new();
    let mut killing = 0;
    while killing < kills {
        let kinds = Kind::all(setup);
        let kind = kinds[dice.random_range(0..kinds.len())];
        killing += usize::from(kind.kills());
        let down_ms = dice.random_range(0..400_u64);
        disruptions.push(Disruption {
            kind,
            after_requests: dice.random_range(30..150),
            moment: Duration::from_micros(dice.random_range(0..30_000)),
            down_for: Duration::from_millis(if dice.random_bool(0.5) { 0 } else { down_ms }),
            recovers: dice.random_bool(0.7),
            drawn: match setup {
                Setup::Cluster => dice.random_range(0..1000),
                Setup::Separate | Setup::Embedded => 0,
            },
        });
    }
    disruptions
}

/// Disrupts the targets, and starts them again.
pub async fn disrupt(network: &mut Network, disruption: &Disruption) {
    let frozen_for = WRITE_DEADLINE + WRITE_DEADLINE / 4 + disruption.down_for;
    match disruption.kind {
        Kind::RedisFrozen | Kind::AppFrozen => {
            let target = disruption.kind.targets()[0];
            network.freeze(target);
            pause_for(frozen_for).await;
            network.thaw(target);
        }
        Kind::AppWhileRedisIsFrozen => {
            network.freeze(Target::Redis);
            pause_for(2 * disruption.moment).await;
            kill_and_restart(network, disruption).await;
            pause_for(frozen_for).await;
            network.thaw(Target::Redis);
        }
        Kind::AppAsItStarts | Kind::RedisAsItStarts => {
            kill_and_restart(network, disruption).await;
            pause_for(2 * disruption.moment).await;
            kill_and_restart(network, disruption).await;
        }
        kind if kind.is_on_node() => disrupt_node(network, disruption).await,
        _ => kill_and_restart(network, disruption).await,
    }
}

/// Disrupts a node as soon as the cluster is complete. While another node is down there is no
/// majority, or no replica to take over.
async fn disrupt_node(network: &mut Network, disruption: &Disruption) {
    let nodes = network.nodes().clone();
    nodes.whole().await;
    let (primary, replica) = nodes.primary(disruption.drawn).await;
    pause_for(disruption.moment).await;
    match disruption.kind {
        Kind::PrimaryFrozen => {
            let then = disruption.down_for;
            nodes.freeze_beyond_failover(primary, replica, then).await;
        }
        Kind::SlotsMoved => nodes.move_slots(primary, disruption.drawn).await,
        Kind::Replica | Kind::PrimaryBackAtOnce => {
            let node = if disruption.kind == Kind::Replica {
                replica
            } else {
                primary
            };
            nodes.kill(node).await;
            pause_for(disruption.down_for).await;
            nodes.start_again(node).await;
        }
        _ => {
            nodes.kill(primary).await;
            kill_and_restart(network, disruption).await;
            nodes.wait_until_promoted(replica).await;
            nodes.start_again(primary).await;
        }
    }
}

async fn kill_and_restart(network: &mut Network, disruption: &Disruption) {
    for target in disruption.kind.targets() {
        network.kill(*target);
    }
    pause_for(disruption.down_for).await;
    for target in disruption.kind.targets() {
        network.start_again(*target);
    }
}
