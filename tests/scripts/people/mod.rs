//! The scripts for accounts.

mod account_states;
mod accounts;
mod administration;
mod decisions;
mod device_log_ins;
mod exports;
mod invitations;
mod recovery;
mod rename;
mod reported_messages;
mod reports;

pub use account_states::{change_account, finish_deletion, reserve_login};
pub use accounts::{
    claim_user, commit_login, edit_user, end_session, new_epoch, rehash_password, save_session,
    set_choice, set_password, set_zone,
};
pub use administration::log_act;
pub use decisions::{appeal, claim_case, decide, end_decision, handle_case, mark_post};
pub use device_log_ins::{claim_device, confirm_device, finish_device, offer_device};
pub use exports::begin_export;
pub use invitations::{
    change_site, claim_invitation, claim_site, make_invitation, revoke_invitation,
};
pub use recovery::{add_reset_link, recover_account, set_recovery_codes};
pub use rename::{begin_rename, finish_rename, free_login, take_over_rename};
pub use reports::{drop_reports, note_report, report};
