//! The notifications page: lines with the people, their action and the post, and a mark on new lines.

use crate::{
    domain::{NotificationFilter, NotificationKind, SiteNotice},
    store::NotificationPage,
    web::{
        parts::{avatar::Avatar, moment::Moment, prelude::*},
        statuses::{
            action_form::ActionForm, byline::permalink, line_actions::LineActions, view::excerpt,
        },
    },
};

#[derive(Debug, Template)]
#[template(path = "notifications/notifications.html")]
pub struct NotificationsPage {
    layout: Layout,
    tabs: Vec<TabLink>,
    filter: NotificationFilter,
    first: bool,
    /// The form around the buttons of the lines.
    action_form: Option<ActionForm>,
    /// Number of people who ask to follow the reader.
    requests: u64,
    lines: Vec<Line>,
    pager: Pager,
}

/// The link to a filter.
#[derive(Debug)]
struct TabLink {
    name: &'static str,
    path: String,
    is_current: bool,
}

#[derive(Debug, Template)]
#[template(path = "notifications/_line.html")]
pub struct Line {
    /// The class of its icon.
    icon: &'static str,
    avatar: Avatar,
    people: Vec<Named>,
    /// The number of other people in words, and the link to their list.
    others: Option<(String, String)>,
    action_text: &'static str,
    /// The page of news from the people who run the site.
    page: Option<&'static str>,
    /// The excerpt of the post and its link.
    post: Option<(String, String)>,
    /// The name of the group and its link.
    group: Option<(String, String)>,
    when: Moment,
    is_new: bool,
    /// The buttons of a post of another person, with its id.
    actions: Option<(StatusId, LineActions)>,
}

impl askama::filters::HtmlSafe for Line {}

/// A person in a sentence.
#[derive(Debug)]
struct Named {
    /// The text before the name.
    separator: &'static str,
    name: String,
    profile: String,
}

impl NotificationsPage {
    pub fn new(
        visit: &Visit,
        requests: u64,
        (filter, before): (NotificationFilter, Option<Cursor>),
        page: &Page<NotificationPage>,
    ) -> Self {
        let lines = page.items.iter();
        let path = routes::notifications(filter);
        let title = match filter {
            NotificationFilter::All => "Notifications",
            _ => tab_name(filter),
        };
        Self {
            layout: Layout::new(visit, Section::Notifications, title),
            tabs: NotificationFilter::ALL
                .map(|tab| TabLink::new(tab, filter))
                .into(),
            filter,
            first: before.is_none(),
            action_form: ActionForm::new(visit, &routes::page(&path, before))
                .map(ActionForm::without_fields),
            requests,
            lines: lines.filter_map(|line| Line::new(visit, line)).collect(),
            pager: Pager::new(&path, before, page.next).ending_with("No more notifications."),
        }
    }
}

impl TabLink {
    fn new(filter: NotificationFilter, current: NotificationFilter) -> Self {
        Self {
            name: tab_name(filter),
            path: routes::notifications(filter),
            is_current: filter == current,
        }
    }
}

fn tab_name(filter: NotificationFilter) -> &'static str {
    match filter {
        NotificationFilter::All => "All",
        NotificationFilter::Mentions => "Mentions",
        NotificationFilter::Follows => "Follows",
    }
}

impl Line {
    /// Returns `None` if there are no people.
    fn new(visit: &Visit, line: &NotificationPage) -> Option<Self> {
        let last = line.people.first()?;
        let others = (line.others > 0).then(|| {
            let words = format!("{} others", count(line.others as u64));
            (words, people_path(visit, line))
        });
        let post = line
            .status
            .as_ref()
            .map(|status| (excerpt(status.opening()), permalink(status)));
        let group = line.group.as_ref().map(|group| {
            let path = match line.kind {
                NotificationKind::GroupRequest(_) => routes::group_requests(&group.slug),
                _ => routes::group(&group.slug),
            };
            (group.name.clone(), path)
        });
        let own_words = line.status.as_ref().filter(|_| line.kind.is_mention());
        let actions =
            own_words.and_then(|status| Some((status.id(), LineActions::new(visit, status)?)));
        Some(Self {
            icon: icon(line.kind),
            avatar: Avatar::new(last.id, &last.name),
            people: match line.kind.is_from_site() {
                true => Vec::new(),
                false => name_people(line),
            },
            others,
            action_text: verb(line.kind),
            page: match line.kind {
                NotificationKind::FromSite(notice, _) => page_of(notice),
                _ => None,
            },
            post,
            group,
            when: visit.moment(line.at),
            is_new: line.is_new,
            actions,
        })
    }
}

/// Returns "A", "A and B", "A, B and C", or "A, B" before the others.
fn name_people(line: &NotificationPage) -> Vec<Named> {
    let last = line.people.len() - 1;
    let separator = |at| match at {
        0 => "",
        at if at == last && line.others == 0 => " and ",
        _ => ", ",
    };
    let named = |(at, user): (usize, &std::sync::Arc<User>)| Named {
        separator: separator(at),
        name: user.name.clone(),
        profile: routes::profile(&user.login),
    };
    line.people.iter().enumerate().map(named).collect()
}

/// Returns the page that lists all these people.
fn people_path(visit: &Visit, line: &NotificationPage) -> String {
    match (&line.status, visit.me()) {
        (Some(status), _) if matches!(line.kind, NotificationKind::Favourite(_)) => {
            routes::favourited_by(&status.author().login, status.id())
        }
        (Some(status), _) if matches!(line.kind, NotificationKind::Repost(_)) => {
            routes::reposters(&status.author().login, status.id())
        }
        (Some(status), _) => permalink(status),
        (None, _) if line.kind == NotificationKind::Request => routes::SETTINGS_REQUESTS.to_owned(),
        (None, _) if line.group.is_some() => line.group.as_ref().map_or_else(
            || routes::GROUPS.to_owned(),
            |group| routes::group_requests(&group.slug),
        ),
        (None, Some(me)) if line.kind == NotificationKind::Accepted => routes::following(&me.login),
        (None, Some(me)) => routes::followers(&me.login),
        (None, None) => routes::HOME.to_owned(),
    }
}

/// Returns the class of the icon of a kind, which the stylesheet draws.
fn icon(kind: NotificationKind) -> &'static str {
    match kind {
        NotificationKind::Follow | NotificationKind::Request | NotificationKind::Accepted => {
            "of-person"
        }
        NotificationKind::Favourite(_) => "of-favourite",
        NotificationKind::Repost(_) => "of-repost",
        NotificationKind::Quote(_) => "of-quote",
        NotificationKind::Reply(_) => "of-reply",
        NotificationKind::Mention(_) => "of-mention",
        NotificationKind::GroupPost(_)
        | NotificationKind::GroupRequest(_)
        | NotificationKind::GroupInvitation(_) => "of-group",
        NotificationKind::FromSite(..) => "of-site",
    }
}

fn verb(kind: NotificationKind) -> &'static str {
    match kind {
        NotificationKind::Follow => "followed you",
        NotificationKind::Request => "asked to follow you",
        NotificationKind::Accepted => "accepted your request to follow",
        NotificationKind::GroupRequest(_) => "asked to join",
        NotificationKind::GroupInvitation(_) => "invited you to",
        NotificationKind::Favourite(_) => "favourited your post",
        NotificationKind::Repost(_) => "reposted your post",
        NotificationKind::Quote(_) => "quoted your post",
        NotificationKind::Reply(_) => "replied to you",
        NotificationKind::Mention(_) => "mentioned you",
        NotificationKind::GroupPost(_) => "posted in a group of yours",
        NotificationKind::FromSite(SiteNotice::Reports, _) => "New reports wait for a moderator",
        NotificationKind::FromSite(SiteNotice::Appeal, _) => "An appeal waits for a moderator",
        NotificationKind::FromSite(SiteNotice::ReportClosed, _) => {
            "The moderators decided about your report"
        }
        NotificationKind::FromSite(SiteNotice::Decision, _) => {
            "There is news about a decision of the moderators about you"
        }
        NotificationKind::FromSite(SiteNotice::AppealAnswered, _) => {
            "The moderators answered your appeal"
        }
        NotificationKind::FromSite(SiteNotice::Applicants, _) => "People ask to join this site",
        NotificationKind::FromSite(SiteNotice::LetIn, _) => "You were let in. Welcome!",
        NotificationKind::FromSite(SiteNotice::PostApproved, _) => {
            "A moderator approved your post. Others can see it now"
        }
        NotificationKind::FromSite(SiteNotice::GroupAct, _) => {
            "There is news about your part in a group"
        }
    }
}

/// Returns the page of news from the people who run the site. `None` for news about a post, which is shown.
fn page_of(notice: SiteNotice) -> Option<&'static str> {
    Some(match notice {
        SiteNotice::Reports => routes::ADMIN_REPORTS,
        SiteNotice::Appeal => routes::ADMIN_APPEALS,
        SiteNotice::ReportClosed => routes::SETTINGS_REPORTS,
        SiteNotice::Decision | SiteNotice::AppealAnswered => routes::DECISIONS,
        SiteNotice::Applicants => routes::ADMIN_APPROVALS,
        SiteNotice::LetIn => routes::SETTINGS_RECOVERY,
        SiteNotice::PostApproved => return None,
        SiteNotice::GroupAct => routes::GROUP_NOTICES,
    })
}
