//! The search index of a network, written as the tasks would have left it.

use std::{collections::BTreeMap, fmt::Display};

use redwing::domain::{Login, Term, beginnings_of, terms_of};

use super::redis::{Batch, Outcome, Redis};

/// Number of ids in the newest chunk of a term. Older chunks are full.
const CHUNK: usize = 448;

/// Both search indexes, in memory.
#[derive(Default)]
pub struct Index {
    /// Ids of each term, in any order.
    posts: BTreeMap<String, Vec<u64>>,
    /// Words of people, grouped by first letter.
    names: BTreeMap<char, Vec<String>>,
}

impl Index {
    pub fn add_status(&mut self, id: u64, message: &str) {
        for term in terms_of(message) {
            let ids = self.posts.entry(term.as_str().to_owned()).or_default();
            ids.push(id);
        }
    }

    pub fn add_person(&mut self, uid: u64, login: &str, name: &str) {
        let login = Login::stored(login).expect("logins of the network are logins");
        for word in beginnings_of(&login, name) {
            let Some(letter) = word.chars().next() else {
                continue;
            };
            let entries = self.names.entry(letter).or_default();
            entries.push(format!("{word} {uid}"));
        }
    }

    pub fn load_names(&mut self, redis: &mut Redis) -> Outcome<()> {
        let mut batch = Batch::default();
        for (letter, entries) in std::mem::take(&mut self.names) {
            for entry in entries {
                batch.add(&[&"ZADD", &format!("names:{{{letter}}}"), &0, &entry]);
                redis.send_full(&mut batch)?;
            }
        }
        redis.send(&mut batch).map(drop)
    }

    pub fn load_posts(&mut self, redis: &mut Redis) -> Outcome<()> {
        let mut batch = Batch::default();
        for (term, mut ids) in std::mem::take(&mut self.posts) {
            ids.sort_unstable();
            let bounds = format!("postings:{{{term}}}");
            let several = ids.len() > CHUNK;
            let beginning = Term::stored(&term).and_then(|term| term.beginning());
            if let Some(beginning) = beginning {
                batch.add(&[
                    &"ZADD",
                    &format!("words:{{{}}}", beginning.as_str()),
                    &0,
                    &term,
                ]);
            }
            for (number, chunk) in ids.chunks(CHUNK).enumerate() {
                let bound = if number == 0 { 0 } else { chunk[0] };
                let key = format!("{bounds}:{bound}");
                let mut add: Vec<&dyn Display> = vec![&"SADD", &key];
                add.extend(chunk.iter().map(|id| id as &dyn Display));
                batch.add(&add);
                if several {
                    batch.add(&[&"ZADD", &bounds, &-bound.cast_signed(), &bound]);
                }
                redis.send_full(&mut batch)?;
            }
        }
        redis.send(&mut batch).map(drop)
    }
}
