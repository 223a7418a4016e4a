//! Founding a group.

use super::{
    found_view::{FoundForm, NewGroupPage},
    handlers::done,
    words::GroupDone,
};
use crate::{
    actions::groups::{Found, FoundingRefusal, found, founding_refusal},
    domain::Zone,
    web::{http::session::pending_form::GroupFields, parts::moment, prelude::*},
};

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Fields {
    idempotency_key: String,
    #[serde(flatten)]
    group: GroupFields,
}

/// Shows the form, or why the member cannot found a group now. A text that was typed before the log-in is shown too.
pub async fn new(app: Data<AppState>, me: CurrentUser) -> Result<HttpResponse> {
    let refusal = founding_refusal(&app.store, me.id).await?;
    let restored = me.visitor.restore(|form| match form {
        PendingForm::NewGroup(fields) => Some(fields),
        _ => None,
    });
    let fields = restored.or_else(|| refusal.is_none().then(GroupFields::default));
    let visit = me.visitor.visit();
    let reason = refusal.map(|refusal| reason(refusal, &visit.zone));
    let form = fields.map(|fields| FoundForm::new(&visit, IdempotencyKey::draw(), &fields));
    page(&NewGroupPage::new(&visit, reason, form))
}

/// Returns why a member founds no group, as a sentence.
fn reason(refusal: FoundingRefusal, zone: &Zone) -> String {
    match refusal {
        FoundingRefusal::TooYoung { days, until } => format!(
            "You can create a group {days} days after your sign-up, from {} on.",
            moment::full(until, zone)
        ),
        FoundingRefusal::NotAllowed => {
            "On this site, only moderators can create groups. Ask one of them.".to_owned()
        }
        FoundingRefusal::TooMany { limit } => {
            format!("You have reached the limit of {limit} groups. Leave one first.")
        }
    }
}

pub async fn create(app: Data<AppState>, form: MemberForm<Fields>) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &Fields| make(&app, me, fields).await;
    form.answer(act, give_back).await
}

async fn make(app: &AppState, me: &CurrentUser, fields: &Fields) -> Result<HttpResponse> {
    let Some(draft) = fields.group.draft() else {
        return show_again(me, fields, None);
    };
    let key = IdempotencyKey::parse(&fields.idempotency_key).ok_or(Error::BadForm)?;
    rate::charge(&app.store, RateLimit::Found(me.id)).await?;
    let outcome = found(&app.store, me.actor(), &draft, &key).await?;
    me.visitor.confirm();
    match outcome {
        Found::Founded(_) => {
            let visitor = &me.visitor;
            visitor.forget_pending_form(|form| matches!(form, PendingForm::NewGroup(_)));
            done(me, GroupDone::Founded, &routes::group(&draft.slug))
        }
        Found::KeyReused => Err(Error::Conflict),
        Found::NameTaken => {
            let error = "Another group has this address. Choose another.".to_owned();
            show_again(me, fields, Some(error))
        }
        Found::Refused(refusal) => Err(Error::Refused(reason(refusal, &me.visitor.zone()))),
    }
}

/// Shows the form again, with another key: a form founds one group.
fn show_again(
    me: &CurrentUser,
    fields: &Fields,
    slug_error: Option<String>,
) -> Result<HttpResponse> {
    let visit = me.visitor.visit();
    let key = IdempotencyKey::after_refusal_of(&fields.idempotency_key);
    let form = FoundForm::again(&visit, key, &fields.group, slug_error);
    page_with(
        StatusCode::UNPROCESSABLE_ENTITY,
        &NewGroupPage::new(&visit, None, Some(form)),
    )
}

/// Returns the group in its form, or, if the session has ended, in the log-in form.
fn give_back(fields: &Fields, visit: &Visit, error: &Error) -> Retained {
    if matches!(error, Error::LoggedOut) {
        let next = LocalPath::parse(routes::NEW_GROUP);
        return Retained::log_in(visit, next, PendingForm::NewGroup(fields.group.clone()));
    }
    let sent = match error {
        Error::Conflict => None,
        _ => IdempotencyKey::parse(&fields.idempotency_key),
    };
    let key = sent.unwrap_or_else(|| IdempotencyKey::after_refusal_of(&fields.idempotency_key));
    Retained::form(&FoundForm::again(visit, key, &fields.group, None))
}
