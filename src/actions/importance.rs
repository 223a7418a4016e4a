//! Home in the order of importance: the newest posts by others among those since the last visit, and
//! what decides where each of them stands.

use std::collections::{HashMap, HashSet};

use crate::{
    actions::homes::rebuild,
    domain::{
        AuthorPreference, Further, PAGE_SIZE, Ranked, Signals, StatusHeader, StatusId, Timeline,
        UserId, most_important,
    },
    store::{
        Begin, Candidates, Life, Mark, ReadMode, Result, Store, Traces, UnixMs, Viewer,
        VisibleStatus,
    },
};

/// How many of the newest posts are ordered, at most.
pub const CANDIDATES: usize = 200;

/// A page of a home in the order of importance.
#[derive(Debug, Clone)]
pub struct ImportantRead {
    /// The most important first.
    pub posts: Vec<Ranked<VisibleStatus>>,
    /// As of when they are ordered.
    pub at: UnixMs,
    /// Where the order goes on; `None` at its end.
    pub next: Option<Further>,
    /// How many posts are new. Where none is, the newest of those that were seen are ordered.
    pub new: u64,
}

/// A page of what is new on a home since its owner was there (as [`home_page`](super::homes::home_page)
/// says), the most important first: the newest [`CANDIDATES`] of it by others, by the formula of
/// [`Signals`]. Where nothing is new, the newest page of what was seen.
///
/// Nothing is kept of the order. A further page makes it anew as of the same moment, without what
/// was posted, answered and favoured since, and goes on behind the last place of the page before. So
/// pages neither repeat nor skip a post, unless something is taken back meanwhile, comes late, or the
/// reader follows or weighs people anew.
///
/// This is reading home: but for a glance, it begins a visit and prolongs it. Where all that is new stands on one page
/// it counts as seen from the next visit on; where it takes several pages nothing does, and it stays
/// new until a page of home has shown it.
///
/// # Errors
/// `Unavailable` when Redis is away.
pub async fn important_page(
    store: &Store,
    reader: UserId,
    further: Option<Further>,
    read_mode: ReadMode,
) -> Result<ImportantRead> {
    let Candidates { at, ids, new, .. } =
        awake_candidates(store, reader, further, read_mode).await?;
    let viewer = Viewer::Member(reader);
    let mut statuses = store.visible(viewer, &ids).await?;
    // What several people reposted stands once: at the newest of it.
    let mut shown = HashSet::new();
    statuses.retain(|status| !status.is_own() && shown.insert(status.shown().id()));
    let shown: Vec<StatusId> = statuses.iter().map(|status| status.shown().id()).collect();
    let traces = store.traces(reader, &shown, at).await?;
    let lives = lives(store, &traces).await?;
    let signals = SignalsOfAll::new(reader, at, &shown, &traces, &lives);
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

/// What is to be ordered. A dormant home is built first; one that is being built is read by merging
/// profiles, and nothing of it is known to be new.
async fn awake_candidates(
    store: &Store,
    reader: UserId,
    further: Option<Further>,
    read_mode: ReadMode,
) -> Result<Candidates> {
    let at = further.map(|further| UnixMs(further.at_ms));
    let mut candidates = store.candidates(reader, at, CANDIDATES, read_mode).await?;
    let home = Timeline::Home(reader);
    if candidates.mark == Mark::Dormant {
        rebuild(store, home, Begin::Visit).await?;
        candidates = store.candidates(reader, at, CANDIDATES, read_mode).await?;
    }
    if !matches!(candidates.mark, Mark::Floor(_)) {
        let sources = store.sources(home).await?;
        let merged = store.merge_sources(&sources, None, PAGE_SIZE).await?;
        candidates.ids = merged.statuses.into_iter().map(|(id, _)| id).collect();
    }
    Ok(candidates)
}

/// Where all the statuses come from that traces name, as far as they live. One trip.
async fn lives(store: &Store, traces: &Traces) -> Result<HashMap<StatusId, StatusHeader>> {
    let answers = traces.echoes.iter().flat_map(|echo| &echo.answers);
    let named = answers.chain(&traces.favourites).chain(&traces.written);
    let ids: HashSet<StatusId> = named.copied().collect();
    let ids: Vec<StatusId> = ids.into_iter().collect();
    let lives = store.lives(&ids).await?.into_iter().map(Life::living);
    let living = ids.into_iter().zip(lives);
    Ok(living.filter_map(|(id, life)| Some((id, life?))).collect())
}

/// What is known of all the posts, counted once.
struct SignalsOfAll<'a> {
    reader: UserId,
    at: UnixMs,
    traces: &'a Traces,
    lives: &'a HashMap<StatusId, StatusHeader>,
    /// Where each stands among the echoes.
    places: HashMap<StatusId, usize>,
    answered: HashMap<UserId, u64>,
    favourited: HashMap<UserId, u64>,
}

impl<'a> SignalsOfAll<'a> {
    fn new(
        reader: UserId,
        at: UnixMs,
        posts: &[StatusId],
        traces: &'a Traces,
        lives: &'a HashMap<StatusId, StatusHeader>,
    ) -> Self {
        let written = traces.written.iter().filter_map(|id| lives.get(id));
        let answered = written.filter_map(|status| status.reply_to);
        let favourited = traces.favourites.iter().filter_map(|id| lives.get(id));
        Self {
            reader,
            at,
            traces,
            lives,
            places: posts.iter().copied().zip(0..).collect(),
            answered: counted(answered.map(|origin| origin.author)),
            favourited: counted(favourited.map(|status| status.author)),
        }
    }

    /// Those of a repost are its original's, but for its age.
    fn of(&self, status: &VisibleStatus) -> Signals {
        let author = status.shown().author().id;
        let place = self.places.get(&status.shown().id());
        let echo = place.and_then(|at| self.traces.echoes.get(*at));
        let favourited_by = echo.into_iter().flat_map(|echo| &echo.favourited_by);
        let answers = echo.into_iter().flat_map(|echo| &echo.answers);
        let answerers = answers.filter_map(|id| self.lives.get(id));
        let number = |of: &HashMap<UserId, u64>| of.get(&author).copied().unwrap_or_default();
        Signals {
            answers: self.followed(author, answerers.map(|answer| answer.author)),
            favourites: self.followed(author, favourited_by.copied()),
            answered: number(&self.answered),
            favourited: number(&self.favourited),
            age_ms: self.at.0.saturating_sub(status.posted().0),
            weight: self.weight(author),
            of_reposter: match status.is_repost() {
                true => self.weight(status.author().id),
                false => AuthorPreference::Normal,
            },
        }
    }

    fn weight(&self, of: UserId) -> AuthorPreference {
        let weight = self.traces.author_preferences.get(&of);
        weight.copied().unwrap_or_default()
    }

    /// How many of these people the reader follows. What an author says of their own post is no
    /// sign, nor what the reader does.
    fn followed(&self, author: UserId, people: impl Iterator<Item = UserId>) -> u64 {
        let others = people.filter(|who| *who != author && *who != self.reader);
        let followed = others.filter(|who| self.traces.people.contains(who));
        followed.collect::<HashSet<_>>().len() as u64
    }
}

/// How often each of these people is named.
fn counted(people: impl Iterator<Item = UserId>) -> HashMap<UserId, u64> {
    let mut counts = HashMap::new();
    for person in people {
        *counts.entry(person).or_default() += 1;
    }
    counts
}
