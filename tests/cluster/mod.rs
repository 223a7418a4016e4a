//! A site on a Redis Cluster: failed primaries in each layout, moving slots, missing replicas, clocks that differ, and the
//! migration from one node. The other tests run on a cluster too, if REDWING_TEST_CLUSTER is set.

mod caches;
mod clocks;
mod failover;
mod layouts;
mod live;
mod load;
mod migration;
mod moving_slots;
mod mute;
mod people;
mod replicas;
mod scrub;
mod strangers;
mod sweep;
mod tasks;
