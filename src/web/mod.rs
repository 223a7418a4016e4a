//! The web layer on actix-web: route table, handlers, and the steps of every request.

mod accounts;
mod addresses;
mod administration;
mod approvals;
mod assets;
mod author_preferences;
mod blocks;
mod collections;
mod conversations;
mod device_log_ins;
mod display;
mod edits;
mod everybody;
mod exports;
mod follows;
mod fragments;
mod groups;
mod health;
mod homes;
mod http;
mod identity;
mod importance;
mod invitations;
mod leaving;
mod lists;
mod live;
mod mentions;
mod messages;
mod moderation;
mod muted_conversations;
mod muted_texts;
mod mutes;
mod notifications;
mod parts;
mod people;
mod people_files;
mod pinned_posts;
mod polls;
mod prelude;
mod privacy;
mod public_log;
mod recovery;
mod rename;
mod reply_control;
mod reposts;
pub mod routes;
mod rules;
mod search;
pub mod server;
mod sessions;
mod set_up;
mod settings;
mod shields;
mod site_texts;
mod statuses;
mod table;
mod tags;

use std::{io, sync::Arc, time::Duration};

use actix_web::{HttpRequest, web::Data};
use tokio::sync::Semaphore;

use crate::{actions::passwords::Hasher, config::Config, live::Streams, store::Store};
use fragments::Fragments;
use http::{
    admission::Admission, body::Bodies, cookies::CookiePolicy, fair_share::FairShares, keys::Keys,
    page_cache::PageCache,
};

/// State that all threads of a site share.
pub struct Site {
    config: Arc<Config>,
    keys: Keys,
    cookies: CookiePolicy,
    /// Scheme, host and port of the public URL, as browsers send them.
    origin: Arc<str>,
    fragments: Arc<Fragments>,
    pages: PageCache,
    fair_shares: FairShares,
    /// The search in messages that is running: one in the process.
    message_searches: Semaphore,
}

impl Site {
    /// Fails if the public URL does not suit sessions, or if there is no secret key.
    pub fn new(config: Arc<Config>) -> io::Result<Self> {
        let cookies = CookiePolicy::of(&config.public_url)?;
        let origin = config.public_url.origin().ascii_serialization();
        Ok(Self {
            keys: http::keys::load_or_create(&config)?,
            fragments: Arc::new(Fragments::of(config.limits.fragment_cache_bytes())),
            pages: PageCache::of(config.limits.page_cache_bytes()),
            fair_shares: FairShares::new(Duration::from_secs(
                config.limits.page_seconds_per_minute,
            )),
            message_searches: Semaphore::new(1),
            config,
            cookies,
            origin: Arc::from(origin),
        })
    }

    /// Returns host and port of the public URL, as they follow a login in an address.
    fn host(&self) -> &str {
        self.origin.split_once("://").map_or("", |(_, host)| host)
    }

    /// Warns if the site listens on the network while its public URL names this machine.
    pub fn warn_of_the_network(&self) {
        if !self.cookies.secure && self.config.listen.is_of_the_network() {
            tracing::warn!(
                "listening on the network while REDWING_PUBLIC_URL is {}: from another machine pages may be \
                 read, but over plain http every form is refused. For others than this machine put https \
                 in front and set it (docs/deploy.md)",
                self.origin
            );
        }
    }
}

/// State for handlers. Each thread has its own store connection.
pub struct AppState {
    pub store: Store,
    pub hasher: Hasher,
    pub admission: Admission,
    pub bodies: Bodies,
    pub streams: Streams,
    pub site: Arc<Site>,
}

impl AppState {
    fn of(request: &HttpRequest) -> &Data<Self> {
        request
            .app_data()
            .expect("every service of the site is given its state")
    }
}
