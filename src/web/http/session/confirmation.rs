//! Forms whose answer was lost. The person reloads the page and sends the same content again, with the idempotency key
//! of the new page. A cookie names the last answer that the browser got. The same content under the same cookie is the
//! same form.

use actix_web::HttpMessage;

use super::visitor::Visitor;
use crate::{
    domain::{IdempotencyKey, UserId},
    web::http::errors::Result,
};

/// The mark of an answer, which this response sets as a cookie.
pub struct NewConfirmation(pub String);

impl Visitor {
    /// Returns the idempotency key of a form with this content. It is the key of an earlier form if the
    /// browser got no answer to that one.
    pub async fn form_key(
        &self,
        member: UserId,
        sent: IdempotencyKey,
        content: &str,
    ) -> Result<IdempotencyKey> {
        let cookie = self
            .request()
            .cookie(self.app().site.cookies.confirmation_name());
        let confirmed = cookie.as_ref().map_or("", |cookie| cookie.value());
        let session = self.session_digest().unwrap_or_default();
        let content = IdempotencyKey::of_words(&[&session, confirmed, content]);
        let key = self.app().store.form_key(member, &content, sent).await?;
        Ok(key)
    }

    /// Marks that the browser gets the answer to a form. The same content is then a new form.
    pub fn confirm(&self) {
        let mark = NewConfirmation(format!("{:032x}", rand::random::<u128>()));
        self.request().extensions_mut().insert(mark);
    }
}
