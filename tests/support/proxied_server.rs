//! A second server of a site, which reaches Redis through a proxy.

use std::{sync::Arc, time::Duration};

use redwing::store::Store;
use tokio::sync::oneshot;

use super::{Person, Site, proxy::Proxy, request::client, site::serve};

/// Second server of a site. Sessions are valid on both servers.
pub struct ProxiedServer {
    pub proxy: Proxy,
    /// Store of the second server.
    pub store: Store,
    pub base: String,
    origin: String,
    _running: oneshot::Sender<()>,
}

impl ProxiedServer {
    /// Starts a server with these timeouts for Redis answers and for durable writes.
    pub async fn start(site: &Site, response: Duration, deadline: Duration) -> Self {
        let proxy = Proxy::start(&site.redis.one_node().socket());
        let mut config = site.store.config().clone();
        config.timeouts.redis_connect = response;
        config.timeouts.redis_response = response;
        config.timeouts.write_deadline = deadline;
        config.threads = 1;
        let config = Arc::new(config);
        let store = Store::open(&proxy.url(), Arc::clone(&config)).expect("a valid address");
        let (started, running) = serve(config, store.fork()).await;
        let base = started.base;
        Self {
            proxy,
            store,
            base,
            origin: site.origin.clone(),
            _running: running,
        }
    }

    /// Returns a visitor without a session.
    pub fn visitor(&self) -> Person {
        Person::at(client(), &self.base, &self.origin)
    }

    /// Returns a person of the site in the same browser, but at the second server.
    pub fn take(&self, person: &Person) -> Person {
        let mut here = self.visitor();
        here.login.clone_from(&person.login);
        here.cookies.replace(person.cookies.all());
        here
    }
}
