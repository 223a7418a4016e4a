//! What several connections have read of the same key is one in memory, with all that pages made of it,
//! as long as it is equal: each thread has a cache of its own ([`super::cache`]), and what they keep is
//! mostly the same.

use std::{
    hash::BuildHasher,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use foldhash::fast::RandomState;

use super::cache::{Name, Row};

/// How many rows of a kind are known at most. Of one that nobody holds any more its place keeps a shell
/// without text, until another row comes to that place.
const PLACES: usize = 4096;

/// The rows of one kind that were given out last, as far as somebody holds them.
pub(super) struct Twins<R> {
    places: Box<[Mutex<Weak<R>>]>,
    hasher: RandomState,
}

impl<R> Default for Twins<R> {
    fn default() -> Self {
        Self {
            places: (0..PLACES).map(|_| Mutex::default()).collect(),
            hasher: RandomState::default(),
        }
    }
}

impl<R: Row + PartialEq> Twins<R> {
    /// The row that is held elsewhere under this name, where it is equal; else this one, which others
    /// find from now on.
    pub(super) fn one_of(&self, name: Name, row: R) -> Arc<R> {
        let place = self.hasher.hash_one(name) % PLACES as u64;
        let place = &self.places[usize::try_from(place).unwrap_or_default()];
        let mut known = place.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(twin) = known.upgrade().filter(|twin| **twin == row) {
            return twin;
        }
        let row = Arc::new(row);
        *known = Arc::downgrade(&row);
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        domain::{Login, UserId},
        store::{Shown, UnixMs, User},
    };

    fn user(name: &str) -> User {
        User {
            id: UserId::new(7).expect("in range"),
            login: Login::parse("alice").expect("a login"),
            name: name.to_owned(),
            bio: String::new(),
            signup: UnixMs(0),
            posts: 0,
            followers: 0,
            following: 0,
            shown_avatar: Shown::default(),
            shown_byline: Shown::default(),
            shown_row: Shown::default(),
        }
    }

    #[test]
    fn rows_that_are_equal_are_one_with_what_was_made_of_them() {
        let twins = Twins::default();
        let name = Name::User(user("Alice").id);
        let one = twins.one_of(name, user("Alice"));
        one.shown_byline.or_make(|| "made once".to_owned());
        let other = twins.one_of(name, user("Alice"));
        assert!(Arc::ptr_eq(&one, &other));
        let made = other.shown_byline.or_make(|| "made twice".to_owned());
        assert_eq!(made, "made once");
    }

    #[test]
    fn a_row_that_has_changed_is_another_and_the_one_that_is_found_from_then_on() {
        let twins = Twins::default();
        let name = Name::User(user("Alice").id);
        let old = twins.one_of(name, user("Alice"));
        let new = twins.one_of(name, user("Alicia"));
        assert_eq!(new.name, "Alicia");
        assert_eq!(old.name, "Alice");
        assert!(Arc::ptr_eq(&new, &twins.one_of(name, user("Alicia"))));
    }

    #[test]
    fn a_row_that_nobody_holds_is_gone() {
        let twins = Twins::default();
        let name = Name::User(user("Alice").id);
        let row = Arc::downgrade(&twins.one_of(name, user("Alice")));
        assert!(row.upgrade().is_none());
    }
}
