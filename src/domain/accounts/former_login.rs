//! Logins that a person had before. For a year each leads to the person, and no one else can ever have it.

use crate::domain::{Login, UnixMs};

/// A login that a person had before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormerLogin {
    pub login: Login,
    /// Time until which it leads to the person.
    pub until: UnixMs,
}

/// The former logins of a person, oldest first. Stored as one `<login> <until in ms>` a line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FormerLogins(Vec<FormerLogin>);

impl FormerLogins {
    /// Number of former logins that a person can have.
    pub const MAX: usize = 20;
    /// Time for which a former login leads to the person.
    pub const REDIRECT_MS: u64 = 365 * 24 * 60 * 60 * 1000;

    /// Parses the stored text. Lines that cannot be read are left out.
    pub fn stored(text: Option<&str>) -> Self {
        let line = |line: &str| {
            let (login, until) = line.split_once(' ')?;
            Some(FormerLogin {
                login: Login::stored(login)?,
                until: UnixMs(until.parse().ok()?),
            })
        };
        Self(text.unwrap_or_default().lines().filter_map(line).collect())
    }

    pub fn iter(&self) -> impl Iterator<Item = &FormerLogin> {
        self.0.iter()
    }

    /// Returns whether it is a former login of the person, also after the year.
    pub fn contains(&self, login: &Login) -> bool {
        self.0.iter().any(|former| former.login.is_same(login))
    }

    /// Returns whether a login leads to the person at a time.
    pub fn lead(&self, login: &Login, now: UnixMs) -> bool {
        let is_it = |former: &FormerLogin| former.login.is_same(login) && now < former.until;
        self.0.iter().any(is_it)
    }

    /// Returns the memory that it takes.
    pub fn bytes(&self) -> usize {
        let texts = self.0.iter().map(|former| former.login.as_str().len());
        self.0.capacity() * size_of::<FormerLogin>() + texts.sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn login(text: &str) -> Login {
        Login::stored(text).expect("valid")
    }

    #[test]
    fn a_former_login_leads_until_its_time_and_belongs_to_the_person_for_ever() {
        let former = FormerLogins::stored(Some("Robin_7 500\nnot a line\nrob 900"));
        assert_eq!(former.iter().count(), 2);
        assert!(former.lead(&login("robin_7"), UnixMs(499)));
        assert!(!former.lead(&login("robin_7"), UnixMs(500)));
        assert!(former.contains(&login("ROBIN_7")));
        assert!(former.lead(&login("rob"), UnixMs(500)));
        assert!(!former.contains(&login("robin")));
        assert_eq!(FormerLogins::stored(None), FormerLogins::default());
    }
}
