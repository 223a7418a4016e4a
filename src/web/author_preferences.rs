//! How much the member asks for of a person whom they follow.

use actix_web::{HttpResponse, web::Data};
use serde::Deserialize;

use super::{
    AppState,
    addresses::Named,
    answer::see_other,
    current_user::CurrentUser,
    error::{Error, Result},
    forms::SignedForm,
    rate,
    return_to::local,
    routes,
    view::Notice,
};
use crate::{
    actions::author_preferences::weigh,
    domain::{AuthorPreference, LocalPath},
    store::{RateLimit, SetPreference},
};

#[derive(Deserialize)]
pub(super) struct Fields {
    weight: AuthorPreference,
    #[serde(default, deserialize_with = "local")]
    next: Option<LocalPath>,
}

pub(super) async fn update(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(fields): SignedForm<Fields>,
    Named(person): Named,
) -> Result<HttpResponse> {
    rate::take(&app.store, RateLimit::Follow(me.id)).await?;
    let set = weigh(
        &app.store,
        me.visitor.actor(me.id),
        person.id,
        fields.weight,
    );
    match set.await? {
        SetPreference::Set => {
            let login = person.login.clone();
            me.visitor
                .tell(Notice::AuthorPreferenceSet(login, fields.weight));
            let profile = routes::profile(&person.login);
            let next = fields.next.as_ref().map(LocalPath::as_str);
            Ok(see_other(next.unwrap_or(&profile)))
        }
        SetPreference::NotFollowing => Err(Error::Refused(format!(
            "You do not follow @{}. Follow them first.",
            person.login
        ))),
    }
}
