//! Trending tags of the last day, ranked by the number of different people who used them. The slot of
//! each tag holds these people (`used`). One ranking collects the numbers. Only a reader lowers ranks as
//! people leave the day, so the trends are recounted once a minute while pages read them.

use std::sync::Arc;

use crate::store::prelude::*;

/// Number of ranked tags. Below: number of tags recounted at a time.
const RANKED: usize = 1000;
const COUNTED: isize = 100;
/// Maximum number of trends shown.
const SHOWN: usize = 10;
/// Minimum number of people for a trend.
const FEWEST: u64 = 2;
/// Seconds for which a count is shown.
const SHOWN_S: u64 = 60;
const DAY_S: u64 = 86_400;

/// A tag, and the number of people who used it in the last day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trend {
    pub tag: FoldedTag,
    pub people: u64,
}

/// The trending tags, most people first.
#[derive(Debug, Default, PartialEq)]
pub struct Trends(Vec<Trend>);

impl Trends {
    pub fn all(&self) -> &[Trend] {
        &self.0
    }

    fn text(&self) -> String {
        let line = |trend: &Trend| format!("{} {}\n", trend.tag, trend.people);
        self.0.iter().map(line).collect()
    }
}

impl Store {
    /// Returns the trends as counted within the last minute. One round trip, none if they are cached; at
    /// least as new as this connection's last round trip. A recount takes three more, and up to two if
    /// ranks are wrong.
    pub async fn trends(&self) -> Result<Arc<Trends>> {
        let rows = self.rows_of::<Trends>(&[Key::TagsTrending]).await?;
        match rows.into_iter().next().flatten() {
            Some(trends) => Ok(trends),
            None => Ok(Arc::new(self.count_trends().await?)),
        }
    }

    /// Returns the trends for a page that made no round trip before, such as a visitor's.
    pub async fn trends_of_now(&self) -> Result<Arc<Trends>> {
        let read = Trends::command(&Key::TagsTrending);
        let trends = Trends::parse(&Key::TagsTrending, self.connection.query(read).await?)?;
        match trends {
            Some(trends) => Ok(Arc::new(trends)),
            None => Ok(Arc::new(self.count_trends().await?)),
        }
    }

    /// Ranks tags by the number of their users after one used them. One round trip.
    pub(super) async fn rank_tags(&self, used: &[(FoldedTag, u64)]) -> Result<()> {
        if used.is_empty() {
            return Ok(());
        }
        let trim = trim(keys::TAGS_MOST_USED, RANKED);
        let expire = redis::cmd("EXPIRE").with((keys::TAGS_MOST_USED, DAY_S));
        let steps = used.iter().map(raise).chain([trim, expire]);
        self.connection.chain(steps.collect()).await.map(drop)
    }

    /// Updates the trends after a status with these tags was deleted. A recount lowers the ranks. One
    /// round trip at most.
    pub(super) async fn lower_tags(&self, used: &[(FoldedTag, u64)]) -> Result<()> {
        if used.iter().all(|(_, people)| *people >= FEWEST) {
            return Ok(());
        }
        let shown = redis::cmd("DEL").with(keys::TAGS_TRENDING);
        self.connection.execute(shown).await
    }

    /// Removes a person from the users of tags. One round trip.
    pub async fn remove_tag_uses(
        &self,
        tags: impl IntoIterator<Item = FoldedTag>,
        person: UserId,
    ) -> Result<()> {
        let remove = |tag| redis::cmd("ZREM").with((keys::tag_uses(&tag), person.get()));
        let removals = tags.into_iter().map(remove).collect();
        self.connection.batch(removals).await.map(drop)
    }

    /// Lets the next reader count the trends again. One round trip.
    pub async fn forget_trends(&self) -> Result<()> {
        let shown = redis::cmd("DEL").with(keys::TAGS_TRENDING);
        self.connection.execute(shown).await
    }

    /// Returns the first status id that can have been drawn within the last day.
    pub async fn first_id_of_last_day(&self) -> Result<u64> {
        Ok(a_day_before(self.now().await?))
    }

    /// Recounts the first ranked tags, corrects their ranks and stores the result for a minute. Wrong
    /// ranks are always too high, so they come first and are corrected.
    async fn count_trends(&self) -> Result<Trends> {
        let first =
            redis::cmd("ZRANGE").with((keys::TAGS_MOST_USED, 0, COUNTED - 1, "REV", "WITHSCORES"));
        let ranked: Vec<(String, f64)> = self.connection.query(first).await?;
        let ranked = ranked.into_iter();
        let ranked = ranked.filter_map(|(tag, people)| Some((FoldedTag::stored(&tag)?, people)));
        let ranked: Vec<(FoldedTag, f64)> = ranked.collect();
        let tags: Vec<&FoldedTag> = ranked.iter().map(|(tag, _)| tag).collect();
        let counts = self.count_people(&tags).await?;
        let (mut trends, mut wrong) = (Vec::new(), Vec::new());
        for ((tag, said), people) in ranked.into_iter().zip(counts) {
            if said != people as f64 {
                wrong.push((tag.clone(), people));
            }
            if people >= FEWEST {
                trends.push(Trend { tag, people });
            }
        }
        trends.sort_by(|a, b| b.people.cmp(&a.people).then_with(|| a.tag.cmp(&b.tag)));
        trends.truncate(SHOWN);
        let trends = Trends(trends);
        let shown = redis::cmd("SET").with((keys::TAGS_TRENDING, trends.text(), "EX", SHOWN_S));
        // A Redis that refuses writes can still be read.
        if let Err(error) = self.put_right(&wrong, shown).await {
            tracing::debug!(%error, "the trending tags were not cached; the next request counts them again");
        }
        Ok(trends)
    }

    /// Corrects wrong ranks and returns the trends. A person may use a tag right after the count, so the
    /// ranks are counted once more and raised where they were set too low.
    async fn put_right(&self, wrong: &[(FoldedTag, u64)], shown: Cmd) -> Result<()> {
        let steps = wrong.iter().map(set).chain([shown]);
        self.connection.chain(steps.collect()).await?;
        let tags: Vec<&FoldedTag> = wrong.iter().map(|(tag, _)| tag).collect();
        let counts = self.count_people(&tags).await?;
        let raised = wrong
            .iter()
            .zip(counts)
            .filter(|((_, set), people)| people > set)
            .map(|((tag, _), people)| raise(&(tag.clone(), people)));
        self.connection.chain(raised.collect()).await.map(drop)
    }

    /// Counts the people who used each tag in the last day. One round trip.
    async fn count_people(&self, tags: &[&FoldedTag]) -> Result<Vec<u64>> {
        let yesterday = a_day_before(self.now().await?);
        let count =
            |tag: &&FoldedTag| redis::cmd("ZCOUNT").with((keys::tag_uses(*tag), yesterday, "+inf"));
        self.connection.query_each(tags.iter().map(count)).await
    }
}

/// Builds the command that raises a rank. An older count never lowers it.
fn raise((tag, people): &(FoldedTag, u64)) -> Cmd {
    redis::cmd("ZADD").with((keys::TAGS_MOST_USED, "GT", *people, tag.as_str()))
}

fn set((tag, people): &(FoldedTag, u64)) -> Cmd {
    match people {
        0 => redis::cmd("ZREM").with((keys::TAGS_MOST_USED, tag.as_str())),
        _ => redis::cmd("ZADD").with((keys::TAGS_MOST_USED, *people, tag.as_str())),
    }
}

/// Returns the first status id that can have been drawn within the last day.
fn a_day_before(now: UnixMs) -> u64 {
    let ms = now.0.saturating_sub(DAY_S * 1000 + StatusId::EPOCH_MS);
    ms << StatusId::RANDOM_BITS
}

impl CachedRow for Trends {
    type Question = Key;

    fn key(of: &Key) -> Key {
        of.clone()
    }

    fn command(of: &Key) -> Cmd {
        redis::cmd("GET").with(of.name())
    }

    fn parse(_: &Key, answer: Value) -> Result<Option<Self>> {
        let Some(text) = read::<Option<String>>(answer)? else {
            return Ok(None);
        };
        let trends = text.lines().filter_map(|line| {
            let (tag, people) = line.split_once(' ')?;
            Some(Trend {
                tag: FoldedTag::stored(tag)?,
                people: people.parse().ok()?,
            })
        });
        Ok(Some(Self(trends.collect())))
    }

    fn bytes(&self) -> usize {
        let texts = self.0.iter().map(|trend| trend.tag.as_str().len());
        size_of_val(&self.0[..]) + texts.sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::super::trends::*;

    #[test]
    fn what_trends_is_read_as_it_was_kept() {
        let trend = |tag, people| Trend {
            tag: FoldedTag::stored(tag).expect("a tag"),
            people,
        };
        let trends = Trends(vec![trend("日本", 12), trend("birds", 9)]);
        assert_eq!(trends.text(), "日本 12\nbirds 9\n");
        let answer = Value::BulkString(trends.text().into_bytes());
        let read = Trends::parse(&Key::TagsTrending, answer).expect("it is one");
        assert_eq!(read.expect("there").all(), trends.all());
    }

    #[test]
    fn a_day_is_counted_in_ids() {
        let now = UnixMs(StatusId::EPOCH_MS + 86_400_000 + 5);
        assert_eq!(a_day_before(now), 5 << StatusId::RANDOM_BITS);
    }
}
