//! The page of a group, and the question before a member leaves it.

use std::{collections::HashMap, sync::Arc};

use super::{
    posts_view::{GroupPosts, has_feed},
    words,
};
use crate::{
    domain::{Delivery, GroupPower, GroupRole, GroupTie, UserId},
    store::{Group, Person, SeenGroup},
    web::parts::{button_form::ButtonForm, moment::Moment, prelude::*},
};

/// The part of the viewer in the group, with the forms that change it.
#[derive(Debug)]
enum Part {
    /// A visitor logs in first.
    LogIn(String),
    Join(ButtonForm),
    /// People need an invitation.
    Closed,
    Asked(ButtonForm),
    Invited(ButtonForm, ButtonForm),
    Banned,
    Member(Membership),
}

/// The part of a member.
#[derive(Debug)]
struct Membership {
    /// `Owner`. A plain member has none.
    role: Option<&'static str>,
    muted_until: Option<Moment>,
    deliveries: Vec<Choice>,
    deliver_path: String,
    leave_path: String,
    /// The owner offers the group to the member.
    offer: Option<ButtonForm>,
}

#[derive(Debug)]
struct Choice {
    value: &'static str,
    label: &'static str,
    is_chosen: bool,
}

/// A person with a role.
#[derive(Debug)]
struct Leader {
    name: String,
    profile: String,
    role: &'static str,
}

#[derive(Debug, Template)]
#[template(path = "groups/group.html")]
pub struct GroupPage {
    layout: Layout,
    group: Arc<Group>,
    kind: &'static str,
    rights: &'static str,
    joining: &'static str,
    members: String,
    founded: Moment,
    may_read: bool,
    /// The page of the members, if the viewer sees it.
    members_path: Option<String>,
    part: Part,
    leaders: Vec<Leader>,
    /// The pages of those who run the group, with their labels.
    tools: Vec<(String, String)>,
    /// The posts, if the viewer reads them.
    posts: Option<GroupPosts>,
    /// The Atom feed, if everyone finds and reads the group.
    feed_path: Option<String>,
    /// The form that reports the group, for members of the site who do not own it.
    report_path: Option<String>,
}

impl GroupPage {
    pub fn new(
        visit: &Visit,
        seen: &SeenGroup,
        (people, roles): (&[Person], &HashMap<UserId, GroupRole>),
        posts: Option<GroupPosts>,
    ) -> Self {
        let group = &seen.group;
        let layout = Layout::new(visit, Section::Groups, &group.name);
        let description = match group.description.is_empty() {
            true => format!("{}. {}", words::kind(group), words::rights(group)),
            false => group.description.clone(),
        };
        Self {
            layout: Layout {
                unlisted: !group.is_listed(),
                ..layout.described(description)
            },
            kind: words::kind(group),
            rights: words::rights(group),
            joining: words::joining(group),
            members: words::members(group.members),
            founded: visit.moment(group.founded),
            may_read: seen.may_read(),
            members_path: seen
                .may_see_members()
                .then(|| routes::group_members(&group.slug)),
            part: Part::new(visit, seen),
            leaders: leaders(people, roles),
            tools: tools(seen),
            posts,
            feed_path: has_feed(group).then(|| routes::group_feed(&group.slug)),
            report_path: visit
                .me()
                .filter(|me| group.owner != Some(me.id))
                .map(|_| routes::report_group(&group.slug)),
            group: Arc::clone(group),
        }
    }
}

impl Part {
    fn new(visit: &Visit, seen: &SeenGroup) -> Self {
        let group = &seen.group;
        let here = routes::group(&group.slug);
        if visit.me().is_none() {
            return Self::LogIn(routes::log_in_then(here));
        }
        let button = |path: String, class, label| {
            ButtonForm::new(visit, (path, &here), class, (label, group.name.clone()))
        };
        let join = |label| button(routes::join_group(&group.slug), "join-group", label);
        match seen.tie {
            GroupTie::Member(membership) => {
                let offered =
                    group.offered_to.is_some() && group.offered_to == visit.me().map(|me| me.id);
                let offer = || {
                    button(
                        routes::take_over_group(&group.slug),
                        "take-over",
                        "Take it over",
                    )
                };
                Self::Member(Membership {
                    role: words::role(membership.role),
                    muted_until: (membership.muted_until > visit.now)
                        .then(|| visit.moment(membership.muted_until)),
                    deliveries: deliveries(membership.delivery),
                    deliver_path: routes::group_delivery(&group.slug),
                    leave_path: routes::leave_group(&group.slug),
                    offer: offered.then(offer),
                })
            }
            GroupTie::Banned => Self::Banned,
            GroupTie::Invited { .. } => {
                let decline = routes::decline_group(&group.slug);
                let decline = button(decline, "decline-group", "Decline").secondary();
                Self::Invited(join("Join"), decline)
            }
            GroupTie::Asked { .. } => {
                let withdraw = routes::withdraw_group_request(&group.slug);
                Self::Asked(button(withdraw, "withdraw", "Withdraw request").secondary())
            }
            GroupTie::None => match group.joining {
                crate::domain::Joining::Open => Self::Join(join("Join")),
                crate::domain::Joining::Request => Self::Join(join("Ask to join")),
                crate::domain::Joining::Invitation => Self::Closed,
            },
        }
    }
}

fn deliveries(chosen: Delivery) -> Vec<Choice> {
    let choice = |one: &Delivery| Choice {
        value: one.as_str(),
        label: match one {
            Delivery::Notified => "On my home, with a notification",
            Delivery::Home => "On my home",
            Delivery::Page => "Only on this page",
        },
        is_chosen: *one == chosen,
    };
    Delivery::ALL.iter().map(choice).collect()
}

/// Returns the people who run the group, the owner first.
fn leaders(people: &[Person], roles: &HashMap<UserId, GroupRole>) -> Vec<Leader> {
    let mut leaders: Vec<Leader> = people
        .iter()
        .filter_map(|person| {
            let role = words::role(*roles.get(&person.user.id)?)?;
            Some(Leader {
                name: person.user.name.clone(),
                profile: routes::profile(&person.user.login),
                role,
            })
        })
        .collect();
    leaders.sort_by(|a, b| b.role.cmp(a.role).then_with(|| a.name.cmp(&b.name)));
    leaders
}

/// Returns the pages of the people who run the group.
fn tools(seen: &SeenGroup) -> Vec<(String, String)> {
    let slug = &seen.group.slug;
    let mut tools = Vec::new();
    if seen.may(GroupPower::Moderate) {
        let requests = match seen.group.requests {
            0 => "Requests".to_owned(),
            number => format!("Requests ({})", count(number)),
        };
        tools.push((routes::group_requests(slug), requests));
        tools.push((routes::group_invitations(slug), "Invitations".to_owned()));
        tools.push((routes::group_bans(slug), "Banned people".to_owned()));
        tools.push((routes::group_log(slug), "Log".to_owned()));
    }
    if seen.may(GroupPower::Own) {
        tools.push((routes::group_settings(slug), "Settings".to_owned()));
    }
    tools
}

#[derive(Debug, Template)]
#[template(path = "groups/leave.html")]
pub struct LeavePage {
    layout: Layout,
    name: String,
    path: String,
    action: String,
    is_owner: bool,
    /// The person loses the posts with the membership.
    loses_posts: bool,
}

impl LeavePage {
    pub fn new(visit: &Visit, seen: &SeenGroup) -> Self {
        let group = &seen.group;
        Self {
            layout: Layout::new(visit, Section::Groups, "Leave this group?"),
            name: group.name.clone(),
            path: routes::group(&group.slug),
            action: routes::leave_group(&group.slug),
            is_owner: seen.may(GroupPower::Own),
            loses_posts: group.readable_by == crate::domain::GroupReaders::Members,
        }
    }
}
