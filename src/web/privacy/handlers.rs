//! The page of the settings about who sees a member's posts.

use super::view::PrivacyPage;
use crate::{actions::accounts::set_default_visibility, domain::Visibility, web::prelude::*};

#[derive(Deserialize)]
pub struct Fields {
    /// A visibility, or `last` for that of the last post.
    visibility: String,
}

impl Fields {
    /// Returns the choice. `None`: the visibility of the last post.
    fn visibility(&self) -> Result<Option<Visibility>> {
        match self.visibility.as_str() {
            "last" => Ok(None),
            text => Visibility::stored(text).map(Some).ok_or(Error::BadForm),
        }
    }
}

pub async fn show(app: Data<AppState>, me: CurrentUser) -> Result<HttpResponse> {
    let user = app.store.user(me.id).await?.ok_or(Error::NotFound)?;
    page(&PrivacyPage::new(&me.visitor.visit(), &user))
}

/// Stores which visibility the composer offers first.
pub async fn update(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(fields): SignedForm<Fields>,
) -> Result<HttpResponse> {
    let visibility = fields.visibility()?;
    rate::charge(&app.store, RateLimit::Settings(me.id)).await?;
    set_default_visibility(&app.store, me.actor(), visibility).await?;
    me.visitor.set_notice(Notice::SettingsSaved);
    Ok(see_other(routes::SETTINGS_PRIVACY))
}
