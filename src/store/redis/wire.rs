//! An open connection and how it is made: to one node, with a cache if Redis can keep it current, or to
//! a cluster.

use std::{convert::Infallible, sync::Arc};

use redis::{
    AsyncConnectionConfig, Client, ErrorKind, ProtocolVersion, PushInfo, RedisError, RedisResult,
    aio::MultiplexedConnection, cluster_async::ClusterConnection,
};
use tokio::time::timeout;

use super::cluster;
use crate::{config::Timeouts, store::cache::Cache};

/// The address of Redis and all options of a connection.
#[derive(Clone)]
pub(in crate::store) enum Target {
    Node(Box<Client>),
    Cluster(Arc<Vec<String>>),
}

/// An open connection.
#[derive(Clone)]
pub(super) enum Wire {
    Node(MultiplexedConnection, Option<Arc<Cache>>),
    Cluster(ClusterConnection),
}

pub(super) async fn connect(
    target: Target,
    timeouts: Timeouts,
    cache_bytes: usize,
) -> RedisResult<Wire> {
    match target {
        Target::Node(client) => {
            let config = AsyncConnectionConfig::new()
                .set_connection_timeout(Some(timeouts.redis_connect))
                .set_response_timeout(Some(timeouts.redis_response));
            if cache_bytes > 0
                && let Some(wire) = connect_with_cache(&client, &config, cache_bytes).await?
            {
                return Ok(wire);
            }
            let connecting = client.get_multiplexed_async_connection_with_config(&config);
            Ok(Wire::Node(connecting.await?, None))
        }
        Target::Cluster(nodes) => {
            let client = cluster::client(&nodes, &timeouts)?;
            let longest = timeouts.redis_connect + timeouts.redis_response;
            let connected = timeout(longest, client.get_async_connection()).await;
            let late = |_| RedisError::from((ErrorKind::Io, "connecting to the cluster timed out"));
            connected.map_err(late)?.map(Wire::Cluster)
        }
    }
}

/// Returns `None` if Redis, or a proxy before it, does not speak RESP3 or does not support tracking.
async fn connect_with_cache(
    client: &Client,
    config: &AsyncConnectionConfig,
    bytes: usize,
) -> RedisResult<Option<Wire>> {
    let cache = Arc::new(Cache::of(bytes));
    let invalidated = Arc::clone(&cache);
    let invalidate = move |push: PushInfo| {
        invalidated.invalidate(&push);
        Ok::<(), Infallible>(())
    };
    let config = config.clone().set_push_sender(invalidate);
    let info = client.get_connection_info().clone();
    let settings = info.redis_settings().clone();
    let info = info.set_redis_settings(settings.set_protocol(ProtocolVersion::RESP3));
    let client = Client::open(info)?;
    let connected = async {
        let connecting = client.get_multiplexed_async_connection_with_config(&config);
        let mut node = connecting.await?;
        let mut track = redis::cmd("CLIENT");
        track.arg("TRACKING").arg("ON").arg("OPTIN");
        track.exec_async(&mut node).await?;
        Ok(Wire::Node(node, Some(cache)))
    };
    match connected.await {
        Ok(wire) => Ok(Some(wire)),
        Err(error) if was_refused(&error) => {
            tracing::debug!(%error, "no cache, because Redis does not report changes");
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Returns whether Redis refused tracking. Errors of a plain connection are reported elsewhere.
fn was_refused(error: &RedisError) -> bool {
    !error.is_io_error() && !error.is_timeout() && !error.is_connection_dropped()
}
