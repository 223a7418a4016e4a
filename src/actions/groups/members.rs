//! The tie of a person to a group: joining, asking, answering an invitation, leaving. Also the after-effects of every
//! change: the copies in the slot of the person, and the notifications.

use crate::{
    actions::{
        notifications,
        operations::{
            Effects, Reconciled, reconcile as reconcile_effects, reconcile_copies, with_outbox,
        },
        prelude::*,
        timelines::groups::reconcile_home,
    },
    domain::{
        Delivery, GroupId, GroupPower, GroupTie, Notification, NotificationKind, may_in_group,
    },
    store::{MirrorTieOutcome, OwnChange, OwnOutcome},
};

/// The outcome of joining a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Join {
    Joined,
    Asked,
    /// There is no such group, or the person does not find it.
    NotFound,
    Banned,
    /// People need an invitation.
    Closed,
    Full {
        limit: usize,
    },
    /// Too many people ask to join the group.
    TooManyRequests,
    /// The person belongs to, or asks, as many groups as one person can.
    TooMany {
        limit: usize,
    },
}

/// The outcome of leaving a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leave {
    Done,
    NotFound,
    /// The owner hands the group over first, or deletes it.
    Owner,
}

/// The after-effects of a change of the tie of a person to a group.
pub(in crate::actions) struct MemberEffects {
    pub(in crate::actions) group: GroupId,
    pub(in crate::actions) person: UserId,
}

/// Makes the actor a member, or asks for it.
pub async fn join(store: &Store, actor: impl Into<Actor>, group: GroupId) -> Result<Join> {
    let actor = actor.into();
    let person = actor.id();
    let limits = &store.config().limits;
    Ok(match change(store, actor, group, OwnChange::Join).await? {
        OwnOutcome::Done => match store.group_tie(group, person).await? {
            GroupTie::Member(_) => Join::Joined,
            GroupTie::Asked { .. } => Join::Asked,
            // The copy was refused, so the change was taken back.
            _ => Join::TooMany {
                limit: limits.max_groups,
            },
        },
        OwnOutcome::Banned => Join::Banned,
        OwnOutcome::Closed => Join::Closed,
        OwnOutcome::Full => Join::Full {
            limit: limits.max_group_members,
        },
        OwnOutcome::TooMany => Join::TooManyRequests,
        OwnOutcome::NotFound | OwnOutcome::Owner | OwnOutcome::Deserted => Join::NotFound,
    })
}

/// Ends the membership of the actor.
pub async fn leave(store: &Store, actor: impl Into<Actor>, group: GroupId) -> Result<Leave> {
    Ok(match change(store, actor, group, OwnChange::Leave).await? {
        OwnOutcome::Done => Leave::Done,
        OwnOutcome::Owner => Leave::Owner,
        _ => Leave::NotFound,
    })
}

/// Removes a person whose account is deleted from a group. Another member inherits the group of an owner.
pub async fn go(store: &Store, person: UserId, group: GroupId) -> Result<()> {
    change(store, person, group, OwnChange::Go).await.map(drop)
}

/// Changes the tie of the actor to a group, and reconciles the copies.
pub async fn change(
    store: &Store,
    actor: impl Into<Actor>,
    group: GroupId,
    change: OwnChange,
) -> Result<OwnOutcome> {
    let actor = actor.into();
    let person = actor.id();
    let effects = &MemberEffects { group, person };
    let call = &store.begin().await?;
    let write = async {
        store.check_session(&actor).await?;
        store.change_membership(call, (group, &actor), change).await
    };
    with_outbox(
        store,
        call,
        effects.thing(),
        write,
        async |outcome| match outcome {
            Some(OwnOutcome::Done | OwnOutcome::Deserted) | None => {
                reconcile_all(store, call, effects).await
            }
            Some(_) => Ok(Reconciled::Yes),
        },
    )
    .await
}

/// Reconciles the part of a person in a group after a crash, or because the audit found a fault.
pub async fn reconcile_member(
    store: &Store,
    group: GroupId,
    person: UserId,
) -> Result<Option<Task>> {
    let effects = &MemberEffects { group, person };
    let task = reconcile_effects(store, effects).await?;
    let call = &store.begin().await?;
    call.finish(reconcile_group(store, call, group).await)
        .await?;
    Ok(task)
}

/// Reconciles the copies of the part of a person, and the group as far as the change concerns it.
pub(super) async fn reconcile_all(
    store: &Store,
    call: &Call,
    effects: &MemberEffects,
) -> Result<Reconciled> {
    let reconciled = reconcile_copies(store, call, effects, None).await?;
    reconcile_group(store, call, effects.group).await?;
    Ok(reconciled)
}

/// Delivers the notices about acts of a group, and continues a deletion that the change began.
async fn reconcile_group(store: &Store, call: &Call, id: GroupId) -> Result<()> {
    let Some(group) = store.group(id).await? else {
        return Ok(());
    };
    match group.is_gone {
        true => store.enqueue(&Task::DeleteGroup(id, group.slug)).await,
        false => super::notices::deliver_notices(store, call, &group).await,
    }
}

impl Effects for MemberEffects {
    type Truth = GroupTie;

    fn thing(&self) -> Thing {
        Thing::GroupMember(self.group, self.person)
    }

    async fn truth(&self, store: &Store) -> Result<GroupTie> {
        store.group_tie(self.group, self.person).await
    }

    fn timeline(&self) -> Option<Timeline> {
        Some(Timeline::Home(self.person))
    }

    /// Brings the copies in the slot of the person and the notifications in line with the tie.
    async fn apply(&self, store: &Store, call: &Call, tie: GroupTie) -> Result<()> {
        let Self { group, person } = *self;
        let mirrored = store.mirror_membership(call, (group, person), tie).await?;
        if mirrored != MirrorTieOutcome::Done {
            // The person has too many groups, or was deleted meanwhile. The caller reads the source of truth again. A tie
            // that came meanwhile is not taken back.
            let actor = Actor::from(person);
            let undone = store.change_membership(call, (group, &actor), OwnChange::Undo(tie));
            return undone.await.map(drop);
        }
        let delivery = tie.membership().map(|membership| membership.delivery);
        let is_on_home = delivery.is_some_and(|delivery| delivery != Delivery::Page);
        reconcile_home(store, call, (group, person), is_on_home).await?;
        self.notify(store, call, tie).await
    }
}

impl MemberEffects {
    /// Notifies the moderators of a request and the person of an invitation. Takes back the others.
    async fn notify(&self, store: &Store, call: &Call, tie: GroupTie) -> Result<()> {
        let Self { group, person } = *self;
        let roles = store.group_roles(group).await?;
        let moderators: Vec<UserId> = roles.into_keys().filter(|id| *id != person).collect();
        let request = Notification::group_request(person, group);
        match tie {
            GroupTie::Asked { at_us } => {
                let all = moderators.iter().map(|id| (*id, request));
                let all: Vec<(UserId, Notification)> = all.collect();
                Box::pin(notifications::notify_all(store, call, &all, at_us)).await?;
            }
            _ => {
                let own = [request.to_string()];
                store.drop_notifications_of(call, &moderators, &own).await?;
            }
        }
        let mut over = Vec::new();
        match tie {
            GroupTie::Invited { at_us, by } => {
                let invitation = Notification::group_invitation(by, group);
                notifications::notify(store, call, person, invitation, at_us).await?;
            }
            _ => over.push(NotificationKind::GroupInvitation(group).beginning()),
        }
        if !may_in_group(tie.role(), GroupPower::Moderate) {
            over.push(NotificationKind::GroupRequest(group).beginning());
        }
        store.drop_notifications_of(call, &[person], &over).await
    }
}
