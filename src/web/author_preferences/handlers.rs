//! See more or see less of a followed person.

use actix_web::{HttpResponse, web::Data};
use serde::Deserialize;

use crate::{
    actions::author_preferences::weigh,
    domain::{AuthorPreference, LocalPath},
    store::{RateLimit, SetPreference},
    web::{
        AppState,
        addresses::Named,
        http::{
            answer::see_other,
            errors::{Error, Result},
            forms::SignedForm,
            rate,
            return_to::local,
            session::current_user::CurrentUser,
        },
        parts::notice::Notice,
        routes,
    },
};

#[derive(Deserialize)]
pub(in crate::web) struct Fields {
    preference: AuthorPreference,
    #[serde(default, deserialize_with = "local")]
    next: Option<LocalPath>,
}

pub(in crate::web) async fn update(
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
        fields.preference,
    );
    match set.await? {
        SetPreference::Set => {
            let login = person.login.clone();
            me.visitor.set_notice(Notice::PreferenceSet {
                login,
                preference: fields.preference,
            });
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
