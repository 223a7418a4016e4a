//! The pages of groups: the directory, the groups of a member, the notices, and the help.

use std::sync::Arc;

use super::words;
use crate::{
    config::Limits,
    domain::{GroupNotice, Query},
    store::{Group, OwnGroups, UnixMs},
    web::parts::{button_form::ButtonForm, moment::Moment, prelude::*},
};

/// A group in a list.
#[derive(Debug)]
pub struct GroupRow {
    name: String,
    path: String,
    /// `Public group · 12 members`.
    about: String,
    description: String,
    buttons: Vec<ButtonForm>,
}

impl GroupRow {
    fn new(group: &Group) -> Self {
        Self {
            name: group.name.clone(),
            path: routes::group(&group.slug),
            about: format!("{} · {}", words::kind(group), words::members(group.members)),
            description: group.description.clone(),
            buttons: Vec::new(),
        }
    }

    fn all(groups: &[Arc<Group>]) -> Vec<Self> {
        groups.iter().map(|group| Self::new(group)).collect()
    }
}

#[derive(Debug, Template)]
#[template(path = "groups/directory.html")]
pub struct DirectoryPage {
    layout: Layout,
    is_member: bool,
    typed: String,
    first: bool,
    rows: Vec<GroupRow>,
    pager: Pager,
}

impl DirectoryPage {
    /// Creates a page of the whole directory.
    pub fn new(visit: &Visit, before: Option<Cursor>, page: &Page<Arc<Group>>) -> Self {
        let layout = Layout::new(visit, Section::Groups, "Groups")
            .described("Groups of people with a common interest.");
        Self {
            layout,
            is_member: visit.me().is_some(),
            typed: String::new(),
            first: before.is_none(),
            rows: GroupRow::all(&page.items),
            pager: Pager::new(routes::GROUPS, before, page.next).ending_with("No more groups."),
        }
    }

    /// Creates the page of a search.
    pub fn found(visit: &Visit, query: &Query, groups: &[Arc<Group>]) -> Self {
        let title = format!("Groups with {}", query.typed());
        let layout = Layout::new(visit, Section::Groups, title);
        Self {
            layout: Layout {
                unlisted: true,
                ..layout
            },
            is_member: visit.me().is_some(),
            typed: query.typed().to_owned(),
            first: true,
            rows: GroupRow::all(groups),
            pager: Pager::new(routes::GROUPS, None, None),
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "groups/mine.html")]
pub struct OwnGroupsPage {
    layout: Layout,
    memberships: Vec<GroupRow>,
    invitations: Vec<GroupRow>,
    asked: Vec<GroupRow>,
}

impl OwnGroupsPage {
    pub fn new(visit: &Visit, groups: &OwnGroups) -> Self {
        let here = routes::OWN_GROUPS;
        let button = |path: String, class, label, group: &Group| {
            ButtonForm::new(visit, (path, here), class, (label, group.name.clone()))
        };
        let invitation = |group: &Arc<Group>| {
            let join = button(routes::join_group(&group.slug), "join-group", "Join", group);
            let decline = routes::decline_group(&group.slug);
            let decline = button(decline, "decline-group", "Decline", group).secondary();
            GroupRow {
                buttons: vec![join, decline],
                ..GroupRow::new(group)
            }
        };
        let asked = |group: &Arc<Group>| {
            let withdraw = routes::withdraw_group_request(&group.slug);
            let withdraw = button(withdraw, "withdraw", "Withdraw request", group).secondary();
            GroupRow {
                buttons: vec![withdraw],
                ..GroupRow::new(group)
            }
        };
        Self {
            layout: Layout::new(visit, Section::Groups, "Your groups"),
            memberships: GroupRow::all(&groups.memberships),
            invitations: groups.invitations.iter().map(invitation).collect(),
            asked: groups.asked.iter().map(asked).collect(),
        }
    }
}

#[derive(Debug)]
struct Notice {
    group: String,
    path: String,
    words: String,
    note: String,
    at: Moment,
}

#[derive(Debug, Template)]
#[template(path = "groups/notices.html")]
pub struct NoticesPage {
    layout: Layout,
    notices: Vec<Notice>,
}

impl NoticesPage {
    pub fn new(visit: &Visit, notices: &[(GroupNotice, UnixMs)]) -> Self {
        let notice = |(notice, at): &(GroupNotice, UnixMs)| Notice {
            group: notice.name.clone(),
            path: routes::group(&notice.slug),
            words: words::notice(visit, &notice.act),
            note: notice.act.note().to_owned(),
            at: visit.moment(*at),
        };
        Self {
            layout: Layout::new(visit, Section::Groups, "News about your groups"),
            notices: notices.iter().map(notice).collect(),
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "help/groups.html")]
pub struct GroupsHelpPage {
    layout: Layout,
    age_days: u64,
    groups: usize,
    members: String,
}

impl GroupsHelpPage {
    pub fn new(visit: &Visit, limits: &Limits) -> Self {
        let layout = Layout::new(visit, Section::Elsewhere, "How groups work")
            .described("The kinds of groups, who reads them, and who runs them.");
        Self {
            layout,
            age_days: limits.group_age_days,
            groups: limits.max_groups,
            members: count(limits.max_group_members as u64),
        }
    }
}
