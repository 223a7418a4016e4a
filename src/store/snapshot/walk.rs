//! A walk over all keys of all primaries in bounded steps, for `redwing check`, with the type and expiry of
//! each key.

use crate::store::{
    KeyOwner, Lifetime,
    prelude::*,
    redis::{nodes::Node, scan::ScanPosition},
};

pub struct Walk {
    pub(in crate::store) nodes: Vec<Node>,
    pub(in crate::store) at: usize,
    /// The position in the keys of the current node.
    pub(in crate::store) scan: ScanPosition,
    /// Whether no slot moved between primaries at the start.
    pub(in crate::store) was_settled: bool,
}

impl Walk {
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the number of the current node, and its cursor.
    pub fn position(&self) -> (usize, u64) {
        (self.at, self.scan.cursor())
    }
}

#[derive(Debug, Clone)]
pub struct FoundKey {
    pub name: String,
    /// `None` for a name that is not in the schema.
    pub key: Option<Key>,
    /// The reply of TYPE.
    pub redis_type: String,
    pub expires: bool,
}

impl Store {
    pub async fn begin_walk(&self) -> Result<Walk> {
        let nodes = self.connection.primaries().await?;
        Ok(Walk {
            was_settled: self.slots_are_settled(&nodes).await?,
            nodes,
            at: 0,
            scan: ScanPosition::default(),
        })
    }

    /// Returns about `count` further keys of a walk, `None` at its end. A key that exists throughout is found at least
    /// once, and several times if Redis restarts meanwhile: the walk then begins again with the keys of this node. After a
    /// failure the walk is where it was.
    pub async fn walk(&self, walk: &mut Walk, count: usize) -> Result<Option<Vec<FoundKey>>> {
        let Some(node) = walk.nodes.get(walk.at) else {
            return Ok(None);
        };
        let mut scan = walk.scan.clone();
        let names = self.connection.scan_keys(node, &mut scan, count);
        let (names, is_complete) = names.await?;
        let found = self.inspect_keys(names).await?;
        walk.scan = scan;
        walk.at += usize::from(is_complete);
        Ok(Some(found))
    }

    pub async fn key_count(&self) -> Result<u64> {
        let mut size = 0;
        for node in self.connection.primaries().await? {
            let count: u64 = self
                .connection
                .query_on(&node, redis::cmd("DBSIZE"))
                .await?;
            size += count;
        }
        Ok(size)
    }

    /// Returns the keys among these names that exist.
    pub async fn look_up(&self, names: &[String]) -> Result<Vec<FoundKey>> {
        let names = names.iter().map(|name| name.clone().into_bytes());
        self.inspect_keys(names.collect()).await
    }

    async fn inspect_keys(&self, names: Vec<Vec<u8>>) -> Result<Vec<FoundKey>> {
        let questions = names
            .iter()
            .map(|name| [redis::cmd("TYPE").with(name), redis::cmd("PTTL").with(name)]);
        let answers: Vec<(String, i64)> = self.connection.query_tuples(questions).await?;
        let mut keys = Vec::with_capacity(names.len());
        for (name, (redis_type, ttl)) in names.into_iter().zip(answers) {
            if redis_type != "none" {
                keys.push(FoundKey {
                    key: std::str::from_utf8(&name)
                        .ok()
                        .and_then(|name| self.parse_key(name)),
                    name: String::from_utf8_lossy(&name).into_owned(),
                    redis_type,
                    expires: ttl >= 0,
                });
            }
        }
        Ok(keys)
    }

    /// Reads the name of a key. Partitions that this site does not use are not in its schema.
    fn parse_key(&self, name: &str) -> Option<Key> {
        let unused = |partition: u16| partition >= self.partitions();
        match Key::parse(name)? {
            Key::Tasks(p) | Key::TasksLater(p) | Key::TasksDead(p) if unused(p) => None,
            key => Some(key),
        }
    }

    /// Returns the names of a user's keys, those of the user's lists included. Idempotency keys and
    /// sessions are missing: nothing lists their names.
    pub async fn key_names(&self, of: UserId) -> Result<Vec<String>> {
        let mut keys = Key::all_of(&KeyOwner::User(of));
        for list in self.lists(of).await? {
            keys.extend(Key::all_of(&KeyOwner::List(list.id)));
        }
        Ok(keys.iter().map(Key::name).collect())
    }

    /// Returns the longest lifetime of an ephemeral key in seconds. `None` if the key can be deleted
    /// instead, because the site makes it again.
    pub fn lifetime_s(&self, key: &Key) -> Option<u64> {
        match key.entry().lifetime {
            Lifetime::Seconds(seconds) => Some(seconds),
            Lifetime::Session => Some(self.config.timeouts.session.as_secs()),
            Lifetime::Permanent | Lifetime::Recreated(_) => None,
        }
    }
}
