//! A site on a Redis Cluster: failed primaries, moving slots, missing replicas, and the migration
//! from one node. The other tests run on a cluster too, if REDWING_TEST_CLUSTER is set.

mod failover;
mod live;
mod load;
mod migration;
mod moving;
mod mute;
mod replicas;
mod scrub;
