//! The page of the shields, for the owner.

use super::view::{ShieldsForm, ShieldsPage};
use crate::{
    actions::administration::change_shields,
    domain::{Power, Shields},
    web::{administration::handlers::require, prelude::*},
};

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Fields {
    /// Present if the box is checked.
    holds_links: Option<String>,
}

impl Fields {
    fn shields(&self) -> Shields {
        Shields {
            holds_links: self.holds_links.is_some(),
        }
    }
}

pub async fn show(app: Data<AppState>, me: CurrentUser) -> Result<HttpResponse> {
    require(&app, &me, Power::ChangeSite).await?;
    let site = app.store.read_site().await?;
    let visit = me.visitor.visit();
    let form = ShieldsForm::new(&visit, &site.shields);
    page(&ShieldsPage::new(&visit, form))
}

pub async fn update(app: Data<AppState>, form: MemberForm<Fields>) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &Fields| {
        require(&app, me, Power::ChangeSite).await?;
        rate::charge(&app.store, RateLimit::Settings(me.id)).await?;
        change_shields(&app.store, me.actor(), &fields.shields()).await?;
        me.visitor.set_notice(Notice::SettingsSaved);
        Ok(see_other(routes::ADMIN_SHIELDS))
    };
    let give_back = |fields: &Fields, visit: &Visit, _: &Error| {
        Retained::form(&ShieldsForm::new(visit, &fields.shields()))
    };
    form.answer(act, give_back).await
}
