//! The people of a file that is exported: all that a user follows, blocks or mutes.

use std::collections::HashSet;

use crate::{
    domain::{FilePerson, PeopleFile},
    store::prelude::*,
};

/// Number of people who are read at once.
const READ_AT_ONCE: usize = 1000;

impl Store {
    /// Returns all people of a file, in the order in which they were followed, blocked, or their mutes end. The
    /// limits of these relations bound them.
    pub async fn people_of_file(&self, of: UserId, file: PeopleFile) -> Result<Vec<FilePerson>> {
        let now_us = self.now().await?.0 * 1000;
        let (key, from) = match file {
            PeopleFile::Following => (keys::following(of), "-inf".to_owned()),
            PeopleFile::Blocked => (keys::blocked(of), "-inf".to_owned()),
            PeopleFile::Muted => (keys::muted(of), now_us.to_string()),
        };
        let all = redis::cmd("ZRANGE").with((key, from, "+inf", "BYSCORE"));
        let hidden = redis::cmd("ZRANGE").with((keys::hidden_reposts(of), 0, -1));
        let mut answers = self.connection.batch(vec![all, hidden]).await?.into_iter();
        let mut next = || read::<Vec<u64>>(answers.next().unwrap_or_default());
        let (ids, hidden) = (user_ids(next()?), user_ids(next()?));
        let hidden: HashSet<UserId> = hidden.into_iter().collect();
        let mut people = Vec::with_capacity(ids.len());
        for some in ids.chunks(READ_AT_ONCE) {
            let logins = self.logins_of(some).await?;
            for (id, login) in some.iter().zip(logins) {
                people.extend(login.map(|login| FilePerson {
                    login,
                    shows_reposts: !hidden.contains(id),
                }));
            }
        }
        Ok(people)
    }
}
