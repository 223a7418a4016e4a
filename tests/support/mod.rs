//! Shared parts of the tests: a temporary Redis, the production server in this process, and people
//! who use it over HTTP through the forms of its pages.

pub mod certificate;
pub mod cluster;
pub mod cookies;
pub mod core;
pub mod crowd;
pub mod ended_session;
pub mod environment;
pub mod groups;
pub mod index;
pub mod leftovers;
pub mod page;
pub mod person;
pub mod pool;
pub mod process;
pub mod proxied_server;
pub mod proxy;
pub mod redis;
pub mod redis_counters;
pub mod request;
pub mod running_worker;
pub mod site;
pub mod small_disk;
pub mod state;
pub mod tour;
pub mod waiting;

pub use page::{Form, Page};
pub use person::{PASSWORD, Person, action_path};
pub use site::Site;
