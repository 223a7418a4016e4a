//! Freezing the people below a suspended person in the tree of invitations. Each freeze is a decision of its own.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::{
    branch_view::{BranchFields, BranchForm, BranchPage, OfferedBranch, SHOWN},
    cases::{subject, to_copy},
    decision_form::Parsed,
};
use crate::{
    actions::moderation::decide,
    domain::{ActingPerson, Decision, Power, Role, may_act_on},
    store::{DecideOutcome, NewDecision},
    web::{
        addresses::WithLogin, administration::handlers::require, http::errors::Gone, prelude::*,
    },
};

/// Returns the page to show after a suspension: the offer to freeze the people below, or the other page if there is no
/// one to freeze.
pub async fn page_after_suspension(
    app: &AppState,
    role: Role,
    user: &User,
    other: String,
) -> Result<String> {
    let branch = offered_branch(app, role, user.id).await?;
    Ok(match branch.offered.is_empty() {
        true => other,
        false => routes::freeze_invited(&user.login),
    })
}

/// Reads the people below a person about whom a member with this role may decide.
async fn offered_branch(app: &AppState, role: Role, person: UserId) -> Result<OfferedBranch> {
    let mut branch = app.store.invited_branch(person).await?;
    branch
        .people
        .retain(|one| may_act_on(Some(role), Power::Moderate, one.account.role));
    let free = branch.people.iter().filter(|one| one.is_free);
    let mut offered: Vec<_> = free.map(|one| one.account.clone()).collect();
    let is_cut = branch.is_cut || offered.len() > SHOWN;
    offered.truncate(SHOWN);
    let people = branch.people.into_iter();
    Ok(OfferedBranch {
        examined: people.map(|one| one.account).collect(),
        offered,
        is_cut,
    })
}

pub async fn ask(
    app: Data<AppState>,
    me: CurrentUser,
    WithLogin(login): WithLogin,
) -> Result<HttpResponse> {
    let user = subject(&app, &me, &login).await?;
    let role = require(&app, &me, Power::Moderate).await?;
    let branch = offered_branch(&app, role, user.id).await?;
    let visit = me.visitor.visit();
    let fields = BranchFields::default();
    page(&BranchPage::new(&visit, &user, &branch, &fields))
}

pub async fn freeze(
    app: Data<AppState>,
    form: MemberForm<BranchFields>,
    WithLogin(login): WithLogin,
) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &BranchFields| {
        let frozen = send_freeze(&app, me, &login, fields).await;
        frozen.map_err(|error| error.of_form_about(Gone::Case))
    };
    let give_back = |fields: &BranchFields, visit: &Visit, error: &Error| match error {
        Error::Gone(_) => to_copy(&[&fields.explanation]),
        _ => Retained::form(&BranchForm::new(visit, &login, fields)),
    };
    form.answer(act, give_back).await
}

async fn send_freeze(
    app: &AppState,
    me: &CurrentUser,
    login: &Login,
    fields: &BranchFields,
) -> Result<HttpResponse> {
    let user = subject(app, me, login).await?;
    let role = require(app, me, Power::Moderate).await?;
    let branch = offered_branch(app, role, user.id).await?;
    let visit = me.visitor.visit();
    let Some(parsed) = fields.parse(&visit) else {
        let form = BranchPage::new(&visit, &user, &branch, fields);
        return page_with(StatusCode::UNPROCESSABLE_ENTITY, &form);
    };
    rate::charge(&app.store, RateLimit::Save(me.id)).await?;
    app.store.check_session(&me.actor()).await?;
    let are_all_frozen = freeze_chosen(app, me.id, &branch, (fields, &parsed)).await?;
    me.visitor.set_notice(match are_all_frozen {
        true => Notice::InvitedFrozen,
        false => Notice::InvitedPartlyFrozen,
    });
    Ok(see_other(&routes::admin_case(&user.login)))
}

/// Freezes the chosen people of a branch. Returns whether all of them are frozen. People who are frozen already count
/// only if the same form froze them.
async fn freeze_chosen(
    app: &AppState,
    by: UserId,
    branch: &OfferedBranch,
    (fields, parsed): (&BranchFields, &Parsed),
) -> Result<bool> {
    let chosen = branch.examined.iter();
    let mut are_all_frozen = true;
    for person in chosen.filter(|one| fields.has_chosen(one.id)) {
        let decision = Decision {
            by: ActingPerson::Person(by),
            measure: parsed.measure.clone(),
            reason: parsed.reason.clone(),
            explanation: parsed.explanation.as_str().to_owned(),
        };
        let mut hasher = DefaultHasher::new();
        (by.get(), person.id.get(), fields).hash(&mut hasher);
        let new = NewDecision {
            token: format!("{:016x}", hasher.finish()),
            ..NewDecision::without_case(decision)
        };
        let outcome = decide(&app.store, person.id, &new).await?;
        are_all_frozen &= outcome == DecideOutcome::Decided;
    }
    Ok(are_all_frozen)
}
