//! The documents of the archive in the shapes of Mastodon's: activities of ActivityPub as JSON, and addresses.

use jiff::Timestamp;
use serde_json::{Value, json};
use url::Url;

use super::markup::content_of;
use crate::{
    domain::{
        ChatMessage, Choice, Login, MessageContent, StatusId, TokenKind, UnixMs, Visibility, tokens,
    },
    store::{ChatView, Group, Original, ReplyTo, User, VisibleStatus},
    web::routes,
};

const CONTEXT: &str = "https://www.w3.org/ns/activitystreams";
const PUBLIC: &str = "https://www.w3.org/ns/activitystreams#Public";

/// Builds the documents of a site with this address.
#[derive(Debug, Clone, Copy)]
pub struct Documents<'a> {
    pub site: &'a Url,
}

impl Documents<'_> {
    /// Returns the full address of a path.
    fn address(self, path: &str) -> String {
        self.site
            .join(path)
            .map_or_else(|_| path.to_owned(), String::from)
    }

    /// Returns the host of the site with its port, as addresses of people have it.
    pub fn host(self) -> String {
        let origin = self.site.origin().ascii_serialization();
        let host = origin.split_once("://").map_or("", |(_, host)| host);
        host.to_owned()
    }

    pub fn status_address(self, login: &Login, id: StatusId) -> String {
        self.address(&routes::status(login, id))
    }

    pub fn group_address(self, group: &Group) -> String {
        self.address(&routes::group(&group.slug))
    }

    /// Returns `actor.json`.
    pub fn actor(self, user: &User) -> Value {
        let profile = self.address(&routes::profile(&user.login));
        json!({
            "@context": CONTEXT,
            "id": profile,
            "type": "Person",
            "preferredUsername": user.login.as_str(),
            "name": user.name,
            "summary": content_of(&user.bio, self.site),
            "url": profile,
            "published": time(user.signup),
            "manuallyApprovesFollowers": user.is_private,
            "alsoKnownAs": user.former_logins.iter()
                .map(|former| self.address(&routes::profile(&former.login)))
                .collect::<Vec<_>>(),
            "featured": {
                "type": "OrderedCollection",
                "orderedItems": user.pinned.ids().iter()
                    .map(|id| self.status_address(&user.login, *id))
                    .collect::<Vec<_>>(),
            },
            "outbox": "outbox.json",
            "likes": "likes.json",
            "bookmarks": "bookmarks.json",
        })
    }

    /// Returns the beginning of an ordered collection, up to its items.
    pub fn collection_head(self, file: &str, total: usize) -> String {
        format!(
            "{{\"@context\":\"{CONTEXT}\",\"id\":\"{file}\",\"type\":\"OrderedCollection\",\
             \"totalItems\":{total},\"orderedItems\":["
        )
    }

    /// Returns the activity that made a status: `Announce` of a repost, else `Create` with the status.
    pub fn activity(self, status: &VisibleStatus) -> Value {
        let author = status.author();
        let actor = self.address(&routes::profile(&author.login));
        let address = self.status_address(&author.login, status.id());
        let (to, cc) = self.readers(status);
        let activity = |kind: &str, object: Value| {
            json!({
                "id": format!("{address}/activity"),
                "type": kind,
                "actor": actor,
                "published": time(status.posted()),
                "to": to,
                "cc": cc,
                "object": object,
            })
        };
        if status.is_repost() {
            let original = status.shown();
            let object = self.status_address(&original.author().login, original.id());
            return activity("Announce", object.into());
        }
        activity("Create", self.note(status, &address))
    }

    fn note(self, status: &VisibleStatus, address: &str) -> Value {
        let author = status.author();
        let (to, cc) = self.readers(status);
        let mut note = json!({
            "id": address,
            "type": "Note",
            "url": address,
            "attributedTo": self.address(&routes::profile(&author.login)),
            "published": time(status.posted()),
            "summary": status.own_warning(),
            "sensitive": status.own_warning().is_some(),
            "content": content_of(status.message(), self.site),
            "source": { "content": status.message(), "mediaType": "text/plain" },
            "inReplyTo": self.reply_to(status),
            "to": to,
            "cc": cc,
            "tag": self.tags(status),
            "attachment": [],
        });
        if let Some(edited) = status.edited() {
            note["updated"] = time(edited).into();
        }
        if let Some(Original::Status(quoted)) = status.quoted() {
            let quoted = self.status_address(&quoted.author().login, quoted.id());
            note["quoteUrl"] = quoted.clone().into();
            note["quoteUri"] = quoted.into();
        }
        if let Some((poll, tally)) = status.poll() {
            let options = poll.options().iter().enumerate().map(|(at, option)| {
                json!({
                    "type": "Note",
                    "name": option.as_str(),
                    "replies": { "type": "Collection", "totalItems": tally.votes.get(at) },
                })
            });
            let kind = match poll.choice() {
                Choice::One => "oneOf",
                Choice::Several => "anyOf",
            };
            note["type"] = "Question".into();
            note[kind] = options.collect();
            note["endTime"] = status.poll_ends().map(time).into();
        }
        note
    }

    /// Returns a message of a conversation of this user as a note. Authors without a name have no address.
    pub fn message(self, owner: &User, chat: &ChatView, message: &ChatMessage) -> Value {
        let profile = |user: &User| self.address(&routes::profile(&user.login));
        let conversation = self.address(&routes::chat(chat.id));
        let author = match chat.person(message.author) {
            Some(person) => person.user.as_deref().map(profile),
            None => Some(profile(owner)),
        };
        let people = chat
            .people
            .iter()
            .filter_map(|person| person.user.as_deref());
        let text = message.text().unwrap_or_default();
        let mut note = json!({
            "id": format!("{conversation}#message-{}", message.id),
            "type": "Note",
            "context": conversation,
            "attributedTo": author,
            "to": people.chain([owner]).map(profile).collect::<Vec<_>>(),
            "published": time(message.at),
            "content": content_of(text, self.site),
            "source": { "content": text, "mediaType": "text/plain" },
        });
        if let Some(name) = &chat.name {
            note["name"] = name.as_str().into();
        }
        if let MessageContent::Text {
            edited: Some(at), ..
        } = message.content
        {
            note["updated"] = time(at).into();
        }
        note
    }

    fn reply_to(self, status: &VisibleStatus) -> Option<String> {
        match status.reply_to()? {
            ReplyTo::Status(id, author) => Some(self.status_address(&author.login, *id)),
            ReplyTo::Gap => None,
        }
    }

    /// Returns the fields `to` and `cc`.
    fn readers(self, status: &VisibleStatus) -> (Vec<String>, Vec<String>) {
        let login = &status.author().login;
        let followers = self.address(&format!("{}/followers", routes::profile(login)));
        match status.own_visibility() {
            Visibility::Public => (vec![PUBLIC.to_owned()], vec![followers]),
            Visibility::Members => (vec![self.address("/")], vec![followers]),
            Visibility::Followers => (vec![followers], Vec::new()),
            Visibility::Group => (Vec::new(), Vec::new()),
        }
    }

    fn tags(self, status: &VisibleStatus) -> Vec<Value> {
        let tag = |kind: TokenKind| match kind {
            TokenKind::Tag(tag) => Some(json!({
                "type": "Hashtag",
                "name": format!("#{tag}"),
                "href": self.address(&routes::tag(&tag.folded())),
            })),
            TokenKind::Mention(login) => Some(json!({
                "type": "Mention",
                "name": format!("@{login}"),
                "href": self.address(&routes::profile(&login)),
            })),
            TokenKind::Text | TokenKind::Url => None,
        };
        tokens(status.message())
            .filter_map(|token| tag(token.kind))
            .collect()
    }
}

/// A time for machines and for readers.
#[derive(Debug)]
pub struct Moment {
    /// RFC 3339, to the second.
    pub datetime: String,
    /// `12 November 2025, 14:05 UTC`.
    pub full: String,
}

impl Moment {
    pub fn new(at: UnixMs) -> Self {
        let ms = i64::try_from(at.0).unwrap_or(i64::MAX);
        let time = Timestamp::from_millisecond(ms).unwrap_or(Timestamp::MAX);
        Self {
            datetime: time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            full: time.strftime("%-d %B %Y, %H:%M UTC").to_string(),
        }
    }
}

fn time(at: UnixMs) -> String {
    Moment::new(at).datetime
}

/// Formats a line of a CSV file. A field with a comma, a quote or a line break is quoted.
pub fn csv_line(fields: &[&str]) -> String {
    let field = |field: &&str| match field.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => (*field).to_owned(),
    };
    let fields: Vec<String> = fields.iter().map(field).collect();
    format!("{}\n", fields.join(","))
}

#[cfg(test)]
mod tests {
    use super::super::documents::*;

    #[test]
    fn a_csv_field_is_quoted_where_it_must_be() {
        assert_eq!(
            csv_line(&["Birds", "ann@red.example"]),
            "Birds,ann@red.example\n"
        );
        assert_eq!(csv_line(&["a, \"b\"", "c"]), "\"a, \"\"b\"\"\",c\n");
    }
}
