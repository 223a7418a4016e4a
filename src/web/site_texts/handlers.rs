//! The pages "About" and "Privacy" for everybody, and the form of the owner.

use super::view::{SiteTextPage, SiteTextsForm, SiteTextsPage, SiteTextsTyped};
use crate::{
    actions::administration::change_site_as,
    domain::{Power, ShownValues, SiteText},
    store::{SiteChange, SiteOutcome, TextsChange},
    web::{administration::handlers::require, prelude::*},
};

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Fields {
    about: String,
    privacy: String,
    /// The digests of the values with which the form was made.
    shown: String,
}

impl Fields {
    /// Returns the typed form with its errors.
    fn typed(&self) -> SiteTextsTyped {
        SiteTextsTyped {
            about: Typed::checked(&self.about, &SiteText::parse(&self.about)),
            privacy: Typed::checked(&self.privacy, &SiteText::parse(&self.privacy)),
            shown: ShownValues::parse(&self.shown),
        }
    }
}

pub async fn about(app: Data<AppState>, visitor: Visitor) -> Result<HttpResponse> {
    let text = app.store.site_texts().await?.about;
    if text.is_empty() {
        return Err(Error::NotFound);
    }
    let site = app.store.site().await?;
    page(&SiteTextPage::about(&visitor.visit(), &site.name, &text))
}

pub async fn privacy(app: Data<AppState>, visitor: Visitor) -> Result<HttpResponse> {
    let text = app.store.site_texts().await?.privacy;
    if text.is_empty() {
        return Err(Error::NotFound);
    }
    page(&SiteTextPage::privacy(&visitor.visit(), &text))
}

pub async fn edit(app: Data<AppState>, me: CurrentUser) -> Result<HttpResponse> {
    require(&app, &me, Power::ChangeSite).await?;
    let shown = app.store.shown_site_values(TextsChange::fields()).await?;
    let texts = app.store.site_texts().await?;
    let visit = me.visitor.visit();
    let typed = SiteTextsTyped {
        about: Typed::text(texts.about),
        privacy: Typed::text(texts.privacy),
        shown,
    };
    page(&SiteTextsPage::new(
        &visit,
        SiteTextsForm::new(&visit, typed),
    ))
}

pub async fn update(app: Data<AppState>, form: MemberForm<Fields>) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &Fields| {
        require(&app, me, Power::ChangeSite).await?;
        let texts = (
            SiteText::parse(&fields.about),
            SiteText::parse(&fields.privacy),
        );
        let typed = fields.typed();
        let (Ok(about), Ok(privacy)) = texts else {
            return show_again(me, StatusCode::UNPROCESSABLE_ENTITY, typed);
        };
        rate::charge(&app.store, RateLimit::Settings(me.id)).await?;
        let change = SiteChange::from(TextsChange {
            about: Some(about),
            privacy: Some(privacy),
        });
        let outcome = change_site_as(&app.store, me.actor(), &change, &typed.shown).await?;
        if let SiteOutcome::Conflicts(conflicts) = outcome {
            return show_again(me, StatusCode::CONFLICT, typed.in_conflict(&conflicts));
        }
        me.visitor.set_notice(Notice::SettingsSaved);
        Ok(see_other(routes::ADMIN_SITE_TEXTS))
    };
    let give_back = |fields: &Fields, visit: &Visit, _: &Error| {
        Retained::form(&SiteTextsForm::new(visit, fields.typed()))
    };
    form.answer(act, give_back).await
}

fn show_again(me: &CurrentUser, code: StatusCode, typed: SiteTextsTyped) -> Result<HttpResponse> {
    let visit = me.visitor.visit();
    let page = SiteTextsPage::new(&visit, SiteTextsForm::new(&visit, typed));
    page_with(code, &page)
}
