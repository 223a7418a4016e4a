//! The address of the client: the peer, or behind a trusted proxy the address that the proxy names.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Once,
};

use actix_web::HttpRequest;
use ipnet::IpNet;

use crate::{store::Network, web::AppState};

const X_FORWARDED_FOR: &str = "x-forwarded-for";

/// Returns the address that rate limits count.
pub fn address(request: &HttpRequest, trusted: &[IpNet]) -> IpAddr {
    let peer = request.peer_addr().map(|peer| peer.ip().to_canonical());
    let forwarded = request
        .headers()
        .get_all(X_FORWARDED_FOR)
        .filter_map(|value| value.to_str().ok())
        .collect::<Vec<_>>()
        .join(",");
    if is_header_ignored(peer, &forwarded, trusted) {
        static SAID: Once = Once::new();
        SAID.call_once(|| {
            tracing::warn!(
                "a proxy on this machine sends X-Forwarded-For and is not believed, so that all its \
                 visitors share one rate limit: set REDWING_TRUSTED_PROXIES to its network"
            );
        });
    }
    behind_proxies(peer, &forwarded, trusted)
}

/// Returns the network of the client.
pub(super) fn network(request: &HttpRequest) -> Network {
    let trusted = &AppState::of(request).site.config.trusted_proxies;
    Network::of(address(request, trusted))
}

/// Returns whether a process on this machine sends X-Forwarded-For although no proxy is configured.
fn is_header_ignored(peer: Option<IpAddr>, forwarded: &str, trusted: &[IpNet]) -> bool {
    trusted.is_empty() && !forwarded.is_empty() && peer.is_some_and(|peer| peer.is_loopback())
}

/// Returns the rightmost address that is not a trusted proxy. A peer without an address uses the
/// unix socket, which only a proxy on this machine can reach.
fn behind_proxies(peer: Option<IpAddr>, forwarded: &str, trusted: &[IpNet]) -> IpAddr {
    let is_trusted = |address: &IpAddr| trusted.iter().any(|network| network.contains(address));
    let mut nearest = peer.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    if peer.is_some_and(|peer| !is_trusted(&peer)) {
        return nearest;
    }
    for entry in forwarded.rsplit(',') {
        let Some(address) = parse_forwarded_address(entry.trim()) else {
            break;
        };
        nearest = address.to_canonical();
        if !is_trusted(&nearest) {
            break;
        }
    }
    nearest
}

/// Parses an address as proxies write it: plain, in brackets, or with a port.
fn parse_forwarded_address(entry: &str) -> Option<IpAddr> {
    let bare = entry
        .strip_prefix('[')
        .and_then(|entry| entry.strip_suffix(']'))
        .unwrap_or(entry);
    bare.parse().ok().or_else(|| {
        let with_port: SocketAddr = entry.parse().ok()?;
        Some(with_port.ip())
    })
}

#[cfg(test)]
mod tests {
    use super::super::client::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn proxies() -> Vec<IpNet> {
        ["10.0.0.0/8", "127.0.0.1/32"]
            .map(|network| network.parse().unwrap())
            .into()
    }

    #[test]
    fn the_client_is_the_rightmost_address_that_is_not_a_trusted_proxy() {
        for (peer, forwarded, client) in [
            // An untrusted peer is the client, whatever it forwards.
            ("203.0.113.9", "198.51.100.1", "203.0.113.9"),
            (
                "127.0.0.1",
                "1.1.1.1, 198.51.100.1, 10.1.2.3",
                "198.51.100.1",
            ),
            // A malformed address stops the search.
            ("10.0.0.1", "1.1.1.1, unknown", "10.0.0.1"),
            ("10.0.0.1", "203.0.113.9:5678", "203.0.113.9"),
            ("10.0.0.1", "[2001:db8::1]:9", "2001:db8::1"),
            ("10.0.0.1", "[2001:db8::1]", "2001:db8::1"),
            ("10.0.0.1", "::ffff:203.0.113.9", "203.0.113.9"),
        ] {
            let found = behind_proxies(Some(ip(peer)), forwarded, &proxies());
            assert_eq!(found, ip(client), "{peer}, {forwarded}");
        }
    }

    #[test]
    fn a_unix_socket_is_always_a_proxy() {
        for (forwarded, client) in [("198.51.100.1", "198.51.100.1"), ("", "127.0.0.1")] {
            assert_eq!(behind_proxies(None, forwarded, &[]), ip(client));
        }
    }

    #[test]
    fn an_unconfigured_proxy_is_detected() {
        let local = Some(ip("127.0.0.1"));
        assert!(is_header_ignored(local, "198.51.100.1", &[]));
        assert!(!is_header_ignored(local, "", &[]));
        assert!(!is_header_ignored(local, "198.51.100.1", &proxies()));
        assert!(!is_header_ignored(
            Some(ip("203.0.113.9")),
            "198.51.100.1",
            &[]
        ));
    }
}
