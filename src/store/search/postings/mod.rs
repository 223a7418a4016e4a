//! The index of posts: each term maps to the ids of the statuses whose text has it. Ids lie in chunks
//! that Redis stores as sorted integers of 8 bytes. All chunks of a term share one slot. A search
//! verifies index results against the texts.

mod audit;
pub(super) mod dump;

use super::calls;
use crate::store::{Chunk, prelude::*};

/// Capacity of a chunk. A chunk may also hold the older id that begins it. That makes 512, the default
/// limit of a SET of sorted integers in Redis.
const CHUNK: usize = 511;
/// Fill level of the newest chunk. The rest is room for ids that arrive late.
pub(super) const NEWEST_CHUNK: usize = 448;
/// Maximum number of attempts to find the right chunk while chunks are being split.
const ROUNDS: usize = 8;
/// Number of postings per round trip.
const PER_ROUND_TRIP: usize = 500;

/// The texts that a status is found by.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Text {
    /// The message, if the status is alive.
    pub living: Option<String>,
    /// Former texts that the index may still have.
    pub former: Option<String>,
}

impl Chunk {
    pub(in crate::store) fn key(&self) -> String {
        keys::postings(&self.term, self.bound)
    }
}

impl Store {
    /// Returns the texts of each of these statuses. One round trip.
    pub async fn texts(&self, ids: &[StatusId]) -> Result<Vec<Text>> {
        let fields = |id: &StatusId| {
            redis::cmd("HMGET").with((keys::status(*id), "message", "former", "deleted"))
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

    /// Adds a status to the index under these terms.
    pub async fn enter_postings(&self, call: &Call, id: StatusId, terms: &[Term]) -> Result<()> {
        self.change_postings(PostingChange::Enter, call, id, terms)
            .await
    }

    /// Removes a status from the index under these terms.
    pub async fn remove_postings(&self, call: &Call, id: StatusId, terms: &[Term]) -> Result<()> {
        self.change_postings(PostingChange::Leave, call, id, terms)
            .await
    }

    async fn change_postings(
        &self,
        change: PostingChange,
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
                let (mut moved, mut decided) = (Vec::new(), Vec::new());
                for pair in left {
                    let reply: String = read(answers.next().unwrap_or_default())?;
                    match &*reply {
                        "wrong_chunk" => moved.push(pair),
                        // An earlier attempt may have stopped before the word was listed.
                        "first" | "last" | "unchanged" => decided.push(pair.1),
                        _ => {}
                    }
                }
                match change {
                    PostingChange::Enter => self.list_words(call, &decided).await?,
                    PostingChange::Leave => self.unlist_words(call, &decided).await?,
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

    /// Returns whether each status is in the index under the term. Two round trips for 500 pairs.
    pub async fn are_posted(&self, pairs: &[(StatusId, Term)]) -> Result<Vec<bool>> {
        let mut posted = Vec::with_capacity(pairs.len());
        for pairs in pairs.chunks(PER_ROUND_TRIP) {
            let chunks = self.chunks_of(pairs).await?;
            let asks = pairs.iter().zip(&chunks);
            let ask = |((id, _), chunk): (&(StatusId, Term), &Chunk)| {
                redis::cmd("SISMEMBER").with((chunk.key(), id.get()))
            };
            let answers = self.connection.batch(asks.map(ask).collect()).await?;
            for answer in answers {
                posted.push(read(answer)?);
            }
        }
        Ok(posted)
    }

    /// Returns the chunk that covers each id under the term. One round trip.
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

    /// Removes former texts of a status that the index no longer has.
    pub async fn forget_former_text(&self, of: StatusId, text: &str) -> Result<()> {
        self.forget_former(keys::status(of), text).await
    }

    /// Removes former names of a person that the index no longer has.
    pub async fn forget_former_name(&self, of: UserId, names: &str) -> Result<()> {
        self.forget_former(keys::user(of), names).await
    }

    async fn forget_former(&self, owner: String, former: &str) -> Result<()> {
        let former = former.to_owned();
        let forget = calls::ForgetFormer { owner, former };
        self.connection.run(&forget).await
    }
}

/// The change that a task makes to a posting.
#[derive(Debug, Clone, Copy)]
enum PostingChange {
    Enter,
    Leave,
}

impl PostingChange {
    fn command(self, call: &Call, id: StatusId, Chunk { term, bound }: &Chunk) -> Cmd {
        match self {
            Self::Enter => calls::EnterPosting {
                bounds: keys::chunks(term),
                chunk: keys::postings(term, *bound),
                new_chunk: keys::postings(term, id.get()),
                deadline_ms: call.deadline(),
                status_id: id.get(),
                bound: *bound,
                full_count: CHUNK,
                newest_full_count: NEWEST_CHUNK,
            }
            .command(),
            Self::Leave => calls::LeavePosting {
                bounds: keys::chunks(term),
                chunk: keys::postings(term, *bound),
                deadline_ms: call.deadline(),
                status_id: id.get(),
                bound: *bound,
            }
            .command(),
        }
    }
}

/// Builds the read of at most `most` chunk bounds of a term, from an id downwards.
pub(super) fn bounds_from(term: &Term, id: u64, most: usize) -> Cmd {
    range_by_score(keys::chunks(term), format!("-{id}"), "+inf", most)
}
