//! Notifications: an event of one kind, by a person, about a status or the notified person. Also the
//! bundling of several into one line.

use std::{collections::HashMap, str::FromStr};

use super::{GroupId, ParseError, StatusId, UserId};

/// Number of notifications stored per person: the newest.
pub const NOTIFICATIONS_KEPT: usize = 1000;

/// A day, in the unit of scores (µs).
const DAY_US: u64 = 86_400_000_000;

/// The kind of an event, with the status concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NotificationKind {
    /// Followed the notified person.
    Follow,
    /// Asked to follow the notified person.
    Request,
    /// Accepted the request of the notified person.
    Accepted,
    /// Favourited this status of the notified person.
    Favourite(StatusId),
    /// Reposted this status of the notified person without a comment.
    Repost(StatusId),
    /// Quoted a status of the notified person with this one.
    Quote(StatusId),
    /// Replied to the notified person with this status.
    Reply(StatusId),
    /// Mentioned the notified person in this status.
    Mention(StatusId),
    /// Posted this status in a group of the notified person.
    GroupPost(StatusId),
    /// Asked to join this group, which the notified person moderates.
    GroupRequest(GroupId),
    /// Invited the notified person to this group.
    GroupInvitation(GroupId),
    /// News from the people who run the site, with the time (µs) of the event. The notified person takes the place of
    /// the acting one, so neither blocks nor suspensions keep it away, and no moderator is named.
    FromSite(SiteNotice, u64),
}

/// A kind of news from the people who run the site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SiteNotice {
    /// To moderators: reports about a person wait.
    Reports,
    /// To moderators: an appeal waits.
    Appeal,
    /// To a reporter: the report was decided.
    ReportClosed,
    /// To a person: there is a decision about them, or it was taken back.
    Decision,
    /// To a person: their appeal was answered.
    AppealAnswered,
    /// To people who answer requests to join: one came while no other waited.
    Applicants,
    /// To a person who asked to join: they were let in.
    LetIn,
    /// To an author: a moderator approved this post. Its id takes the place of the time.
    PostApproved,
    /// To a person: an act of the people who run a group concerns them.
    GroupAct,
}

impl SiteNotice {
    pub const ALL: [Self; 9] = [
        Self::Reports,
        Self::Appeal,
        Self::ReportClosed,
        Self::Decision,
        Self::AppealAnswered,
        Self::Applicants,
        Self::LetIn,
        Self::PostApproved,
        Self::GroupAct,
    ];

    /// Returns the name in Redis. Scripts expect lowercase letters only.
    fn name(self) -> &'static str {
        match self {
            Self::Reports => "reports",
            Self::Appeal => "appeal",
            Self::ReportClosed => "closed",
            Self::Decision => "decision",
            Self::AppealAnswered => "answered",
            Self::Applicants => "applicants",
            Self::LetIn => "admitted",
            Self::PostApproved => "approved",
            Self::GroupAct => "groupact",
        }
    }
}

/// One notification. Its text is a member of `notifications:{uid}`: `<kind>:<status id, or 0>:<user
/// id>`. It is no JSON of serde, because a full log has 1000 members. As JSON each would be 29 bytes
/// longer, and Redis 7 would need 166 KB for the log instead of 134 KB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, derive_more::Display)]
#[display("{}:{}:{by}", kind.name(), kind.number())]
pub struct Notification {
    pub kind: NotificationKind,
    pub by: UserId,
}

/// Notifications that share a line: of one kind, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bundle {
    pub kind: NotificationKind,
    /// The people and times (µs), latest first; never empty.
    pub by: Vec<(UserId, u64)>,
}

impl NotificationKind {
    /// Returns the status concerned. `None` for follows, requests, groups and most news from the site.
    pub fn status(self) -> Option<StatusId> {
        match self {
            Self::Follow
            | Self::Request
            | Self::Accepted
            | Self::GroupRequest(_)
            | Self::GroupInvitation(_) => None,
            Self::FromSite(SiteNotice::PostApproved, id) => StatusId::new(id).ok(),
            Self::FromSite(..) => None,
            Self::Favourite(id)
            | Self::Repost(id)
            | Self::Quote(id)
            | Self::Reply(id)
            | Self::Mention(id)
            | Self::GroupPost(id) => Some(id),
        }
    }

    /// Returns the group concerned.
    pub fn group(self) -> Option<GroupId> {
        match self {
            Self::GroupRequest(group) | Self::GroupInvitation(group) => Some(group),
            _ => None,
        }
    }

    /// Returns the beginning of the stored texts of this kind, about the same thing.
    pub fn beginning(self) -> String {
        format!("{}:{}:", self.name(), self.number())
    }

    /// Returns whether the status is by the notified person. Otherwise it is by the acting person.
    pub fn is_about_own_status(self) -> bool {
        matches!(
            self,
            Self::Favourite(_) | Self::Repost(_) | Self::FromSite(SiteNotice::PostApproved, _)
        )
    }

    /// Returns whether the acting person wrote a status to or about the notified one.
    pub fn is_mention(self) -> bool {
        matches!(self, Self::Reply(_) | Self::Mention(_) | Self::Quote(_))
    }

    /// Returns whether the notified person takes the place of the acting one.
    pub fn is_from_site(self) -> bool {
        matches!(self, Self::FromSite(..))
    }

    /// Returns the number in the stored text: the status, the group, the time of the event, or 0.
    fn number(self) -> u64 {
        match self {
            Self::FromSite(_, at_us) => at_us,
            Self::GroupRequest(group) | Self::GroupInvitation(group) => group.get(),
            _ => self.status().map_or(0, StatusId::get),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::FromSite(notice, _) => notice.name(),
            Self::Follow => "follow",
            Self::Request => "request",
            Self::Accepted => "accepted",
            Self::GroupRequest(_) => "grouprequest",
            Self::GroupInvitation(_) => "groupinvitation",
            Self::Favourite(_) => "favourite",
            Self::Repost(_) => "repost",
            Self::Quote(_) => "quote",
            Self::Reply(_) => "reply",
            Self::Mention(_) => "mention",
            Self::GroupPost(_) => "posted",
        }
    }
}

impl Notification {
    /// Creates the news for an author that a moderator approved a post.
    pub fn approved(author: UserId, id: StatusId) -> Self {
        Self::from_site(author, SiteNotice::PostApproved, id.get())
    }

    /// Creates news for a person from the people who run the site.
    pub fn from_site(to: UserId, notice: SiteNotice, at_us: u64) -> Self {
        Self {
            kind: NotificationKind::FromSite(notice, at_us),
            by: to,
        }
    }

    pub fn follow(by: UserId) -> Self {
        let kind = NotificationKind::Follow;
        Self { kind, by }
    }

    pub fn request(by: UserId) -> Self {
        let kind = NotificationKind::Request;
        Self { kind, by }
    }

    pub fn accepted(by: UserId) -> Self {
        let kind = NotificationKind::Accepted;
        Self { kind, by }
    }

    pub fn group_request(by: UserId, group: GroupId) -> Self {
        let kind = NotificationKind::GroupRequest(group);
        Self { kind, by }
    }

    pub fn group_invitation(by: UserId, group: GroupId) -> Self {
        let kind = NotificationKind::GroupInvitation(group);
        Self { kind, by }
    }

    pub fn favourite(by: UserId, id: StatusId) -> Self {
        let kind = NotificationKind::Favourite(id);
        Self { kind, by }
    }
}

impl Bundle {
    pub fn status(&self) -> Option<StatusId> {
        self.kind.status()
    }

    /// Returns the notifications on this line, newest first.
    pub fn notifications(&self) -> impl Iterator<Item = Notification> {
        let kind = self.kind;
        self.by
            .iter()
            .map(move |(by, _)| Notification { kind, by: *by })
    }

    /// Returns the time of the latest event (µs), which determines the position of the line.
    pub fn at(&self) -> u64 {
        self.by.first().map_or(0, |(_, at)| *at)
    }

    /// Bundles notifications, newest first with their scores (µs), into lines. A status's favourites
    /// share a line, so do its reposts, and so do the follows and requests of one day (UTC). Notifications that
    /// arrive later change no other line.
    pub fn all(entries: &[(Notification, u64)]) -> Vec<Self> {
        let mut bundles: Vec<Self> = Vec::new();
        let mut places = HashMap::new();
        for (Notification { kind, by }, at) in entries {
            let day = kind.status().is_none().then_some(at / DAY_US);
            let place = *places.entry((*kind, day)).or_insert(bundles.len());
            match bundles.get_mut(place) {
                Some(bundle) => bundle.by.push((*by, *at)),
                None => bundles.push(Self {
                    kind: *kind,
                    by: vec![(*by, *at)],
                }),
            }
        }
        bundles
    }
}

impl FromStr for Notification {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut parts = text.split(':');
        let (Some(name), Some(status), Some(by), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(ParseError);
        };
        let id = || status.parse().map_err(|_| ParseError);
        let group = || status.parse().map_err(|_| ParseError);
        let kind = match name {
            "follow" if status == "0" => NotificationKind::Follow,
            "request" if status == "0" => NotificationKind::Request,
            "accepted" if status == "0" => NotificationKind::Accepted,
            "grouprequest" => NotificationKind::GroupRequest(group()?),
            "groupinvitation" => NotificationKind::GroupInvitation(group()?),
            "favourite" => NotificationKind::Favourite(id()?),
            "repost" => NotificationKind::Repost(id()?),
            "quote" => NotificationKind::Quote(id()?),
            "reply" => NotificationKind::Reply(id()?),
            "mention" => NotificationKind::Mention(id()?),
            "posted" => NotificationKind::GroupPost(id()?),
            _ => {
                let mut notices = SiteNotice::ALL.into_iter();
                let notice = notices.find(|notice| notice.name() == name);
                let at_us = status.parse().map_err(|_| ParseError)?;
                NotificationKind::FromSite(notice.ok_or(ParseError)?, at_us)
            }
        };
        let by = by.parse().map_err(|_| ParseError)?;
        Ok(Self { kind, by })
    }
}

#[cfg(test)]
mod tests {
    use super::super::notification::*;

    fn status(number: u64) -> StatusId {
        StatusId::new(number).expect("in range")
    }

    fn stored_notification(text: &str, at: u64) -> (Notification, u64) {
        (text.parse().expect("a notification"), at)
    }

    #[test]
    fn reactions_to_one_status_are_grouped_by_kind() {
        let bundles = Bundle::all(&[
            stored_notification("favourite:5:3", 90),
            stored_notification("repost:5:3", 80),
            stored_notification("favourite:6:1", 70),
            stored_notification("favourite:5:1", 60),
            stored_notification("repost:5:2", 50),
        ]);
        let line = |bundle: &Bundle| (bundle.kind, bundle.at(), bundle.by.len());
        let lines: Vec<(NotificationKind, u64, usize)> = bundles.iter().map(line).collect();
        assert_eq!(
            lines,
            [
                (NotificationKind::Favourite(status(5)), 90, 2),
                (NotificationKind::Repost(status(5)), 80, 2),
                (NotificationKind::Favourite(status(6)), 70, 1),
            ]
        );
        let who: Vec<u64> = bundles[0].by.iter().map(|(by, _)| by.get()).collect();
        assert_eq!(who, [3, 1]);
    }

    #[test]
    fn follows_are_grouped_by_day() {
        let noon = 20_000 * DAY_US + DAY_US / 2;
        let bundles = Bundle::all(&[
            stored_notification("follow:0:4", noon + DAY_US / 2),
            stored_notification("follow:0:3", noon + DAY_US / 2 - 1),
            stored_notification("follow:0:2", noon),
            stored_notification("follow:0:1", noon - DAY_US),
        ]);
        let sizes: Vec<usize> = bundles.iter().map(|bundle| bundle.by.len()).collect();
        assert_eq!(sizes, [1, 2, 1]);
    }

    #[test]
    fn news_from_the_site_keep_their_stored_text_and_their_own_lines() {
        let person = UserId::new(7).expect("in range");
        for notice in SiteNotice::ALL {
            let news = Notification::from_site(person, notice, 5);
            assert_eq!(news.to_string().parse(), Ok(news));
            let name = notice.name();
            let is_read_by_scripts = name.bytes().all(|byte| byte.is_ascii_lowercase());
            assert!(is_read_by_scripts, "{name}");
        }
        assert_eq!(
            Notification::from_site(person, SiteNotice::ReportClosed, 5).to_string(),
            "closed:5:7"
        );
        let bundles = Bundle::all(&[
            stored_notification("decision:9:7", 9),
            stored_notification("decision:8:7", 8),
        ]);
        assert_eq!(bundles.len(), 2);
    }

    #[test]
    fn replies_mentions_and_quotes_are_not_grouped() {
        let bundles = Bundle::all(&[
            stored_notification("reply:8:3", 9),
            stored_notification("mention:7:3", 8),
            stored_notification("quote:6:3", 7),
        ]);
        assert_eq!(bundles.len(), 3);
        let is_about_own = |bundle: &Bundle| bundle.kind.is_about_own_status();
        assert!(!bundles.iter().any(is_about_own));
    }
}
