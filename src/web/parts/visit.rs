//! One visit of a page: the viewer, the time, and the token of its forms. A handler creates it
//! once, and every view struct is built from it.

use std::sync::Arc;

use crate::{
    domain::{Login, StatusId, UserId, Zone},
    store::{SiteProfile, StaffState, UnixMs},
    web::fragments::Fragments,
};

use super::{layout::Assets, moment::Moment, notice::Notice, theme::Theme};

/// The current member.
#[derive(Debug, Clone)]
pub struct Me {
    pub id: UserId,
    pub login: Login,
}

/// The viewer.
#[derive(Debug, Clone)]
pub enum Who {
    Member(Me),
    Visitor,
    /// There is a session, but it cannot be read.
    Unknown,
}

/// The numbers of things that wait for a member who runs the site. `None` for a member without the power.
#[derive(Debug, Clone, Copy, Default)]
pub struct WaitingWork {
    /// People with reports or appeals.
    pub reports: Option<u64>,
    /// Requests to join.
    pub applicants: Option<u64>,
}

impl WaitingWork {
    pub fn of(staff_state: &StaffState, member: UserId) -> Self {
        Self {
            reports: staff_state.waiting_for(member),
            applicants: staff_state.applicants_for(member),
        }
    }
}

/// The viewer of a page, and the data that every page needs.
#[derive(Debug, Clone)]
pub struct Visit {
    pub who: Who,
    /// The value of `csrf_token` in every form, for members and visitors.
    pub csrf_token: String,
    /// The member who opened the form that was sent, also if the session has ended.
    pub form_owner: Option<UserId>,
    pub unread: u64,
    /// Number of requests to follow the member.
    pub requests: u64,
    /// Number of conversations with unread messages.
    pub unread_chats: u64,
    pub waiting: WaitingWork,
    /// The end of the freeze of the member.
    pub frozen_until: Option<UnixMs>,
    pub now: UnixMs,
    /// The time zone in which full times are shown.
    pub zone: Zone,
    /// The notice of the last action.
    pub notice: Option<Notice>,
    /// The page that shows the notice. Undoing the action returns to it.
    pub notice_page: Option<String>,
    /// The status at which the person returns. The page can have lost it by the last action.
    pub place: Option<StatusId>,
    pub theme: Theme,
    /// Whether posting is closed, because the memory of Redis is almost full.
    pub is_posting_closed: bool,
    pub assets: &'static Assets,
    pub site: Arc<SiteProfile>,
    /// Scheme, host and port of the public URL.
    pub origin: Arc<str>,
    pub fragments: Arc<Fragments>,
}

impl Visit {
    pub fn me(&self) -> Option<&Me> {
        match &self.who {
            Who::Member(me) => Some(me),
            Who::Visitor | Who::Unknown => None,
        }
    }

    /// Returns whether the account of the member is frozen.
    pub fn is_frozen(&self) -> bool {
        self.frozen_until.is_some()
    }

    /// Returns a time as this page shows it.
    pub fn moment(&self, time: UnixMs) -> Moment {
        Moment::new(time, self.now, &self.zone)
    }
}
