//! The extractor of pages and forms for members only.

use std::future::{Ready, ready};

use actix_web::{FromRequest, HttpRequest, dev::Payload, http::Method};

use super::visitor::{Member, Visitor};
use crate::{
    domain::{ListId, ListNumber, Login, UserId},
    store::Actor,
    web::http::errors::{Error, Result},
};

/// The current member. Visitors are redirected to log in first.
pub struct CurrentUser {
    pub id: UserId,
    pub login: Login,
    pub name: String,
    pub visitor: Visitor,
}

impl CurrentUser {
    /// Creates the current user and marks their session as seen.
    pub fn seen(member: Member, visitor: Visitor) -> Self {
        visitor.mark_seen();
        Self::new(member, visitor)
    }

    pub fn new(member: Member, visitor: Visitor) -> Self {
        let Member { id, login, name } = member;
        Self {
            id,
            login,
            name,
            visitor,
        }
    }

    pub fn actor(&self) -> Actor {
        self.visitor.actor(self.id)
    }

    /// Returns the id of their list with this number, whether it exists or not.
    pub fn list(&self, number: ListNumber) -> ListId {
        let owner = self.id;
        ListId { owner, number }
    }
}

impl FromRequest for CurrentUser {
    type Error = Error;
    type Future = Ready<Result<Self>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let visitor = Visitor::of(request);
        ready(match visitor.member() {
            Ok(Some(member)) => Ok(Self::seen(member, visitor)),
            Ok(None) if *request.method() == Method::POST => {
                Err(visitor.sent_from_here().err().unwrap_or(Error::LoggedOut))
            }
            Ok(None) => Err(Error::LogInFirst {
                next: visitor.path(),
            }),
            Err(error) => Err(error),
        })
    }
}
