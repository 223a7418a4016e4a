//! An open connection to one node and how it is made: with a cache if Redis can keep it current.

use std::{convert::Infallible, sync::Arc};

use redis::{
    AsyncConnectionConfig, Client, ProtocolVersion, PushInfo, RedisError, RedisResult,
    aio::MultiplexedConnection,
};

use crate::{config::Timeouts, store::cache::Cache};

#[derive(Clone)]
pub(super) struct Wire {
    pub connection: MultiplexedConnection,
    pub cache: Option<Arc<Cache>>,
}

pub(super) async fn connect(
    client: Client,
    timeouts: Timeouts,
    cache_bytes: usize,
) -> RedisResult<Wire> {
    let config = AsyncConnectionConfig::new()
        .set_connection_timeout(Some(timeouts.redis_connect))
        .set_response_timeout(Some(timeouts.redis_response));
    if cache_bytes > 0
        && let Some(wire) = connect_with_cache(&client, &config, cache_bytes).await?
    {
        return Ok(wire);
    }
    let connecting = client.get_multiplexed_async_connection_with_config(&config);
    Ok(Wire {
        connection: connecting.await?,
        cache: None,
    })
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
        let mut connection = connecting.await?;
        let mut track = redis::cmd("CLIENT");
        track.arg("TRACKING").arg("ON").arg("OPTIN");
        track.exec_async(&mut connection).await?;
        let cache = Some(cache);
        Ok(Wire { connection, cache })
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
