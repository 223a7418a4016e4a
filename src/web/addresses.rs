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
    domain::{
        ChatId, Cursor, FoldedTag, Further, GroupPower, GroupSlug, ListId, ListNumber, Login,
        MessageId, MessagePosition, NotificationFilter, Query, Rank, SecretLink, StatusId, Tag,
    },
    store::{List, SeenGroup, User},
};

/// The person in `/@{login}`, if the viewer may find them. A page under another spelling of the login redirects to the
/// person's own spelling.
pub(super) struct Named(pub Arc<User>);

impl FromRequest for Named {
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            let app = AppState::of(&request);
            let viewer = Visitor::of(&request).viewer()?;
            let typed = request.match_info().query("login");
            let login = Login::stored(typed).ok_or(Error::NotFound)?;
            let user = app
                .store
                .find_user(viewer, &login)
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

/// Declares what a request's path or query contains, and how it is read.
macro_rules! addresses {
    ($($(#[$doc:meta])* $name:ident($type:ty) = $read:expr;)+) => {$(
        $(#[$doc])*
        pub(super) struct $name(pub $type);

        impl FromRequest for $name {
            type Error = Error;
            type Future = Ready<Result<Self>>;

            fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
                let read: fn(&HttpRequest) -> Result<$type> = $read;
                ready(read(request).map(Self))
            }
        }
    )+};
}

addresses! {
    /// The status in `{id}`.
    Numbered(StatusId) = |request| segment(request, "id");

    /// The list number in `{n}`: a list of the current member.
    NumberedList(ListNumber) = |request| segment(request, "n");

    /// The tag in `{tag}`, in any spelling.
    Tagged(FoldedTag) = |request| {
        let tag = Tag::parse(request.match_info().query("tag"));
        tag.map(|tag| tag.folded()).ok_or(Error::NotFound)
    };

    /// The login in `{login}`, on pages of the administration.
    WithLogin(Login) = |request| {
        Login::stored(request.match_info().query("login")).ok_or(Error::NotFound)
    };

    /// The token of the link that sets the site up, in `{token}`.
    SetUpToken(String) = |request| Ok(request.match_info().query("token").to_owned());

    /// The link that sets a new password, or the invitation, in `{link}`.
    Linked(SecretLink) = |request| {
        SecretLink::parse(request.match_info().query("link")).ok_or(Error::NotFound)
    };

    /// Where a page continues: `?before=<number>`, or `None` for the first page.
    Before(Option<Cursor>) = |request| before(request.query_string());

    /// Where the reported messages and groups of a case continue: `?texts=<number>`, or `None` for the newest.
    BeforeTexts(Option<Cursor>) = |request| {
        Ok(parameter(request.query_string(), "texts")?.map(Cursor::before))
    };

    /// The filter of the notifications page: `?show=mentions`.
    Filtered(NotificationFilter) = |request| {
        Ok(parameter(request.query_string(), "show")?.unwrap_or_default())
    };

    /// The name of a group in `{slug}`, for forms that give their text back when the session has ended.
    GroupAddress(GroupSlug) = |request| segment(request, "slug");

    /// The conversation of messages in `{chat}`.
    Chatted(ChatId) = |request| segment(request, "chat");

    /// The message in `{message}`.
    OfMessage(MessageId) = |request| segment(request, "message");

    /// Where a conversation continues upwards: `?before=<message>`, or `None` for the newest part.
    Upwards(Option<MessageId>) = |request| parameter(request.query_string(), "before");

    /// Where a search in messages continues: `?from=<position>`, or `None` for the newest messages.
    FromMessage(Option<MessagePosition>) = |request| parameter(request.query_string(), "from");

    /// The person that a new message is for: `?to=<login>`.
    To(Option<Login>) = |request| {
        let typed: Option<String> = parameter(request.query_string(), "to")?;
        Ok(typed.and_then(|login| Login::stored(&login)))
    };

    /// Where the ranked home continues: `?at=<ms>&after=<score>.<status id>`, or `None` for the first page.
    Onward(Option<Further>) = |request| parse_further(request.query_string());

    /// Where a page of replies continues: `?after=<status id>`, or `None` for the first page.
    After(Option<StatusId>) = |request| parameter(request.query_string(), "after");

    /// The new reply that its author returns to: `?reply=<id>`.
    NewReply(Option<StatusId>) = |request| parameter(request.query_string(), "reply");

    /// The next status after the one with the open menu: `?below=<status id>`.
    Below(Option<StatusId>) = |request| parameter(request.query_string(), "below");

    /// The text that a link of the search page adds to the search box: `?add=<text>`.
    Added(Option<String>) = |request| parameter(request.query_string(), "add");

    /// The search query: `?q=<query>`, possibly empty.
    Sought(Query) = |request| {
        let typed: Option<String> = parameter(request.query_string(), "q")?;
        Ok(Query::parse(&typed.unwrap_or_default()))
    };
}

/// A fact that the route table states about a path, so that one handler answers several paths.
pub(super) struct OfRoute<T>(pub T);

impl<T: Copy + 'static> FromRequest for OfRoute<T> {
    type Error = Error;
    type Future = Ready<Result<Self>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let fact = request.app_data::<T>().copied();
        ready(Ok(Self(fact.expect("the route table states it"))))
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
            let (owner, number) = (me.id, segment(&request, "n")?);
            let id = ListId { owner, number };
            let list = AppState::of(&request).store.list(id).await?;
            list.map(Self).ok_or(Error::NotFound)
        })
    }
}

/// Declares an extractor of the group in `{slug}`, if the viewer finds it and may use a power there. Other groups
/// answer like absent ones.
macro_rules! groups {
    ($($(#[$doc:meta])* $name:ident = $may:expr;)+) => {$(
        $(#[$doc])*
        pub(super) struct $name(pub SeenGroup);

        impl FromRequest for $name {
            type Error = Error;
            type Future = Pin<Box<dyn Future<Output = Result<Self>>>>;

            fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
                let request = request.clone();
                Box::pin(async move {
                    let app = AppState::of(&request);
                    let viewer = Visitor::of(&request).viewer()?;
                    let slug: Option<GroupSlug> = segment(&request, "slug").ok();
                    let seen = app.store.find_group(viewer, slug.as_ref()).await?;
                    let may: fn(&SeenGroup) -> bool = $may;
                    seen.filter(may).map(Self).ok_or(Error::NotFound)
                })
            }
        }
    )+};
}

groups! {
    OfGroup = |_| true;
    /// A group that the viewer moderates.
    ModeratedGroup = |seen| seen.may(GroupPower::Moderate);
    /// A group that the viewer owns.
    OwnedGroup = |seen| seen.may(GroupPower::Own);
}

/// Reads a segment of the path. One that does not parse is not found.
fn segment<T: FromStr>(request: &HttpRequest, name: &str) -> Result<T> {
    let segment = request.match_info().query(name);
    segment.parse().map_err(|_| Error::NotFound)
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
        for query in "before= before=-1 before=1e3 before=99999999999999999999999".split(' ') {
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
        let refused = "at=1800000000000 after=5000.12 at=&after= at=5&after=5000.12 \
            at=99999999999999999&after=5000.12 at=1800000000000&after=12 \
            at=1800000000000&after=x.12 at=-1800000000000&after=5000.12";
        for query in refused.split(' ') {
            assert!(parse_further(query).is_err(), "{query}");
        }
    }
}
