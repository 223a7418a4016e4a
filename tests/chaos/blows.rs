//! Kills and their times, drawn from the seed before the run starts. Times are counted in requests,
//! so that a blow falls in the middle of them.

use std::{fmt, time::Duration};

use rand::{RngExt, rngs::StdRng};

use super::network::{Network, Setup, Victim, WRITE_DEADLINE};
use crate::support::waiting::until_the_moment;

/// One blow: its victim, its kind and its time.
#[derive(Debug, Clone, Copy)]
pub struct Blow {
    pub kind: Kind,
    /// Number of further requests before the blow, followed by a delay.
    pub after_requests: u64,
    pub moment: Duration,
    /// Time until the victim is started again or thawed.
    pub down_for: Duration,
    /// Whether the next blow waits until the site is ready again.
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

    /// Returns whether the blow ends processes. A freeze is a hang, not a kill.
    pub fn kills(self) -> bool {
        !matches!(
            self,
            Self::RedisFrozen | Self::AppFrozen | Self::PrimaryFrozen | Self::SlotsMoved
        )
    }

    /// Returns whether a node of a cluster is struck.
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

    fn victims(self) -> &'static [Victim] {
        match self {
            Self::App
            | Self::AppAsItStarts
            | Self::AppFrozen
            | Self::AppWhileRedisIsFrozen
            | Self::AppAndPrimary => &[Victim::App],
            Self::Worker => &[Victim::Worker],
            Self::Redis | Self::RedisAsItStarts | Self::RedisFrozen => &[Victim::Redis],
            Self::AppAndRedis => &[Victim::Redis, Victim::App],
            Self::Everything => &[Victim::Redis, Victim::App, Victim::Worker],
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

/// Draws this many blows that kill, with freezes among them that are not counted.
pub fn draw(dice: &mut StdRng, setup: Setup, kills: usize) -> Vec<Blow> {
    let mut blows = Vec::new();
    let mut killing = 0;
    while killing < kills {
        let kinds = Kind::all(setup);
        let kind = kinds[dice.random_range(0..kinds.len())];
        killing += usize::from(kind.kills());
        let down_ms = dice.random_range(0..400_u64);
        blows.push(Blow {
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
    blows
}

/// Strikes, and starts the victim again.
pub async fn strike(network: &mut Network, blow: &Blow) {
    let frozen_for = WRITE_DEADLINE + WRITE_DEADLINE / 4 + blow.down_for;
    match blow.kind {
        Kind::RedisFrozen | Kind::AppFrozen => {
            let victim = blow.kind.victims()[0];
            network.freeze(victim);
            until_the_moment(frozen_for).await;
            network.thaw(victim);
        }
        Kind::AppWhileRedisIsFrozen => {
            network.freeze(Victim::Redis);
            until_the_moment(2 * blow.moment).await;
            was_struck(network, blow).await;
            until_the_moment(frozen_for).await;
            network.thaw(Victim::Redis);
        }
        Kind::AppAsItStarts | Kind::RedisAsItStarts => {
            was_struck(network, blow).await;
            until_the_moment(2 * blow.moment).await;
            was_struck(network, blow).await;
        }
        kind if kind.is_on_node() => strike_node(network, blow).await,
        _ => was_struck(network, blow).await,
    }
}

/// Strikes a node as soon as the cluster is complete. While another node is down there is no
/// majority, or no replica to take over.
async fn strike_node(network: &mut Network, blow: &Blow) {
    let nodes = network.nodes().clone();
    nodes.whole().await;
    let (primary, replica) = nodes.primary(blow.drawn).await;
    until_the_moment(blow.moment).await;
    match blow.kind {
        Kind::PrimaryFrozen => {
            let then = blow.down_for;
            nodes.freeze_beyond_failover(primary, replica, then).await;
        }
        Kind::SlotsMoved => nodes.move_slots(primary, blow.drawn).await,
        Kind::Replica | Kind::PrimaryBackAtOnce => {
            let struck = if blow.kind == Kind::Replica {
                replica
            } else {
                primary
            };
            nodes.kill(struck).await;
            until_the_moment(blow.down_for).await;
            nodes.start_again(struck).await;
        }
        _ => {
            nodes.kill(primary).await;
            was_struck(network, blow).await;
            nodes.wait_until_promoted(replica).await;
            nodes.start_again(primary).await;
        }
    }
}

async fn was_struck(network: &mut Network, blow: &Blow) {
    for victim in blow.kind.victims() {
        network.kill(*victim);
    }
    until_the_moment(blow.down_for).await;
    for victim in blow.kind.victims() {
        network.start_again(*victim);
    }
}
