//! The networks that log-ins come from: those of an address, and those from which a person has logged in before.

use std::{
    fmt,
    net::{IpAddr, Ipv6Addr},
};

use crate::store::prelude::*;

script_calls! {
    NoteNetwork = "note_network"(
        known_networks; network: String, now_ms: u64, max_networks: usize, ttl_s: u64
    );
}

/// Limit of an IPv6 /48, as a multiple of the limit of a /64. It is less than the ten of a login, so that
/// one /48 cannot lock a member out.
const WIDE_NETWORK_FACTOR: u32 = 4;
/// Number of networks of a person that are known.
const MAX_KNOWN_NETWORKS: usize = 20;

impl Store {
    /// Returns whether a person has logged in from a network in their current epoch. One round trip.
    pub(super) async fn is_known_network(&self, of: UserId, network: &str) -> Result<bool> {
        let reads = [
            redis::cmd("HGET").with((keys::auth(of), "epoch")),
            redis::cmd("ZRANGE").with((keys::known_networks(of), 0, -1)),
        ];
        let (epoch, known): (Option<String>, Vec<String>) =
            self.connection.query_tuple(reads).await?;
        Ok(epoch.is_some_and(|epoch| known.contains(&known_network(&epoch, network))))
    }

    /// Notes the network from which a person has logged in. Wrong log-ins of others from elsewhere do not use up the limit
    /// of a known network. The mark of a network is a secret digest, so that no addresses are stored. A new epoch
    /// revokes all.
    pub async fn note_network(&self, of: UserId, epoch: &str, network: &str) -> Result<()> {
        let note = NoteNetwork {
            known_networks: keys::known_networks(of),
            network: known_network(epoch, network),
            now_ms: self.now().await?.0,
            max_networks: MAX_KNOWN_NETWORKS,
            ttl_s: keys::KNOWN_NETWORKS_TTL_S,
        };
        self.connection.execute(note.command()).await
    }
}

/// Returns the text of a network that is known in an epoch.
fn known_network(epoch: &str, network: &str) -> String {
    format!("{epoch}:{network}")
}

/// The network of a client: an IPv4 address, or an IPv6 /48.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Network(IpAddr);

impl Network {
    pub fn of(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(v6) => {
                let [a, b, c, ..] = v6.segments();
                Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0).into()
            }
            v4 => v4,
        })
    }
}

impl fmt::Display for Network {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            IpAddr::V4(v4) => v4.fmt(formatter),
            IpAddr::V6(v6) => {
                let [a, b, c, ..] = v6.segments();
                write!(formatter, "{a:x}-{b:x}-{c:x}")
            }
        }
    }
}

/// Returns the address, or for IPv6 its /64 and its /48, each with the factor of its limit.
pub fn networks(address: IpAddr) -> Vec<(String, u32)> {
    match address.to_canonical() {
        IpAddr::V4(v4) => vec![(v4.to_string(), 1)],
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            vec![
                (format!("{a:x}-{b:x}-{c:x}-{d:x}"), 1),
                (Network::of(address).to_string(), WIDE_NETWORK_FACTOR),
            ]
        }
    }
}

/// Returns the networks that share the spare attempts of a login, each with the factor of its limit: an IPv4 address
/// and its /24, or an IPv6 /48 and its /32. An attacker has many addresses of one such network, rarely many networks.
pub(super) fn sparing_networks(address: IpAddr) -> [(String, u32); 2] {
    match address.to_canonical() {
        IpAddr::V4(v4) => {
            let [a, b, c, _] = v4.octets();
            [(v4.to_string(), 1), (format!("{a}.{b}.{c}"), 4)]
        }
        IpAddr::V6(v6) => {
            let [a, b, c, ..] = v6.segments();
            [
                (format!("{a:x}-{b:x}-{c:x}"), 1),
                (format!("{a:x}-{b:x}"), 16),
            ]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::networks::*;

    #[test]
    fn an_ipv6_address_counts_for_its_64_and_its_48() {
        let of = |text: &str| networks(text.parse().unwrap());
        assert_eq!(of("192.0.2.7"), [("192.0.2.7".to_owned(), 1)]);
        assert_eq!(of("::ffff:192.0.2.7"), of("192.0.2.7"));
        let both = [
            ("2001-db8-1-2".to_owned(), 1),
            ("2001-db8-1".to_owned(), WIDE_NETWORK_FACTOR),
        ];
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), both);
    }
}
