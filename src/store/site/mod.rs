//! The settings of the site that its owner chooses: name, description, contact, rules, question, entrance,
//! hue, shields. Every page shows the name, so each process keeps a copy and reads it again every few seconds.

mod change;
mod comparison;
mod fields;
mod shields;
mod texts;

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use parking_lot::RwLock;

pub use self::{
    change::{ChangeSite, SettingsChange, ShieldsChange, SiteChange, TextsChange},
    comparison::SiteOutcome,
    texts::SiteTexts,
};
use self::{
    fields::{everybody, group_founders},
    shields::{StoredShields, read_shields, shields},
};
use super::{invitations::ClaimOutcome, prelude::*};
use crate::domain::{
    Bio, DisplayName, Entrance, Question, RuleId, RuleLines, Shields, SiteHue, SiteRule, SiteRules,
    flag,
};

script_calls! {
    ClaimSite = "claim_site"(
        site;
        deadline_ms: u64, owner: u64, name: String, description: String, contact: String, rules: String,
        question: String, entrance: &'static str, group_founders: &'static str, hue: u16, everybody: &'static str,
        public_log: &'static str, inviters: &'static str
    );
    ReleaseSite = "release_site"(site; owner: u64);
    KeepSite = "keep_site"(site; owner: u64);
}

/// Time after which a process reads the settings again.
const FRESH_MS: u64 = 5000;
/// What the owner says about the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteDraft {
    pub name: DisplayName,
    pub description: Bio,
    /// How to reach those who run the site.
    pub contact: Bio,
    pub rules: RuleLines,
    /// To people who ask to join. Empty means [`SiteProfile::QUESTION`].
    pub question: Question,
    pub entrance: Entrance,
    /// Everybody can found groups. Otherwise only moderators and owners can.
    pub lets_members_found_groups: bool,
    pub hue: SiteHue,
    /// Visitors see the newest posts of everybody.
    pub shows_everybody_to_visitors: bool,
    /// Everybody reads the numbers of decisions.
    pub has_public_log: bool,
    /// Profiles show everybody who invited the person.
    pub shows_inviters: bool,
}

/// The settings of the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteProfile {
    pub name: String,
    pub description: String,
    /// How to reach those who run the site. Can be empty.
    pub contact: String,
    pub(super) rules: SiteRules,
    question: String,
    /// The entrance that the owner chose.
    pub entrance: Option<Entrance>,
    /// Whether the owner wrote the page "About".
    pub has_about: bool,
    /// Whether the owner wrote the page "Privacy".
    pub has_privacy: bool,
    /// The person who set the site up.
    pub owner: Option<UserId>,
    /// Everybody can found groups.
    pub lets_members_found_groups: bool,
    pub shields: Shields,
    pub hue: SiteHue,
    /// Visitors see the newest posts of everybody.
    pub shows_everybody_to_visitors: bool,
    /// Everybody reads the numbers of decisions.
    pub has_public_log: bool,
    /// Profiles show everybody who invited the person.
    pub shows_inviters: bool,
}

impl Default for SiteProfile {
    fn default() -> Self {
        Self {
            name: SiteProfile::UNNAMED.to_owned(),
            description: String::new(),
            contact: String::new(),
            rules: SiteRules::default(),
            question: String::new(),
            entrance: None,
            has_about: false,
            has_privacy: false,
            owner: None,
            lets_members_found_groups: true,
            shields: Shields::default(),
            hue: SiteHue::DEFAULT,
            shows_everybody_to_visitors: true,
            has_public_log: false,
            shows_inviters: false,
        }
    }
}

impl SiteProfile {
    /// The name of a site that its owner has not named.
    pub const UNNAMED: &'static str = "Redwing";

    /// The question if the owner wrote none.
    pub const QUESTION: &'static str = "Why would you like to join?";

    /// Returns the question to people who ask to join.
    pub fn question(&self) -> &str {
        match self.question.as_str() {
            "" => Self::QUESTION,
            question => question,
        }
    }

    /// Returns the question as the owner wrote it. Can be empty.
    pub fn own_question(&self) -> &str {
        &self.question
    }

    pub fn is_named(&self) -> bool {
        self.name != Self::UNNAMED
    }

    /// Returns the rules, in the order of their numbers.
    pub fn rules(&self) -> &[SiteRule] {
        self.rules.as_slice()
    }

    /// Returns the rule with this id, unless the owner has removed it.
    pub fn rule(&self, id: RuleId) -> Option<&SiteRule> {
        self.rules().iter().find(|rule| rule.id == id)
    }

    /// Returns the rules as the lines of a form.
    pub fn rule_lines(&self) -> String {
        self.rules.lines()
    }

    /// Returns whether the page of the rules has something to say.
    pub fn has_rules_page(&self) -> bool {
        !self.rules().is_empty() || !self.contact.is_empty()
    }
}

/// The copy of the settings that all threads of a process share.
pub(super) struct SiteCopy {
    profile: RwLock<Option<Arc<SiteProfile>>>,
    begun: Instant,
    /// The last read, in ms since the beginning.
    read_ms: AtomicU64,
}

impl Default for SiteCopy {
    fn default() -> Self {
        Self {
            profile: RwLock::default(),
            begun: Instant::now(),
            read_ms: AtomicU64::new(0),
        }
    }
}

impl SiteCopy {
    fn now_ms(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Returns whether this caller is to read the settings again.
    fn is_due(&self) -> bool {
        let (read_ms, now_ms) = (self.read_ms.load(Ordering::Relaxed), self.now_ms());
        now_ms.saturating_sub(read_ms) > FRESH_MS
            && self
                .read_ms
                .compare_exchange(read_ms, now_ms, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
    }
}

impl Store {
    /// Returns the settings as this process knows them, at most a few seconds old while pages are read.
    pub fn known_site(&self) -> Arc<SiteProfile> {
        if self.site.is_due() {
            let aside = self.without_fuse();
            tokio::spawn(async move {
                if let Err(error) = aside.read_site().await {
                    tracing::debug!(%error, "the settings of the site were not read");
                }
            });
        }
        self.site.profile.read().clone().unwrap_or_default()
    }

    /// Returns the settings as this process knows them. Reads them if it never did.
    pub async fn site(&self) -> Result<Arc<SiteProfile>> {
        if self.site.profile.read().is_none() {
            return self.read_site().await;
        }
        Ok(self.known_site())
    }

    /// Reads the settings.
    pub async fn read_site(&self) -> Result<Arc<SiteProfile>> {
        type Fields = (
            Option<String>,
            Option<String>,
            Option<String>,
            Option<String>,
            Option<String>,
            Option<String>,
            Option<String>,
            Option<String>,
            Option<String>,
            Option<String>,
            Option<String>,
            Option<String>,
        );
        let read = redis::cmd("HMGET").with((keys::SITE, "name", "description", "contact"));
        let read = read.with(("rules", "question", "entrance", "owner"));
        let read = read.with(("group_founders", "hue", "everybody", "public_log"));
        let read = read.with("inviters");
        let length = |text| redis::cmd("HSTRLEN").with((keys::SITE, text));
        let read = [read, length("about"), length("privacy"), read_shields()];
        let (settings, about, privacy, of_shields): (Fields, u64, u64, StoredShields) =
            self.connection.query_tuple(read).await?;
        let (
            name,
            description,
            contact,
            rules,
            question,
            entrance,
            owner,
            founders,
            hue,
            everybody,
            public_log,
            inviters,
        ) = settings;
        let profile = SiteProfile {
            name: fields::name(name.as_deref()).to_owned(),
            description: description.unwrap_or_default(),
            contact: contact.unwrap_or_default(),
            rules: rules.map_or_else(SiteRules::default, |rules| SiteRules::stored(&rules)),
            question: question.unwrap_or_default(),
            entrance: entrance.and_then(|entrance| entrance.parse().ok()),
            has_about: about > 0,
            has_privacy: privacy > 0,
            owner: owner.and_then(|owner| owner.parse().ok()),
            lets_members_found_groups: fields::are_members_founders(founders.as_deref()),
            shields: shields(of_shields),
            hue: fields::hue(hue.as_deref()),
            shows_everybody_to_visitors: fields::are_visitors_included(everybody.as_deref()),
            has_public_log: fields::is_on(public_log.as_deref()),
            shows_inviters: fields::is_on(inviters.as_deref()),
        };
        // Unchanged settings stay the same object, so that cached pages made with them stay valid.
        let mut known = self.site.profile.write();
        let profile = match known.take() {
            Some(known) if *known == profile => known,
            _ => Arc::new(profile),
        };
        *known = Some(Arc::clone(&profile));
        Ok(profile)
    }

    /// Returns who can sign up: the setting of the host, else that of the owner, else the default.
    pub async fn entrance(&self) -> Result<Entrance> {
        match self.config.sign_up {
            Some(pinned) => Ok(pinned),
            None => Ok(self.chosen_entrance(&*self.site().await?)),
        }
    }

    /// Returns who can sign up by the setting of the owner, else by the default. The setting of the host does not count.
    pub fn chosen_entrance(&self, site: &SiteProfile) -> Entrance {
        site.entrance
            .unwrap_or_else(|| self.config.default_entrance())
    }

    /// Sets the site up for its owner. A site is set up once.
    pub async fn claim_site(
        &self,
        call: &Call,
        owner: UserId,
        draft: &SiteDraft,
    ) -> Result<ClaimOutcome> {
        let claim = ClaimSite {
            site: keys::SITE.to_owned(),
            deadline_ms: call.deadline(),
            owner: owner.get(),
            name: draft.name.as_str().to_owned(),
            description: draft.description.as_str().to_owned(),
            contact: draft.contact.as_str().to_owned(),
            rules: SiteRules::default().revised(&draft.rules).to_json(),
            question: draft.question.as_str().to_owned(),
            entrance: draft.entrance.as_str(),
            group_founders: group_founders(draft.lets_members_found_groups),
            hue: draft.hue.degrees(),
            everybody: everybody(draft.shows_everybody_to_visitors),
            public_log: flag(draft.has_public_log),
            inviters: flag(draft.shows_inviters),
        };
        self.connection.run_durably(&claim).await
    }

    /// Notes that the site has an owner, unless it is noted. The link that sets it up then ends.
    pub async fn note_owner(&self, owner: UserId) -> Result<()> {
        let note = redis::cmd("HSETNX").with((keys::SITE, "owner", owner.get()));
        self.connection.execute(note).await?;
        self.read_site().await.map(drop)
    }

    /// Completes the set-up by a person, after their sign-up succeeded.
    pub async fn keep_site(&self, owner: UserId) -> Result<()> {
        let keep = KeepSite {
            site: keys::SITE.to_owned(),
            owner: owner.get(),
        };
        self.connection.run(&keep).await
    }

    /// Takes back what a person had set up, after their sign-up failed. What someone else set stays.
    pub async fn release_site(&self, owner: UserId) -> Result<()> {
        let release = ReleaseSite {
            site: keys::SITE.to_owned(),
            owner: owner.get(),
        };
        self.connection.run(&release).await
    }
}
