//! actix-web: the route table, the handlers, and what every request passes through.

mod accounts;
mod addresses;
mod assets;
mod author_preferences;
mod bookmarks;
mod collections;
mod conversations;
mod edits;
mod favourites;
mod follows;
mod health;
mod homes;
mod http;
mod importance;
mod lists;
mod live;
mod mentions;
mod notifications;
mod parts;
mod people;
mod polls;
mod reposts;
pub mod routes;
mod search;
pub mod server;
mod sessions;
mod settings;
mod statuses;
mod table;
mod tags;

use std::{io, sync::Arc};

use actix_web::{HttpRequest, web::Data};

use crate::{actions::passwords::Hasher, config::Config, live::Streams, store::Store};
use http::{admission::Admission, body::Bodies, cookies::CookiePolicy, keys::Keys};

/// What is the same for all threads of a site.
pub struct Site {
    config: Arc<Config>,
    keys: Keys,
    cookies: CookiePolicy,
    /// Scheme, host and port of the public URL, as browsers send them.
    origin: String,
}

impl Site {
    /// # Errors
    ///
    /// The public URL is not fit for sessions, or there is no secret key.
    pub fn new(config: Arc<Config>) -> io::Result<Self> {
        let cookies = CookiePolicy::of(&config.public_url)?;
        let origin = config.public_url.origin().ascii_serialization();
        Ok(Self {
            keys: http::keys::load_or_create(&config)?,
            config,
            cookies,
            origin,
        })
    }

    /// Warns of a site that listens on the network while its public URL is one of this machine.
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

/// What handlers work with. The store has a connection of its own on each thread.
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
