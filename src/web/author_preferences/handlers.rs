//! See more or see less of a followed person.

use crate::{
    actions::importance::set_author_preference,
    domain::AuthorPreference,
    store::PreferenceOutcome,
    web::{follows::handlers::back, prelude::*},
};

#[derive(Deserialize)]
pub struct Fields {
    preference: AuthorPreference,
    #[serde(flatten)]
    return_to: ReturnTo,
}

pub async fn update(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(fields): SignedForm<Fields>,
    Named(person): Named,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    let set = set_author_preference(&app.store, me.actor(), person.id, fields.preference);
    match set.await? {
        PreferenceOutcome::Set => {
            me.visitor.set_notice(Notice::PreferenceSet {
                login: person.login.clone(),
                preference: fields.preference,
            });
            Ok(back(&fields.return_to, &person))
        }
        PreferenceOutcome::NotFollowing => Err(Error::Refused(format!(
            "You do not follow @{}. Follow them first.",
            person.login
        ))),
    }
}
