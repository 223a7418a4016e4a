//! The audit behind `redwing check`. It verifies the invariants of the data model in bounded batches
//! while the site is in use, and repairs derived copies from the source of truth. [`scrub`] does the
//! same slowly all the time.

mod confirmation;
mod examination;
mod fault;
mod invariants;
mod names;
mod repair;
mod report;
pub mod scrub;
mod work;

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use tokio::time::{Instant, sleep};

pub use fault::Invariant;
pub use report::{Finding, Report};

use self::{
    confirmation::Patience,
    fault::{Fault, Findings, Subject, UserIds},
    repair::Effect,
};
use crate::{
    domain::{Login, StatusId, UserId},
    store::{FoundKey, Key, KeyOwner, Pages, Result, Store},
    worker,
};

/// Number of keys per step of a walk.
const STEP: usize = 1000;
/// Number of suspected faults before a confirmation, which bounds memory.
const SUSPECTS: usize = 5000;
/// Number of repairing walks before one that only verifies. A repair can reveal a hidden fault.
const REPAIRING_WALKS: usize = 4;
/// Time for which a repair itself runs tasks.
const TASK_TIME: Duration = Duration::from_secs(60);
/// Number of walks over a cluster with moving slots.
const RESTARTED_WALKS: usize = 3;
/// Time that the first walk waits for moving slots.
const SLOT_WAIT: Duration = Duration::from_secs(10);
const SLOT_PAUSE: Duration = Duration::from_millis(500);

/// Arguments of `redwing check`.
#[derive(Debug, Clone, Args)]
pub struct CheckArgs {
    /// Repair derived data from its source of truth and list the repairs, then verify again.
    #[arg(long)]
    pub repair: bool,

    /// With --repair: also remove follows and logins of missing people, and duplicate sign-ups. Only if
    /// nothing will be restored from a backup.
    #[arg(long, requires = "repair")]
    pub drop_orphans: bool,

    /// Check one person only, by login or id: their keys, statuses and relations.
    #[arg(long, value_name = "LOGIN", value_parser = stored_login)]
    pub user: Option<Login>,

    /// Print one JSON document instead of a table.
    #[arg(long)]
    pub json: bool,
}

impl CheckArgs {
    pub fn repair(&self) -> Repair {
        match (self.repair, self.drop_orphans) {
            (false, _) => Repair::No,
            (true, false) => Repair::Yes,
            (true, true) => Repair::DropOrphans,
        }
    }

    /// Returns the scope of the check. `None` if the named person does not exist. An id counts if no
    /// login reads like it, for a person without a login.
    pub async fn scope(&self, store: &Store) -> Result<Option<Scope>> {
        let Some(login) = &self.user else {
            return Ok(Some(Scope::Everything));
        };
        if let Some(id) = store.holder(login).await? {
            return Ok(Some(Scope::Person(id)));
        }
        let Ok(id) = login.as_str().parse() else {
            return Ok(None);
        };
        let keys = store.look_up(&store.key_names(id).await?).await?;
        Ok((!keys.is_empty()).then_some(Scope::Person(id)))
    }
}

fn stored_login(text: &str) -> std::result::Result<Login, &'static str> {
    let text = text.strip_prefix('@').unwrap_or(text);
    Login::stored(text).ok_or("not a login")
}

/// Whether faults are repaired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repair {
    No,
    /// All but references to missing people, who may be restored.
    Yes,
    /// These as well.
    DropOrphans,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    Everything,
    /// A person's keys, statuses and follows. Only a walk over everything finds a status that is missing
    /// from its author's profile, sessions, and idempotency keys.
    Person(UserId),
}

pub async fn run(store: &Store) -> Result<Report> {
    perform(store, Scope::Everything, Repair::No).await
}

/// Verifies every invariant and repairs faults if asked to. Repaired things are verified again, and the
/// report states the rest. On a terminal a bar shows the progress.
pub async fn perform(store: &Store, scope: Scope, repair: Repair) -> Result<Report> {
    let mut report = Report::new();
    let mut repairing_walks = match repair {
        Repair::No => 0,
        Repair::Yes | Repair::DropOrphans => REPAIRING_WALKS,
    };
    loop {
        let repair = if repairing_walks > 0 {
            repair
        } else {
            Repair::No
        };
        report.begin_walk();
        let mut check = Check {
            store,
            repair,
            report: &mut report,
            suspects: Vec::new(),
            seen: HashSet::new(),
            ids: UserIds::default(),
            repaired: false,
        };
        match scope {
            Scope::Everything => check.everything().await?,
            Scope::Person(id) => check.person(id).await?,
        }
        if !check.repaired {
            report.resolve_names(store).await?;
            return Ok(report);
        }
        repairing_walks -= 1;
    }
}

struct Check<'a> {
    store: &'a Store,
    repair: Repair,
    report: &'a mut Report,
    /// Suspected faults without a confirmation.
    suspects: Vec<Fault>,
    seen: HashSet<u64>,
    ids: UserIds,
    repaired: bool,
}

impl Check<'_> {
    async fn everything(&mut self) -> Result<()> {
        self.wait_for_slots().await?;
        let mut saw_all = self.walk_over_all().await?;
        for _ in 1..RESTARTED_WALKS {
            if saw_all {
                break;
            }
            tracing::warn!("slots moved between nodes during the check: starting again");
            self.confirm_and_repair().await?;
            self.report.begin_walk();
            self.seen.clear();
            saw_all = self.walk_over_all().await?;
        }
        self.report.saw_all(saw_all);
        self.examine_subjects(vec![Subject::Site(self.ids)]).await?;
        self.confirm_and_repair().await
    }

    async fn wait_for_slots(&self) -> Result<()> {
        let limit = Instant::now() + SLOT_WAIT;
        while !self.store.is_settled().await? && Instant::now() < limit {
            sleep(SLOT_PAUSE).await;
        }
        Ok(())
    }

    /// Walks over all keys. Returns `false` if keys may have been missed.
    async fn walk_over_all(&mut self) -> Result<bool> {
        let template = "    keys {wide_bar} {human_pos}/{human_len}  {eta} left";
        let style = ProgressStyle::with_template(template).expect("the template is well formed");
        // Hidden without a terminal.
        let bar = ProgressBar::new(self.store.key_count().await?).with_style(style);
        let mut walk = self.store.begin_walk().await?;
        while let Some(keys) = self.store.walk(&mut walk, STEP).await? {
            bar.inc(keys.len() as u64);
            self.examine(keys).await?;
        }
        bar.finish_and_clear();
        self.store.saw_all(&walk).await
    }

    async fn person(&mut self, id: UserId) -> Result<()> {
        let names = self.store.key_names(id).await?;
        let keys = self.store.look_up(&names).await?;
        self.examine(keys).await?;
        let login = self.store.logins_of(&[id]).await?.pop().flatten();
        if let Some(login) = login.and_then(|login| Login::stored(&login)) {
            self.examine_subjects(vec![Key::Login(login).into()])
                .await?;
        }
        let mut pages = Pages::of(&Key::Profile(id));
        loop {
            let rows = self.store.rows(&mut pages).await?;
            if rows.is_empty() {
                break;
            }
            let ids = rows
                .iter()
                .filter_map(|(id, _)| id.parse::<StatusId>().ok());
            let keys = ids.flat_map(|id| Key::all_of(&KeyOwner::Status(id)));
            self.examine_subjects(keys.map(Subject::from).collect())
                .await?;
        }
        self.confirm_and_repair().await
    }

    async fn examine_subjects(&mut self, subjects: Vec<Subject>) -> Result<()> {
        let findings = examination::examine(self.store, subjects).await?;
        self.take(findings);
        Ok(())
    }

    async fn examine(&mut self, keys: Vec<FoundKey>) -> Result<()> {
        let findings = examination::examine_keys(self.store, keys).await?;
        self.take(findings);
        if self.suspects.len() >= SUSPECTS {
            self.confirm_and_repair().await?;
        }
        Ok(())
    }

    fn take(&mut self, findings: Findings) {
        self.report.examined(&findings.examined);
        self.ids.add_all(findings.ids);
        self.suspects.extend(findings.faults);
    }

    /// Confirms the suspected faults by further looks, and repairs them.
    async fn confirm_and_repair(&mut self) -> Result<()> {
        let suspects = std::mem::take(&mut self.suspects);
        let mut verdict =
            confirmation::confirm(self.store, suspects, Patience::OutboxEntry).await?;
        sort(&mut verdict.wrong);
        self.report.under_way(verdict.under_way);
        for fault in &verdict.wrong {
            self.report.wrong(fault, &mut self.seen);
        }
        if self.repair == Repair::No {
            return Ok(());
        }
        let mut wrong = verdict.wrong;
        if self.repair == Repair::Yes {
            wrong.retain(|fault| fault.effect() != Some(Effect::Orphan));
        }
        let repairs = repair::run_all(self.store, wrong).await?;
        if repairs.changed() {
            self.repaired = true;
            worker::catch_up(self.store, TASK_TIME).await?;
        }
        self.report.repaired(repairs);
        Ok(())
    }
}

/// Sorts faults, so that repeated checks report the same ones. One of each kind comes first, because
/// only some are shown. Faults that differ only in numbers are of one kind.
fn sort(faults: &mut [Fault]) {
    faults.sort_by_cached_key(Fault::words);
    let mut of_kind: HashMap<String, usize> = HashMap::new();
    faults.sort_by_cached_key(|fault| {
        let kind = fault.words().replace(|c: char| c.is_ascii_digit(), "");
        let before = of_kind.entry(kind).or_default();
        *before += 1;
        *before
    });
}
