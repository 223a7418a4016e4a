//! A site on a Redis Cluster: what a primary's death, moving slots and missing replicas may not
//! break, and how a site comes there from one node. The other tests run on a cluster too, where
//! REDWING_TEST_CLUSTER is set.

mod failover;
mod live;
mod load;
mod migration;
mod moving;
mod mute;
mod replicas;
mod scrub;
