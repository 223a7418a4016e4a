//! The page of the shields, for the owner.

use super::view::{ShieldsForm, ShieldsPage, ShieldsTyped};
use crate::{
    actions::administration::change_site_as,
    domain::{
        BlockList, BlockedAddresses, BlockedDomains, BlockedWords, Power, Shields, ShownValues,
    },
    store::{ShieldsChange, SiteOutcome},
    web::{administration::handlers::require, prelude::*},
};

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Fields {
    /// Present if the box is checked.
    holds_links: Option<String>,
    reports_spam: Option<String>,
    words: String,
    domains: String,
    addresses: String,
    /// The digests of the values with which the form was made.
    shown: String,
}

impl Fields {
    /// Returns the settings. `None` if a list is wrong.
    fn parse(&self) -> Option<Shields> {
        Some(Shields {
            holds_links: self.holds_links.is_some(),
            reports_spam: self.reports_spam.is_some(),
            words: BlockList::parse(&self.words).ok()?,
            domains: BlockList::parse(&self.domains).ok()?,
            addresses: BlockList::parse(&self.addresses).ok()?,
        })
    }

    /// Returns the typed form with its errors.
    fn typed(&self) -> ShieldsTyped {
        ShieldsTyped {
            holds_links: self.holds_links.is_some(),
            reports_spam: self.reports_spam.is_some(),
            words: Typed::checked(&self.words, &BlockedWords::parse(&self.words)),
            domains: Typed::checked(&self.domains, &BlockedDomains::parse(&self.domains)),
            addresses: Typed::checked(&self.addresses, &BlockedAddresses::parse(&self.addresses)),
            shown: ShownValues::parse(&self.shown),
        }
    }
}

pub async fn show(app: Data<AppState>, me: CurrentUser) -> Result<HttpResponse> {
    require(&app, &me, Power::ChangeSite).await?;
    let shown = app.store.shown_site_values(ShieldsChange::fields()).await?;
    let shields = &app.store.read_site().await?.shields;
    let visit = me.visitor.visit();
    let typed = ShieldsTyped {
        holds_links: shields.holds_links,
        reports_spam: shields.reports_spam,
        words: Typed::text(shields.words.lines()),
        domains: Typed::text(shields.domains.lines()),
        addresses: Typed::text(shields.addresses.lines()),
        shown,
    };
    page(&ShieldsPage::new(&visit, ShieldsForm::new(&visit, typed)))
}

pub async fn update(app: Data<AppState>, form: MemberForm<Fields>) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &Fields| {
        require(&app, me, Power::ChangeSite).await?;
        let typed = fields.typed();
        let Some(shields) = fields.parse() else {
            return show_again(me, StatusCode::UNPROCESSABLE_ENTITY, typed);
        };
        rate::charge(&app.store, RateLimit::Settings(me.id)).await?;
        let change = shields.into();
        let outcome = change_site_as(&app.store, me.actor(), &change, &typed.shown).await?;
        if let SiteOutcome::Conflicts(conflicts) = outcome {
            return show_again(me, StatusCode::CONFLICT, typed.in_conflict(&conflicts));
        }
        me.visitor.set_notice(Notice::SettingsSaved);
        Ok(see_other(routes::ADMIN_SHIELDS))
    };
    let give_back = |fields: &Fields, visit: &Visit, _: &Error| {
        Retained::form(&ShieldsForm::new(visit, fields.typed()))
    };
    form.answer(act, give_back).await
}

fn show_again(me: &CurrentUser, code: StatusCode, typed: ShieldsTyped) -> Result<HttpResponse> {
    let visit = me.visitor.visit();
    let page = ShieldsPage::new(&visit, ShieldsForm::new(&visit, typed));
    page_with(code, &page)
}
