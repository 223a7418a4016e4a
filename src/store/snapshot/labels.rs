//! Labels: the logins and names by which people know the owners of keys.

use crate::store::prelude::*;

/// The label of a user, a status or a list.
#[derive(Debug, Clone, Default)]
pub struct Label {
    /// The login of the user, the author or the owner.
    pub login: Option<String>,
    pub list_name: Option<String>,
}

impl Store {
    /// Returns labels for a user, a status or the members of a list each. One round trip.
    pub async fn labels(&self, of: &[Key]) -> Result<Vec<Label>> {
        let reads = of.iter().flat_map(|key| {
            let (owner, list) = match key {
                Key::ListMembers(list) => {
                    let name = redis::cmd("HGET").with(keys::lists(list.owner));
                    (keys::user(list.owner), Some(name.with(list.number.get())))
                }
                other => (other.name(), None),
            };
            let login = redis::cmd("HGET").with((owner, "login"));
            [Some(login), list].into_iter().flatten()
        });
        let answers = self.connection.batch(reads.collect()).await?;
        let mut answers = answers.into_iter();
        let mut next = || read::<Option<String>>(answers.next().unwrap_or_default());
        let mut labels = Vec::with_capacity(of.len());
        for key in of {
            let login = next()?;
            let list = match key {
                Key::ListMembers(_) => next()?,
                _ => None,
            };
            let list_name = list.and_then(|list| Some(list.split_once(':')?.1.to_owned()));
            labels.push(Label { login, list_name });
        }
        Ok(labels)
    }
}
