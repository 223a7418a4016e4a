//! Acts of the people who run a site. Each begins with its entry in the log.

use tokio::try_join;

use crate::{
    actions::{
        account_states, moderation,
        operations::{Effects, reconcile_copies, with_outbox},
        prelude::*,
        recovery::make_reset_link,
    },
    domain::{
        Act, ActingPerson, Decision, DisplayName, Measure, ReportReason, Role, SecretLink,
        ShownValues, SuspensionReason,
    },
    store::{
        ChangeOutcome, DecideOutcome, EndOutcome, NewDecision, RecordedDecision, SiteChange,
        SiteOutcome,
    },
};

/// Gives a person a role, or takes it from them.
pub async fn set_role(
    store: &Store,
    by: ActingPerson,
    person: UserId,
    role: Option<Role>,
) -> Result<()> {
    let call = &store.begin().await?;
    let steps = async {
        // A role that the person has already is no act. Its copy is written again.
        if store.role(person).await? != role {
            let act = Act::SetRole { person, role };
            store.log_act(call, by, act).await?;
        }
        let effects = &RoleEffects(person);
        let write = store.set_role(call, person, role);
        with_outbox(store, call, effects.thing(), write, |_| {
            reconcile_copies(store, call, effects, None)
        })
        .await?;
        match role {
            Some(Role::Owner) => store.note_owner(person).await,
            _ => Ok(()),
        }
    };
    call.finish(steps.await).await
}

/// The after-effects of a role: the list of the people who run the site.
pub(in crate::actions) struct RoleEffects(pub UserId);

impl Effects for RoleEffects {
    type Truth = Option<Role>;

    fn thing(&self) -> Thing {
        Thing::Role(self.0)
    }

    async fn truth(&self, store: &Store) -> Result<Option<Role>> {
        store.role(self.0).await
    }

    async fn apply(&self, store: &Store, _: &Call, role: Option<Role>) -> Result<()> {
        store.mirror_role(self.0, role).await
    }
}

/// Makes a link with which a person sets a new password.
pub async fn make_link(store: &Store, by: ActingPerson, person: UserId) -> Result<SecretLink> {
    let call = &store.begin().await?;
    let act = Act::MakeResetLink { person };
    call.finish(store.log_act(call, by, act).await).await?;
    make_reset_link(store, person).await
}

/// Makes such a link in the name of the actor, whose power was checked.
pub async fn make_link_as(store: &Store, actor: Actor, person: UserId) -> Result<SecretLink> {
    store.check_session(&actor).await?;
    make_link(store, ActingPerson::Person(actor.id()), person).await
}

/// Ends the suspension of a person.
pub async fn restore(store: &Store, by: ActingPerson, person: UserId) -> Result<ChangeOutcome> {
    let decisions = store.decisions(person).await?;
    let in_force =
        |one: &&RecordedDecision| one.decision.measure == Measure::Suspend && one.ended.is_none();
    let suspensions: Vec<&RecordedDecision> = decisions.iter().filter(in_force).collect();
    if suspensions.is_empty() {
        log(store, by, Act::Restore { person }).await?;
        return account_states::restore(store, person).await;
    }
    for suspension in suspensions {
        match moderation::end_decision(store, by, person, suspension).await? {
            EndOutcome::Ended | EndOutcome::Upheld | EndOutcome::Answered => {}
            EndOutcome::TooLate | EndOutcome::NotFound => return Ok(ChangeOutcome::Refused),
        }
    }
    Ok(ChangeOutcome::Changed)
}

/// Suspends a person in the name of the actor, whose power was checked: ends their sessions and hides them from
/// everybody. No report is closed.
pub async fn suspend_as(
    store: &Store,
    actor: Actor,
    person: UserId,
    reason: &SuspensionReason,
) -> Result<DecideOutcome> {
    store.check_session(&actor).await?;
    let decision = Decision {
        by: ActingPerson::Person(actor.id()),
        measure: Measure::Suspend,
        reason: ReportReason::SomethingElse,
        explanation: reason.as_str().to_owned(),
    };
    let new = NewDecision::without_case(decision);
    moderation::decide(store, person, &new).await
}

/// Ends the suspension of a person in the name of the actor, whose power was checked.
pub async fn restore_as(store: &Store, actor: Actor, person: UserId) -> Result<ChangeOutcome> {
    store.check_session(&actor).await?;
    restore(store, ActingPerson::Person(actor.id()), person).await
}

/// Vouches for a newcomer, which ends the limits of the new account. Returns `false` if it has none.
pub async fn vouch(store: &Store, by: ActingPerson, person: UserId) -> Result<bool> {
    let (user, now) = try_join!(store.user(person), store.now())?;
    let days = store.config().limits.new_account_days;
    if user.is_none_or(|user| user.newcomer_until(days, now).is_none()) {
        return Ok(false);
    }
    let call = &store.begin().await?;
    let steps = async {
        store.log_act(call, by, Act::Vouch { person }).await?;
        store.end_newcomer_limits(call, person).await
    };
    call.finish(steps.await).await?;
    Ok(true)
}

/// Vouches for a newcomer in the name of the actor, whose power was checked.
pub async fn vouch_as(store: &Store, actor: Actor, person: UserId) -> Result<bool> {
    store.check_session(&actor).await?;
    vouch(store, ActingPerson::Person(actor.id()), person).await
}

/// Begins the deletion of an account, in any state.
pub async fn delete(store: &Store, by: ActingPerson, person: UserId) -> Result<ChangeOutcome> {
    log(store, by, Act::Delete { person }).await?;
    account_states::delete(store, person).await
}

pub(super) async fn log(store: &Store, by: ActingPerson, act: Act) -> Result<()> {
    let call = &store.begin().await?;
    call.finish(store.log_act(call, by, act).await).await
}

/// Changes the site for the actor, unless someone else changed one of the fields since the form showed them. The caller
/// has checked the power.
pub async fn change_site_as(
    store: &Store,
    actor: Actor,
    change: &SiteChange,
    shown: &ShownValues,
) -> Result<SiteOutcome> {
    store.check_session(&actor).await?;
    change_shown_site(store, ActingPerson::Person(actor.id()), change, shown).await
}

/// Changes settings, pages and shields of the site.
pub async fn change_site(store: &Store, by: ActingPerson, change: &SiteChange) -> Result<()> {
    let changed = change_shown_site(store, by, change, &ShownValues::default()).await;
    changed.map(drop)
}

/// Compares the change with the shown values before it is logged. The write compares it again, so a change by someone
/// else between both is logged and not made.
async fn change_shown_site(
    store: &Store,
    by: ActingPerson,
    change: &SiteChange,
    shown: &ShownValues,
) -> Result<SiteOutcome> {
    let change = match store.compare_site_change(change, shown).await? {
        SiteOutcome::Undisputed(change) if !change.is_empty() => change,
        outcome => return Ok(outcome),
    };
    let call = &store.begin().await?;
    let steps = async {
        for act in acts_of(store, &change).await? {
            store.log_act(call, by, act).await?;
        }
        store.change_site(call, &change, shown).await
    };
    call.finish(steps.await).await
}

/// Returns the entries of the log about a change of the site.
async fn acts_of(store: &Store, change: &SiteChange) -> Result<Vec<Act>> {
    let site = store.read_site().await?;
    let settings = &change.settings;
    let of_settings = (!settings.is_empty()).then(|| {
        let name = settings.name.as_ref();
        let name = name.map_or(site.name.as_str(), DisplayName::as_str);
        Act::ChangeSite {
            name: name.to_owned(),
            entrance: settings.entrance.or(site.entrance),
        }
    });
    let rule_count = store.changed_rule_count(settings).await?;
    let of_rules = rule_count.map(|count| Act::ChangeRules { count });
    let public_log = settings.has_public_log;
    let public_log = public_log.filter(|is_public| *is_public != site.has_public_log);
    let of_public_log = public_log.map(|is_public| Act::ChangePublicLog { is_public });
    let of_texts = (!change.texts.is_empty()).then_some(Act::ChangeSiteTexts);
    let of_shields = (!change.shields.is_empty()).then(|| {
        let shields = change.shields.applied_to(&site.shields);
        Act::ChangeShields {
            holds_links: shields.holds_links,
            reports_spam: shields.reports_spam,
            words: shields.words.len(),
            domains: shields.domains.len(),
            addresses: shields.addresses.len(),
        }
    });
    let acts = [of_settings, of_rules, of_public_log, of_texts, of_shields];
    Ok(acts.into_iter().flatten().collect())
}
