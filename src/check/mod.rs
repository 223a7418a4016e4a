//! The invariants of the data model, verified by walking the whole database in bounded batches.
//! What seems wrong is looked at once more, because things move while the site is in use.

use std::collections::{BTreeMap, HashSet};

use crate::{
    domain::{Login, StatusId, UserId},
    store::{Error, Estate, KeyKind, Life, Mark, Result, Store},
};

/// How many examples of a broken invariant are kept.
const EXAMPLES: usize = 5;
/// A reminder that is overdue by that much was not followed by any worker, in ms.
const OVERDUE_MS: u64 = 60_000;

/// What must hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Invariant {
    LoginsNameBack,
    EdgesMirror,
    CountsMatch,
    ProfilesHoldTheLiving,
    HomesAreComplete,
    KeysAreOwned,
    TasksMove,
}

impl Invariant {
    const ALL: [Self; 7] = [
        Self::LoginsNameBack,
        Self::EdgesMirror,
        Self::CountsMatch,
        Self::ProfilesHoldTheLiving,
        Self::HomesAreComplete,
        Self::KeysAreOwned,
        Self::TasksMove,
    ];

    /// In words.
    #[must_use]
    pub fn claim(self) -> &'static str {
        match self {
            Self::LoginsNameBack => "every login names a user that names it back",
            Self::EdgesMirror => "following and followers mirror each other",
            Self::CountsMatch => "counts equal cardinalities",
            Self::ProfilesHoldTheLiving => "profiles hold exactly their author's living statuses",
            Self::HomesAreComplete => "homes hold exactly what lives above their floor",
            Self::KeysAreOwned => "every key has an owner, and a TTL only where it is ephemeral",
            Self::TasksMove => "no reminder is overdue and no task was given up",
        }
    }
}

/// What was found about one invariant.
#[derive(Debug, Clone, Default)]
pub struct Finding {
    pub examined: u64,
    pub wrong: u64,
    pub examples: Vec<String>,
}

/// What was found, by invariant.
#[derive(Debug, Clone)]
pub struct Report(BTreeMap<Invariant, Finding>);

impl Report {
    fn new() -> Self {
        Self(
            Invariant::ALL
                .map(|invariant| (invariant, Finding::default()))
                .into(),
        )
    }

    fn note(&mut self, invariant: Invariant, faults: Vec<String>) {
        let finding = self.0.entry(invariant).or_default();
        finding.examined += 1;
        finding.wrong += u64::from(!faults.is_empty());
        let room = EXAMPLES.saturating_sub(finding.examples.len());
        finding.examples.extend(faults.into_iter().take(room));
    }

    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.0.values().all(|finding| finding.wrong == 0)
    }

    pub fn findings(&self) -> impl Iterator<Item = (Invariant, &Finding)> {
        self.0
            .iter()
            .map(|(invariant, finding)| (*invariant, finding))
    }
}

/// Verifies every invariant.
///
/// # Errors
/// Redis being away, and a cluster, whose nodes would each need a walk of their own.
pub async fn run(store: &Store) -> Result<Report> {
    if store.partitions() > 1 {
        return Err(Error::Unexpected {
            what: "check",
            answer: "a cluster cannot be walked yet".into(),
        });
    }
    let mut report = Report::new();
    let mut cursor = Some(0);
    while let Some(at) = cursor {
        let step = store.walk(at).await?;
        cursor = step.next;
        for key in step.keys {
            examine_key(store, &mut report, key.kind, &key.name, key.expires).await?;
        }
    }
    examine_tasks(store, &mut report).await?;
    Ok(report)
}

async fn examine_key(
    store: &Store,
    report: &mut Report,
    kind: KeyKind,
    name: &str,
    expires: bool,
) -> Result<()> {
    let mut fault = None;
    match kind {
        KeyKind::User(id) => {
            examine_user(store, report, id).await?;
            fault = expires.then_some("truth with a TTL");
        }
        KeyKind::Status(id) => {
            examine_status(store, report, id).await?;
            let dead = matches!(store.life(id).await?, Life::Dead(_));
            fault = (dead != expires).then_some("a TTL belongs to tombstones, and to them alone");
        }
        KeyKind::OfUser(id) => {
            let owned = store
                .are_people(&[id])
                .await?
                .first()
                .copied()
                .unwrap_or_default();
            fault = if owned {
                expires.then_some("has a TTL")
            } else {
                Some("of nobody")
            };
        }
        KeyKind::Login(folded) => report.note(
            Invariant::LoginsNameBack,
            login_faults(store, &folded).await?,
        ),
        KeyKind::Ephemeral => fault = (!expires).then_some("has no TTL"),
        KeyKind::Site => fault = expires.then_some("has a TTL"),
        KeyKind::Unknown => fault = Some("not a key of ours"),
    }
    let faults = fault.map(|fault| format!("{name}: {fault}"));
    report.note(Invariant::KeysAreOwned, faults.into_iter().collect());
    Ok(())
}

async fn login_faults(store: &Store, folded: &str) -> Result<Vec<String>> {
    let user = match Login::stored(folded) {
        Some(login) => store.user_by_login(&login).await?,
        None => None,
    };
    Ok(user
        .is_none()
        .then(|| format!("login {folded} names nobody that names it back"))
        .into_iter()
        .collect())
}

async fn examine_user(store: &Store, report: &mut Report, id: UserId) -> Result<()> {
    let mut faults = user_faults(store, id).await?;
    if faults.iter().any(|(_, faults)| !faults.is_empty()) {
        faults = user_faults(store, id).await?;
    }
    for (invariant, faults) in faults {
        report.note(invariant, faults);
    }
    Ok(())
}

async fn user_faults(store: &Store, id: UserId) -> Result<Vec<(Invariant, Vec<String>)>> {
    let estate = store.estate(id).await?;
    let Some(login) = &estate.login else {
        return Ok(Vec::new());
    };
    let unnamed = store.holder(login).await? != Some(id);
    Ok(vec![
        (
            Invariant::LoginsNameBack,
            unnamed
                .then(|| format!("user {id}: {login} is not theirs"))
                .into_iter()
                .collect(),
        ),
        (Invariant::EdgesMirror, edge_faults(store, &estate).await?),
        (Invariant::CountsMatch, count_faults(&estate)),
        (
            Invariant::ProfilesHoldTheLiving,
            profile_faults(store, &estate).await?,
        ),
        (
            Invariant::HomesAreComplete,
            home_faults(store, &estate).await?,
        ),
    ])
}

async fn edge_faults(store: &Store, estate: &Estate) -> Result<Vec<String>> {
    let id = estate.id;
    let mut faults = Vec::new();
    if estate.following.contains(&id) {
        faults.push(format!("user {id} follows themself"));
    }
    for (other, mirrored) in estate
        .following
        .iter()
        .zip(store.is_follower_of_each(id, &estate.following).await?)
    {
        if !mirrored {
            faults.push(format!("user {id} follows {other}, who does not know"));
        }
    }
    for (other, follows) in estate
        .followers
        .iter()
        .zip(store.followed_by_each(id, &estate.followers).await?)
    {
        if !follows {
            faults.push(format!(
                "user {other} is listed as a follower of {id}, and is none"
            ));
        }
    }
    for (other, there) in estate
        .following
        .iter()
        .zip(store.are_people(&estate.following).await?)
    {
        if !there {
            faults.push(format!("user {id} follows {other}, who is not there"));
        }
    }
    Ok(faults)
}

fn count_faults(estate: &Estate) -> Vec<String> {
    let pairs = [
        ("posts", estate.posts, estate.profile.len()),
        ("followers", estate.followers_count, estate.followers.len()),
        ("following", estate.following_count, estate.following.len()),
    ];
    let wrong = pairs
        .into_iter()
        .filter(|(_, count, is)| *count != *is as u64);
    wrong
        .map(|(what, count, is)| format!("user {}: {what} says {count}, is {is}", estate.id))
        .collect()
}

async fn profile_faults(store: &Store, estate: &Estate) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for ids in estate.profile.chunks(1000) {
        for (status, life) in ids.iter().zip(store.lives(ids).await?) {
            if life != Life::Living(estate.id) {
                faults.push(format!("profile of {} holds {status}: {life:?}", estate.id));
            }
        }
    }
    Ok(faults)
}

async fn home_faults(store: &Store, estate: &Estate) -> Result<Vec<String>> {
    let Mark::Floor(floor) = estate.mark else {
        return Ok(Vec::new());
    };
    let mut sources = estate.following.clone();
    sources.push(estate.id);
    let living = store.living_by(&sources).await?;
    let expected: HashSet<StatusId> = living.into_iter().filter(|id| id.get() >= floor).collect();
    let held: HashSet<StatusId> = estate.home.iter().copied().collect();
    let mut faults: Vec<String> = expected
        .difference(&held)
        .map(|id| format!("home of {} lacks {id}", estate.id))
        .collect();
    faults.extend(
        held.difference(&expected)
            .map(|id| format!("home of {} holds {id} wrongly", estate.id)),
    );
    let most = store.config().limits.home_size + 24;
    if held.len() > most {
        faults.push(format!(
            "home of {} holds {}, more than {most}",
            estate.id,
            held.len()
        ));
    }
    Ok(faults)
}

async fn examine_status(store: &Store, report: &mut Report, id: StatusId) -> Result<()> {
    let faults = match store.life(id).await? {
        Life::Living(author) if !store.stands_in_profile(id, author).await? => {
            vec![format!(
                "status {id} lives, but not in the profile of {author}"
            )]
        }
        _ => Vec::new(),
    };
    report.note(Invariant::ProfilesHoldTheLiving, faults);
    Ok(())
}

async fn examine_tasks(store: &Store, report: &mut Report) -> Result<()> {
    let [_, _, dead] = store.task_counts().await?;
    let now = store.now().await?;
    let overdue = store
        .oldest_due()
        .await?
        .filter(|due| due.0 + OVERDUE_MS < now.0);
    let mut faults: Vec<String> = (dead > 0)
        .then(|| format!("{dead} tasks were given up"))
        .into_iter()
        .collect();
    faults.extend(overdue.map(|due| format!("a reminder is overdue since {} ms", now.0 - due.0)));
    report.note(Invariant::TasksMove, faults);
    Ok(())
}
