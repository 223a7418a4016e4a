//! Groups. A group is the source of truth of its people, in its own slot. The copies with the people are reconciled under
//! the outbox entry `Thing::GroupMember`, the place in the directory and the notices under `Thing::Group`.

mod deletion;
mod founding;
mod members;
mod moderation;
mod notices;

pub(in crate::actions) use self::notices::deliver_notices;
pub use self::{
    deletion::{delete, delete_for_host, delete_pass},
    founding::{Found, FoundingRefusal, found, found_for_host, founding_refusal, reconcile, save},
    members::{Join, Leave, change, go, join, leave, reconcile_member},
    moderation::manage,
};
