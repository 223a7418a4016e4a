//! Home in the order of importance: the newest new posts by others, the signals that rank them, and the
//! preferences of its reader.

use std::collections::{HashMap, HashSet};

use crate::{
    actions::{homes::rebuild, prelude::*},
    domain::{AuthorPreference, Further, PAGE_SIZE, Ranked, Signals, most_important},
    store::{
        Begin, Candidates, FoldingBudget, HomePart, Mark, MergeBudget, PreferenceOutcome, ReadMode,
        RecentActivity, UnixMs,
    },
};

/// Maximum number of ranked posts: the newest.
pub const CANDIDATES: usize = 200;

/// A page of a home in the order of importance.
#[derive(Debug, Clone)]
pub struct ImportantRead {
    /// Most important first.
    pub posts: Vec<Ranked<VisibleStatus>>,
    pub at: UnixMs,
    /// Cursor of the next page. `None` at the end.
    pub next: Option<Further>,
    /// Number of new posts. Without new posts, the newest seen posts are ranked.
    pub new: u64,
}

/// Sets the preference for a followed person, to see more or less of them. An unfollow removes it, so that
/// hidden settings decide nothing. It lies in the reader's slot, without copies, so it needs no outbox entry.
/// The author does not learn of it.
pub async fn set_author_preference(
    store: &Store,
    actor: impl Into<Actor>,
    of: UserId,
    author_preference: AuthorPreference,
) -> Result<PreferenceOutcome> {
    let actor = actor.into();
    let call = store.begin().await?;
    let set = store
        .set_preference(&call, &actor, of, author_preference)
        .await;
    call.finish(set).await
}

/// Returns a page of the new posts on a home (see [`home_page`](crate::actions::homes::home_page)), most
/// important first. It ranks the newest [`CANDIDATES`] by others with the formula of [`Signals`].
/// Without new posts it ranks the newest page of seen ones.
///
/// The order is not stored. A further page computes it again as of the same moment, without later posts,
/// replies and favourites, and continues after the last position. So pages neither repeat nor skip a
/// post, unless something is undone or arrives late, or the reader changes follows or preferences.
///
/// Reading it is a visit to home, except for a prefetch. If all new posts fit on one page, they count as
/// seen from the next visit on. On several pages none counts, and all stay new until a page of home
/// shows them.
pub async fn important_page(
    store: &Store,
    reader: UserId,
    further: Option<Further>,
    read_mode: ReadMode,
) -> Result<ImportantRead> {
    let ToRank { statuses, at, new } = posts_to_rank(store, reader, further, read_mode).await?;
    let shown: Vec<StatusId> = statuses.iter().map(|status| status.shown().id()).collect();
    let activity = store.activity(reader, &shown, at).await?;
    let lives = lives(store, &activity).await?;
    let signals = SignalsOfAll::new(reader, at, &shown, &activity, &lives);
    let posts = statuses.into_iter().map(|status| {
        let signals = signals.of(&status);
        Ranked::of(status.id(), &signals, status)
    });
    let behind = further.map(|further| further.behind);
    let (posts, last) = most_important(posts.collect(), behind, PAGE_SIZE);
    Ok(ImportantRead {
        posts,
        at,
        next: last.and_then(|behind| Further::new(at.0, behind)),
        new,
    })
}

/// The posts that are ranked.
struct ToRank {
    statuses: Vec<VisibleStatus>,
    at: UnixMs,
    /// Number of new posts.
    new: u64,
}

/// Returns the posts to rank. If hidden or muted posts left fewer than there may be, it reads more of the home, without
/// another visit.
async fn posts_to_rank(
    store: &Store,
    reader: UserId,
    further: Option<Further>,
    read_mode: ReadMode,
) -> Result<ToRank> {
    let at = further.map(|further| UnixMs(further.at_ms));
    let newest = awake_candidates(store, reader, at, read_mode).await?;
    let is_built = matches!(newest.mark, Mark::Floor(_));
    let has_new = newest.new > 0;
    let wanted = if has_new { CANDIDATES } else { PAGE_SIZE };
    let is_cut = newest.ids.len() >= wanted;
    let mut reading = Reading {
        store,
        reader,
        budget: FoldingBudget::of_page(),
    };
    let mut posts = reading.posts_among(newest, wanted).await?;
    let more = async |part| store.candidates(reader, at, part, ReadMode::Prefetch).await;
    if is_built && is_cut && posts.statuses.len() < wanted {
        let more = more(HomePart::AllNew).await?;
        posts = reading.posts_among(more, wanted).await?;
    }
    if is_built && has_new && at.is_none() && posts.statuses.is_empty() {
        let more = more(HomePart::Whole).await?;
        posts = reading.posts_among(more, PAGE_SIZE).await?;
    }
    Ok(posts)
}

/// The read of the posts to rank.
struct Reading<'a> {
    store: &'a Store,
    reader: UserId,
    /// The budget of texts of all parts of the home.
    budget: FoldingBudget,
}

impl Reading<'_> {
    /// Returns the newest `wanted` of these posts, without hidden and muted ones. Reposts of one original appear once,
    /// at the newest position. Those that the budget of texts leaves unexamined are not ranked this time.
    async fn posts_among(&mut self, candidates: Candidates, wanted: usize) -> Result<ToRank> {
        let (viewer, budget) = (Viewer::Member(self.reader), &mut self.budget);
        let examined = self
            .store
            .visible_on_timelines(viewer, &candidates.ids, budget)
            .await?;
        let left_out_count = examined.left_out_count();
        let (mut statuses, mut shown) = (examined.visible, HashSet::new());
        statuses.retain(|status| !status.is_own() && shown.insert(status.shown().id()));
        statuses.truncate(wanted);
        Ok(ToRank {
            statuses,
            at: candidates.at,
            new: candidates.new.saturating_sub(left_out_count),
        })
    }
}

/// Returns the candidates of a home. A dormant home is rebuilt first. A home that is being built is merged from
/// profiles, and none of its posts counts as new.
async fn awake_candidates(
    store: &Store,
    reader: UserId,
    at: Option<UnixMs>,
    read_mode: ReadMode,
) -> Result<Candidates> {
    let part = HomePart::New(CANDIDATES);
    let mut candidates = store.candidates(reader, at, part, read_mode).await?;
    let home = Timeline::Home(reader);
    if candidates.mark == Mark::Dormant {
        match rebuild(store, home, Begin::Visit).await {
            Ok(()) | Err(Error::Full) => {}
            Err(error) => return Err(error),
        }
        candidates = store.candidates(reader, at, part, read_mode).await?;
    }
    if !matches!(candidates.mark, Mark::Floor(_)) {
        let sources = store.sources(home).await?;
        let mut budget = MergeBudget::of_page(&sources);
        let merged = store.merge_sources(&sources, None, PAGE_SIZE, &mut budget);
        let merged = merged.await?;
        candidates.ids = merged.statuses.into_iter().map(|(id, _)| id).collect();
    }
    Ok(candidates)
}

/// Returns the headers of all living statuses among the signals. One round trip.
async fn lives(
    store: &Store,
    activity: &RecentActivity,
) -> Result<HashMap<StatusId, StatusHeader>> {
    let replies = activity
        .reactions
        .iter()
        .flat_map(|reactions| &reactions.replies);
    let named = replies.chain(&activity.favourites).chain(&activity.written);
    let ids: HashSet<StatusId> = named.copied().collect();
    let ids: Vec<StatusId> = ids.into_iter().collect();
    let lives = store
        .lives_for_timelines(&ids)
        .await?
        .into_iter()
        .map(Life::living);
    let living = ids.into_iter().zip(lives);
    Ok(living.filter_map(|(id, life)| Some((id, life?))).collect())
}

/// The signals of all posts, counted once.
struct SignalsOfAll<'a> {
    reader: UserId,
    at: UnixMs,
    activity: &'a RecentActivity,
    lives: &'a HashMap<StatusId, StatusHeader>,
    /// Index of each post in the reactions.
    places: HashMap<StatusId, usize>,
    replies_by_reader: HashMap<UserId, u64>,
    favourited: HashMap<UserId, u64>,
}

impl<'a> SignalsOfAll<'a> {
    fn new(
        reader: UserId,
        at: UnixMs,
        posts: &[StatusId],
        activity: &'a RecentActivity,
        lives: &'a HashMap<StatusId, StatusHeader>,
    ) -> Self {
        let written = activity.written.iter().filter_map(|id| lives.get(id));
        let replies_by_reader = written.filter_map(|status| status.reply_to);
        let favourited = activity.favourites.iter().filter_map(|id| lives.get(id));
        Self {
            reader,
            at,
            activity,
            lives,
            places: posts.iter().copied().zip(0..).collect(),
            replies_by_reader: counted(replies_by_reader.map(|origin| origin.author)),
            favourited: counted(favourited.map(|status| status.author)),
        }
    }

    /// Returns the signals of a post. A repost has those of its original, except for the age.
    fn of(&self, status: &VisibleStatus) -> Signals {
        let author = status.shown().author().id;
        let place = self.places.get(&status.shown().id());
        let reactions = place.and_then(|at| self.activity.reactions.get(*at));
        let favourited_by = reactions
            .into_iter()
            .flat_map(|reactions| &reactions.favourited_by);
        let replies = reactions
            .into_iter()
            .flat_map(|reactions| &reactions.replies);
        let replies = replies.filter_map(|id| self.lives.get(id));
        let number = |of: &HashMap<UserId, u64>| of.get(&author).copied().unwrap_or_default();
        Signals {
            replies: self.followed(author, replies.map(|reply| reply.author)),
            favourites: self.followed(author, favourited_by.copied()),
            replies_by_reader: number(&self.replies_by_reader),
            favourited: number(&self.favourited),
            age_ms: self.at.0.saturating_sub(status.posted().0),
            author_preference: self.author_preference(author),
            reposter_preference: match status.is_repost() {
                true => self.author_preference(status.author().id),
                false => AuthorPreference::Normal,
            },
        }
    }

    fn author_preference(&self, of: UserId) -> AuthorPreference {
        let author_preference = self.activity.author_preferences.get(&of);
        author_preference.copied().unwrap_or_default()
    }

    /// Counts the people among these whom the reader follows. Reactions by author and reader do not
    /// count.
    fn followed(&self, author: UserId, people: impl Iterator<Item = UserId>) -> u64 {
        let others = people.filter(|who| *who != author && *who != self.reader);
        let followed = others.filter(|who| self.activity.people.contains(who));
        followed.collect::<HashSet<_>>().len() as u64
    }
}

/// Counts the occurrences of each person.
fn counted(people: impl Iterator<Item = UserId>) -> HashMap<UserId, u64> {
    let mut counts = HashMap::new();
    for person in people {
        *counts.entry(person).or_default() += 1;
    }
    counts
}
