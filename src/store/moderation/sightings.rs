//! What the shields against spam have seen in the last hour: copies of a text, mentioned people, sign-ups of a network.

use std::{collections::BTreeSet, net::IpAddr};

use sha1_smol::Sha1;

use super::calls::NoteSightings;
use crate::store::prelude::*;

/// Time after which sightings are forgotten, in seconds.
const SIGHTINGS_TTL_S: u64 = 3600;
/// Sightings of one thing that are kept.
pub const MAX_SIGHTINGS: usize = 50;
/// Bits of an address that name its network.
const NETWORK_BYTES_V4: usize = 3;
const NETWORK_BYTES_V6: usize = 6;

/// Returns a digest of a mentioned person, because only their number counts. So a deleted account leaves no id here.
fn digest(author: UserId, mentioned: UserId) -> String {
    let pair = format!("{author} mentions {mentioned}");
    Sha1::from(pair).hexdigest()
}

impl Store {
    /// Notes that a person posted a text with this digest, and returns the authors and posts that have it.
    pub async fn note_copy(
        &self,
        digest: &str,
        author: UserId,
        post: StatusId,
    ) -> Result<Vec<(UserId, StatusId)>> {
        let seen = keys::seen("text", digest);
        let seen = self.note_sightings(seen, vec![format!("{author}:{post}")]);
        let copy = |member: &String| {
            let (author, post) = member.split_once(':')?;
            Some((author.parse().ok()?, post.parse().ok()?))
        };
        Ok(seen.await?.iter().filter_map(copy).collect())
    }

    /// Notes that a person mentions others, and returns the number of people that they have mentioned.
    pub async fn note_mentioned(&self, author: UserId, mentioned: &[UserId]) -> Result<usize> {
        let seen = keys::seen("mentions", &author.to_string());
        let mentioned = mentioned.iter().map(|person| digest(author, *person));
        let mentioned = mentioned.collect();
        Ok(self.note_sightings(seen, mentioned).await?.len())
    }

    /// Notes the sign-up of a person, and returns the people who signed up from that network.
    pub async fn note_sign_up(&self, from: IpAddr, person: UserId) -> Result<BTreeSet<UserId>> {
        let network: Vec<u8> = match from.to_canonical() {
            IpAddr::V4(v4) => v4.octets()[..NETWORK_BYTES_V4].to_vec(),
            IpAddr::V6(v6) => v6.octets()[..NETWORK_BYTES_V6].to_vec(),
        };
        let seen = keys::seen("sign_ups", &crate::domain::hex(&network));
        let seen = self.note_sightings(seen, vec![person.to_string()]).await?;
        let seen = seen.iter().filter_map(|id| id.parse().ok());
        Ok(seen.chain([person]).collect())
    }

    async fn note_sightings(&self, seen: String, members: Vec<String>) -> Result<Vec<String>> {
        let note = NoteSightings {
            seen,
            ttl_s: SIGHTINGS_TTL_S,
            max_seen: MAX_SIGHTINGS,
            members,
        };
        self.connection.query(note.command()).await
    }
}
