//! A copy of all data of a temporary Redis. Putting it back takes less time than creating the data again.

use redis::Connection;

use crate::support::pool::Redis;

/// `PEXPIRETIME` of a key without a lifetime.
const FOREVER: i64 = -1;
/// `PEXPIRETIME` of a key that has ended.
const ENDED: i64 = -2;

/// The keys of each server, by its address.
pub struct DataCopy(Vec<(String, Vec<CopiedKey>)>);

struct CopiedKey {
    name: Vec<u8>,
    /// As `DUMP` returns it.
    value: Vec<u8>,
    /// Time of its end (ms since 1970), or [`FOREVER`].
    expires_at: i64,
}

impl DataCopy {
    pub fn of(redis: &Redis) -> Self {
        let copy = |url: String| {
            let keys = read_keys(&mut connect(&url));
            (url, keys)
        };
        Self(redis.primary_urls().into_iter().map(copy).collect())
    }

    /// Replaces all data of the copied Redis.
    pub fn put_back(&self) {
        for (url, keys) in &self.0 {
            write_keys(&mut connect(url), keys);
        }
    }
}

#[expect(clippy::disallowed_types, reason = "the data is copied past the store")]
fn connect(url: &str) -> Connection {
    let client = redis::Client::open(url).expect("a valid address");
    client.get_connection().expect("the server answers")
}

#[expect(
    clippy::disallowed_methods,
    reason = "the data is copied past the store"
)]
fn read_keys(connection: &mut Connection) -> Vec<CopiedKey> {
    let names = redis::cmd("KEYS").arg("*").query(connection);
    let names: Vec<Vec<u8>> = names.expect("the server answers");
    let mut reads = redis::pipe();
    for name in &names {
        reads.cmd("DUMP").arg(name).cmd("PEXPIRETIME").arg(name);
    }
    let values: Vec<(Option<Vec<u8>>, i64)> = match names.is_empty() {
        true => Vec::new(),
        false => reads.query(connection).expect("the server answers"),
    };
    let keys = names.into_iter().zip(values);
    // A key can end meanwhile.
    keys.filter(|(_, (_, expires_at))| *expires_at != ENDED)
        .filter_map(|(name, (value, expires_at))| {
            Some(CopiedKey {
                name,
                value: value?,
                expires_at,
            })
        })
        .collect()
}

#[expect(
    clippy::disallowed_methods,
    reason = "the data is copied past the store"
)]
fn write_keys(connection: &mut Connection, keys: &[CopiedKey]) {
    let mut writes = redis::pipe();
    writes.cmd("FLUSHALL").ignore();
    for key in keys {
        let restore = writes.cmd("RESTORE").arg(&key.name);
        match key.expires_at {
            FOREVER => restore.arg(0).arg(&key.value),
            at => restore.arg(at).arg(&key.value).arg("ABSTTL"),
        };
        writes.ignore();
    }
    let () = writes
        .query(connection)
        .expect("the server accepts its own data");
}
