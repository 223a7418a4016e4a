//! Accounts as the people who run the site see them.

use crate::{
    domain::{Admission, Power, Role, may},
    store::{RecoveryCodes, prelude::*},
};

/// Accounts that are read in one round trip.
const ACCOUNTS_PER_READ: u64 = 200;
/// Round trips for one page. Removed accounts leave gaps, so a page may end early.
const READS_PER_PAGE: usize = 20;
/// Inviters above a person that a page shows. Each takes a round trip.
const MOST_INVITERS: usize = 10;

/// An account as a list of all accounts shows it.
#[derive(Debug, Clone)]
pub struct AccountRecord {
    pub id: UserId,
    pub login: Login,
    pub name: String,
    pub signup: UnixMs,
    pub posts: u64,
    pub followers: u64,
    pub following: u64,
    pub is_private: bool,
    pub is_limited: bool,
    pub role: Option<Role>,
    pub inviter: Option<UserId>,
}

/// The inviter of a person, as a viewer sees them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShownInviter {
    /// To a viewer who may read the administration.
    ToStaff(Login),
    ToEverybody(Login),
}

type Fields = (
    Option<String>,
    Option<String>,
    Option<u64>,
    Option<u64>,
    Option<u64>,
    Option<u64>,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<String>,
);

fn read_command(id: UserId) -> Cmd {
    let fields = redis::cmd("HMGET").with((keys::user(id), "login", "name", "signup"));
    fields.with((
        "posts",
        "followers",
        "following",
        "private",
        "limited",
        "role",
        "admission",
    ))
}

fn record(id: UserId, fields: Fields) -> Option<AccountRecord> {
    let (login, name, signup, posts, followers, following, private, limited, role, admission) =
        fields;
    Some(AccountRecord {
        id,
        login: login.as_deref().and_then(Login::stored)?,
        name: name.unwrap_or_default(),
        signup: UnixMs(signup.unwrap_or_default()),
        posts: posts.unwrap_or_default(),
        followers: followers.unwrap_or_default(),
        following: following.unwrap_or_default(),
        is_private: private.is_some(),
        is_limited: limited.is_some(),
        role: role.and_then(|role| role.parse().ok()),
        inviter: admission.and_then(|text| text.parse::<Admission>().ok()?.inviter()),
    })
}

impl Store {
    /// Returns the accounts with these ids that exist. One round trip.
    pub async fn account_records(&self, ids: &[UserId]) -> Result<Vec<AccountRecord>> {
        let reads = ids.iter().map(|id| read_command(*id));
        let rows: Vec<Fields> = self.connection.query_each(reads).await?;
        let records = ids.iter().zip(rows);
        Ok(records.filter_map(|(id, row)| record(*id, row)).collect())
    }

    /// Returns at most `limit` accounts with smaller ids than the cursor, newest first. Ids ascend with
    /// sign-ups.
    pub async fn accounts_before(
        &self,
        before: Option<Cursor>,
        limit: usize,
    ) -> Result<Page<AccountRecord>> {
        let mut items = Vec::new();
        let mut above = match before {
            Some(cursor) => cursor.get(),
            None => self.last_user().await?.saturating_add(1),
        };
        for _ in 0..READS_PER_PAGE {
            let least = above.saturating_sub(ACCOUNTS_PER_READ).max(1);
            let ids = user_ids((least..above).rev());
            for record in self.account_records(&ids).await? {
                if items.len() == limit {
                    let last = items.last().map(|last: &AccountRecord| last.id.get());
                    let next = last.map(Cursor::before);
                    return Ok(Page { items, next });
                }
                items.push(record);
            }
            above = least;
            if above <= 1 {
                break;
            }
        }
        let next = (above > 1).then(|| Cursor::before(above));
        Ok(Page { items, next })
    }

    /// Returns one page of the accounts that came by an invitation of a person, newest first.
    pub async fn invited_accounts(
        &self,
        of: UserId,
        before: Option<Cursor>,
    ) -> Result<Page<AccountRecord>> {
        let key = keys::invited(of);
        let mut rows = self.edges_before(&key, before, PAGE_SIZE + 1).await?;
        let has_more = rows.len() > PAGE_SIZE;
        rows.truncate(PAGE_SIZE);
        let last = rows.last().map(|(_, score)| Cursor::before(*score as u64));
        let ids = user_ids(rows.iter().map(|(id, _)| *id));
        Ok(Page {
            items: self.account_records(&ids).await?,
            next: last.filter(|_| has_more),
        })
    }

    /// Returns the inviter of a person, if the viewer may know them: those who may read the administration, and
    /// everybody who finds the inviter if the site shows inviters. For others it reads nothing.
    pub async fn inviter_for(
        &self,
        viewer: Viewer,
        person: UserId,
    ) -> Result<Option<ShownInviter>> {
        let power = Power::ReadAdministration;
        let reader = viewer.id();
        let reader = reader.filter(|id| self.known_staff_state().has_power(*id, power));
        let is_public = self.site().await?.shows_inviters;
        if reader.is_none() && !is_public {
            return Ok(None);
        }
        let role = async {
            match reader {
                Some(reader) => self.role(reader).await,
                None => Ok(None),
            }
        };
        let (role, admission) = tokio::try_join!(role, self.admission(person))?;
        let Some(inviter) = admission.and_then(|admission| admission.inviter()) else {
            return Ok(None);
        };
        if may(role, power) {
            let inviter = self.user(inviter).await?;
            return Ok(inviter.map(|user| ShownInviter::ToStaff(user.login)));
        }
        let found = match is_public {
            true => self.people(viewer, &[inviter]).await?.pop(),
            false => None,
        };
        Ok(found.map(|person| ShownInviter::ToEverybody(person.user.login.clone())))
    }

    /// Returns the end of the limits of a newcomer, if the viewer may vouch.
    pub async fn newcomer_for(&self, viewer: Viewer, person: &User) -> Result<Option<UnixMs>> {
        let power = Power::Vouch;
        let reader = viewer.id();
        let Some(reader) = reader.filter(|id| self.known_staff_state().has_power(*id, power))
        else {
            return Ok(None);
        };
        let (role, now) = tokio::try_join!(self.role(reader), self.now())?;
        let until = person.newcomer_until(self.config.limits.new_account_days, now);
        Ok(until.filter(|_| may(role, power)))
    }

    /// Returns the inviter of a person, the inviter of that one, and so on.
    pub async fn inviters_of(&self, person: UserId) -> Result<Vec<AccountRecord>> {
        let mut above: Vec<AccountRecord> = Vec::new();
        let mut inviter = self.admission(person).await?.and_then(|one| one.inviter());
        while let Some(id) = inviter.filter(|_| above.len() < MOST_INVITERS) {
            let Some(record) = self.account_records(&[id]).await?.pop() else {
                break;
            };
            inviter = record.inviter;
            above.push(record);
        }
        Ok(above)
    }

    /// Returns what recovery and sessions of an account consist of. One round trip for each.
    pub async fn account_access(&self, of: UserId) -> Result<AccountAccess> {
        let sessions = self.sessions(of).await?;
        Ok(AccountAccess {
            sessions: sessions.len(),
            last_seen: sessions.iter().map(|session| session.seen).max(),
            recovery_codes: self.recovery_codes(of).await?,
            post_bytes: self.post_bytes(of).await?,
        })
    }
}

/// The sessions, recovery codes and storage of an account.
#[derive(Debug, Clone)]
pub struct AccountAccess {
    pub sessions: usize,
    /// Last use of a session, known to a day.
    pub last_seen: Option<UnixMs>,
    pub recovery_codes: Option<RecoveryCodes>,
    /// Bytes that the posts use.
    pub post_bytes: u64,
}
