//! The index of posts: under each term the ids of the statuses whose text has it, in chunks that Redis
//! keeps as sorted integers, 8 bytes each. All of a term lies in one slot. Who looks for something
//! verifies what the index says against the text itself.

mod survey;

use redis::Value;

use crate::{
    domain::{StatusId, Term, UserId},
    store::{
        Call, Error, Result, Store, keys,
        redis::{
            connection::read,
            scripts::{self, With},
        },
    },
};

/// How many ids fill a chunk. A chunk that an older id begins holds it besides, which makes as many as a
/// SET holds as sorted integers by Redis' default, 512.
const CHUNK: usize = 511;
/// How many fill the newest one, so that ids that come late find room.
pub(super) const NEWEST_CHUNK: usize = 448;
/// How often a posting follows its chunk, where that is split meanwhile.
const ROUNDS: usize = 8;
/// Postings that one trip writes or asks about.
const PER_ROUND_TRIP: usize = 500;

/// What a status is found by.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Text {
    /// The message, where it lives.
    pub living: Option<String>,
    /// What it said before, and may still be found by.
    pub former: Option<String>,
}

/// Some of a term's postings: those from a bound up to the next.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Chunk {
    pub term: Term,
    pub bound: u64,
}

impl Chunk {
    pub(in crate::store) fn key(&self) -> String {
        keys::postings(&self.term, self.bound)
    }
}

impl Store {
    /// What each of these statuses is found by. One trip.
    pub async fn texts(&self, ids: &[StatusId]) -> Result<Vec<Text>> {
        let fields = |id: &StatusId| {
            redis::cmd("HMGET")
                .with(keys::status(*id))
                .with(&["message", "former", "deleted"])
        };
        let answers = self.connection.batch(ids.iter().map(fields).collect());
        let text = |answer: Value| {
            let (message, former, deleted): (Option<String>, Option<String>, Option<String>) =
                read(answer)?;
            Ok(Text {
                living: message.filter(|_| deleted.is_none()),
                former,
            })
        };
        answers.await?.into_iter().map(text).collect()
    }

    /// Puts a status into the index under these terms.
    pub async fn enter_postings(&self, call: &Call, id: StatusId, terms: &[Term]) -> Result<()> {
        self.change_postings(Change::Enter, call, id, terms).await
    }

    /// Takes a status out of the index under these terms.
    pub async fn leave_postings(&self, call: &Call, id: StatusId, terms: &[Term]) -> Result<()> {
        self.change_postings(Change::Leave, call, id, terms).await
    }

    async fn change_postings(
        &self,
        change: Change,
        call: &Call,
        id: StatusId,
        terms: &[Term],
    ) -> Result<()> {
        for terms in terms.chunks(PER_ROUND_TRIP) {
            let mut left: Vec<(StatusId, Term)> =
                terms.iter().map(|term| (id, term.clone())).collect();
            for _ in 0..ROUNDS {
                let chunks = self.chunks_of(&left).await?;
                let commands = chunks.iter().map(|chunk| change.command(call, id, chunk));
                let changes = commands.collect();
                let mut answers = self.connection.batch(changes).await?.into_iter();
                let mut moved = Vec::new();
                for pair in left {
                    if read::<i64>(answers.next().unwrap_or_default())? == -1 {
                        moved.push(pair);
                    }
                }
                left = moved;
                if left.is_empty() {
                    break;
                }
            }
            if !left.is_empty() {
                return Err(Error::Unexpected {
                    what: "the index",
                    answer: "a chunk is split again and again".to_owned(),
                });
            }
        }
        Ok(())
    }

    /// Whether each of these statuses stands in the index under that term. Two trips for 500.
    pub async fn are_posted(&self, pairs: &[(StatusId, Term)]) -> Result<Vec<bool>> {
        let mut posted = Vec::with_capacity(pairs.len());
        for pairs in pairs.chunks(PER_ROUND_TRIP) {
            let chunks = self.chunks_of(pairs).await?;
            let asks = pairs.iter().zip(&chunks);
            let ask = |((id, _), chunk): (&(StatusId, Term), &Chunk)| {
                redis::cmd("SISMEMBER").with(chunk.key()).with(id.get())
            };
            let answers = self.connection.batch(asks.map(ask).collect()).await?;
            for answer in answers {
                posted.push(read(answer)?);
            }
        }
        Ok(posted)
    }

    /// The chunk that holds ids like this one under that term, of each of these. One trip.
    pub async fn chunks_of(&self, pairs: &[(StatusId, Term)]) -> Result<Vec<Chunk>> {
        let asks = pairs
            .iter()
            .map(|(id, term)| bounds_from(term, id.get(), 1))
            .collect();
        let answers = self.connection.batch(asks).await?;
        let chunk = |((_, term), answer): (&(StatusId, Term), Value)| {
            let bounds: Vec<u64> = read(answer)?;
            Ok(Chunk {
                term: term.clone(),
                bound: bounds.first().copied().unwrap_or_default(),
            })
        };
        pairs.iter().zip(answers).map(chunk).collect()
    }

    /// Forgets texts of a status that nothing finds it by any more.
    pub async fn forget_former_text(&self, of: StatusId, text: &str) -> Result<()> {
        let forget = scripts::FORGET_FORMER.on([keys::status(of)]).with(text);
        self.connection.query::<i64>(forget).await.map(drop)
    }

    /// Forgets names of a person that nothing finds them by any more.
    pub async fn forget_former_name(&self, of: UserId, names: &str) -> Result<()> {
        let forget = scripts::FORGET_FORMER.on([keys::user(of)]).with(names);
        self.connection.query::<i64>(forget).await.map(drop)
    }
}

/// What a task does with a posting.
#[derive(Debug, Clone, Copy)]
enum Change {
    Enter,
    Leave,
}

impl Change {
    fn command(self, call: &Call, id: StatusId, Chunk { term, bound }: &Chunk) -> redis::Cmd {
        match self {
            Self::Enter => scripts::ENTER_POSTING
                .on([
                    keys::chunks(term),
                    keys::postings(term, *bound),
                    keys::postings(term, id.get()),
                ])
                .with(call.deadline())
                .with(id.get())
                .with(bound)
                .with(CHUNK)
                .with(NEWEST_CHUNK),
            Self::Leave => scripts::LEAVE_POSTING
                .on([keys::chunks(term), keys::postings(term, *bound)])
                .with(call.deadline())
                .with(id.get())
                .with(bound),
        }
    }
}

/// The bounds of a term's chunks that hold this id and smaller ones, so many at most.
pub(super) fn bounds_from(term: &Term, id: u64, most: usize) -> redis::Cmd {
    redis::cmd("ZRANGE")
        .with(keys::chunks(term))
        .with(format!("-{id}"))
        .with("+inf")
        .with("BYSCORE")
        .with("LIMIT")
        .with(0)
        .with(most)
}
