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
    leading::local,
    rate, routes,
    view::Notice,
};
use crate::{
    actions::weights::weigh,
    domain::{LocalPath, Weight},
    store::{RateLimit, SetWeight},
};

#[derive(Deserialize)]
pub(super) struct Fields {
    weight: Weight,
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
        SetWeight::Set => {
            let login = person.login.clone();
            me.visitor.tell(Notice::Weighed(login, fields.weight));
            let profile = routes::profile(&person.login);
            let next = fields.next.as_ref().map(LocalPath::as_str);
            Ok(see_other(next.unwrap_or(&profile)))
        }
        SetWeight::NotFollowing => Err(Error::Refused(format!(
            "You do not follow @{}. Follow them first.",
            person.login
        ))),
    }
}
