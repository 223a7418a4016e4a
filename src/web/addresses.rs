//! Extractors of paths and queries: a person, a status, a list, the place where a page continues.

use std::{
    future::{Future, Ready, ready},
    pin::Pin,
    str::FromStr,
    sync::Arc,
};

use actix_web::{FromRequest, HttpRequest, dev::Payload, http::Method};

use super::{
    AppState,
    http::{
        errors::{Error, Result},
        session::visitor::Visitor,
    },
};
use crate::{
    domain::{Cursor, FoldedTag, Further, ListId, ListNumber, Login, Query, Rank, StatusId, Tag},
    store::{List, User},
};

/// The person in `/@{login}`. A page under another spelling of the login redirects to the person's
/// own spelling.
pub(super) struct Named(pub Arc<User>);

impl FromRequest for Named {
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            let app = AppState::of(&request);
            let typed = request.match_info().query("login");
            let login = Login::stored(typed).ok_or(Error::NotFound)?;
            let user = app
                .store
                .user_by_login(&login)
                .await?
                .ok_or(Error::NotFound)?;
            if *request.method() == Method::POST || typed == user.login.as_str() {
                return Ok(Self(user));
            }
            Err(Error::Moved(respell_login(&request, &user.login)))
        })
    }
}

/// Returns the same path and query with the login in its person's spelling.
fn respell_login(request: &HttpRequest, login: &Login) -> String {
    let path = request.path();
    let end = path.char_indices().skip(1).find(|(_, c)| *c == '/');
    let rest = end.map_or("", |(at, _)| &path[at..]);
    match request.query_string() {
        "" => format!("/@{login}{rest}"),
        query => format!("/@{login}{rest}?{query}"),
    }
}

/// The status in `{id}`.
pub(super) struct Numbered(pub StatusId);

impl FromRequest for Numbered {
    type Error = Error;
    type Future = Ready<Result<Self>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(
            request
                .match_info()
                .query("id")
                .parse()
                .map(Self)
                .map_err(|_| Error::NotFound),
        )
    }
}

/// The list number in `{n}`: a list of the current member.
pub(super) struct NumberedList(pub ListNumber);

impl NumberedList {
    fn named_by(request: &HttpRequest) -> Result<Self> {
        let number = request.match_info().query("n").parse();
        number.map(Self).map_err(|_| Error::NotFound)
    }
}

impl FromRequest for NumberedList {
    type Error = Error;
    type Future = Ready<Result<Self>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Self::named_by(request))
    }
}

/// The list in `{n}`, which exists and belongs to the current member. Lists of others are not
/// found.
pub(super) struct OwnList(pub List);

impl FromRequest for OwnList {
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            let me = Visitor::of(&request).member()?.ok_or(Error::LoggedOut)?;
            let NumberedList(number) = NumberedList::named_by(&request)?;
            let id = ListId {
                owner: me.id,
                number,
            };
            let list = AppState::of(&request).store.list(id).await?;
            list.map(Self).ok_or(Error::NotFound)
        })
    }
}

/// The tag in `{tag}`, in any spelling.
pub(super) struct Tagged(pub FoldedTag);

impl FromRequest for Tagged {
    type Error = Error;
    type Future = Ready<Result<Self>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let tag = Tag::parse(request.match_info().query("tag"));
        ready(tag.map(|tag| Self(tag.folded())).ok_or(Error::NotFound))
    }
}

/// Where a page continues: `?before=<number>`, or `None` for the first page.
pub(super) struct Before(pub Option<Cursor>);

impl FromRequest for Before {
    type Error = Error;
    type Future = Ready<Result<Self>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(before(request.query_string()).map(Self))
    }
}

/// Where the ranked home continues: `?at=<ms>&after=<score>.<status id>`, or `None` for the first
/// page.
pub(super) struct Onward(pub Option<Further>);

impl FromRequest for Onward {
    type Error = Error;
    type Future = Ready<Result<Self>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(parse_further(request.query_string()).map(Self))
    }
}

/// Where a page of replies continues: `?after=<status id>`, or `None` for the first page.
pub(super) struct After(pub Option<StatusId>);

impl FromRequest for After {
    type Error = Error;
    type Future = Ready<Result<Self>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let after = parameter(request.query_string(), "after");
        ready(after.map(Self))
    }
}

/// The search query: `?q=<query>`, possibly empty.
pub(super) struct Sought(pub Query);

impl FromRequest for Sought {
    type Error = Error;
    type Future = Ready<Result<Self>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let typed = parameter::<String>(request.query_string(), "q");
        ready(typed.map(|typed| Self(Query::parse(&typed.unwrap_or_default()))))
    }
}

/// Ignores other parameters. A cursor that is not a number is not found.
fn before(query: &str) -> Result<Option<Cursor>> {
    Ok(parameter(query, "before")?.map(Cursor::before))
}

/// Rejects an incomplete pair and an impossible time.
fn parse_further(query: &str) -> Result<Option<Further>> {
    match (parameter(query, "at")?, parameter::<Rank>(query, "after")?) {
        (None, None) => Ok(None),
        (Some(at_ms), Some(behind)) => {
            let further = Further::new(at_ms, behind);
            further.map(Some).ok_or(Error::NotFound)
        }
        _ => Err(Error::NotFound),
    }
}

fn parameter<T: FromStr>(query: &str, name: &str) -> Result<Option<T>> {
    let pairs: Vec<(String, String)> =
        serde_urlencoded::from_str(query).map_err(|_| Error::NotFound)?;
    match pairs.into_iter().find(|(given, _)| given == name) {
        None => Ok(None),
        Some((_, text)) => text.parse().map(Some).map_err(|_| Error::NotFound),
    }
}

#[cfg(test)]
mod tests {
    use super::super::addresses::*;

    #[test]
    fn a_cursor_is_a_plain_number() {
        assert_eq!(before("").unwrap(), None);
        assert_eq!(before("utm=x&before=12").unwrap(), Some(Cursor::before(12)));
        for query in [
            "before=",
            "before=-1",
            "before=1e3",
            "before=99999999999999999999999",
        ] {
            assert!(before(query).is_err(), "{query}");
        }
    }

    #[test]
    fn a_ranked_page_continues_from_a_time_and_a_rank() {
        assert_eq!(parse_further("before=5").unwrap(), None);
        let further = parse_further("at=1800000000000&after=5000.12").unwrap();
        let further = further.expect("a place");
        assert_eq!(further.at_ms, 1_800_000_000_000);
        assert_eq!(further.behind.to_string(), "5000.12");
        for query in [
            "at=1800000000000",
            "after=5000.12",
            "at=&after=",
            "at=5&after=5000.12",
            "at=99999999999999999&after=5000.12",
            "at=1800000000000&after=12",
            "at=1800000000000&after=x.12",
            "at=-1800000000000&after=5000.12",
        ] {
            assert!(parse_further(query).is_err(), "{query}");
        }
    }
}
