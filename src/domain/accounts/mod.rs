//! Accounts: logins, passwords, roles, and the entrance of a site.

pub mod account;
pub mod act;
pub mod admission;
pub mod application;
pub mod count_period;
pub mod counted_act;
pub mod entrance;
pub mod export;
pub mod former_login;
pub mod login;
pub mod newcomer;
pub mod password;
pub mod role;
pub mod secret_code;
pub mod session_digest;
pub mod site_hue;
pub mod site_rules;
pub mod zone;
