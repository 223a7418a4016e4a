//! Hashing and verification of passwords: argon2id on the blocking pool, a bounded number at a time.

use std::sync::Arc;

use argon2::{
    Algorithm, Argon2, Params, Version,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use tokio::sync::Semaphore;

use crate::{domain::Password, memory, store};

/// Passes and lanes of a hash. With 19 MiB of memory they are OWASP's minimum for argon2id.
const PASSES: u32 = 2;
const LANES: u32 = 1;

#[derive(Debug, thiserror::Error)]
pub enum HashError {
    /// Too many log-ins are waiting. Try again.
    #[error("too many passwords are being checked")]
    Busy,
    #[error("hashing failed: {0}")]
    Failed(String),
    #[error(transparent)]
    Store(#[from] store::Error),
}

/// A hasher of passwords. Clones share its limit.
#[derive(Clone)]
pub struct Hasher {
    memory_kib: u32,
    concurrent: usize,
    running: Arc<Semaphore>,
    admitted: Arc<Semaphore>,
}

/// Result of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Wrong,
    Right,
    /// Right, but hashed with weaker parameters than today's.
    RightButOutdated,
}

impl Hasher {
    /// Each hash takes `memory_bytes` of memory. Allows `concurrent` hashes at a time (0: one per core) and `waiting` more in a
    /// queue. Beyond that it returns [`HashError::Busy`].
    pub fn new(memory_bytes: u32, concurrent: usize, waiting: usize) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let concurrent = if concurrent == 0 { cores } else { concurrent };
        Self {
            memory_kib: memory_bytes / 1024,
            concurrent,
            running: Arc::new(Semaphore::new(concurrent)),
            admitted: Arc::new(Semaphore::new(concurrent + waiting)),
        }
    }

    /// Returns the PHC string of a password, with its own salt.
    pub async fn hash(&self, password: &Password) -> Result<String, HashError> {
        let password = password.as_bytes().to_vec();
        let argon2 = self.argon2()?;
        self.run(move || hash_now(&argon2, &password)).await
    }

    /// Compares a password with a PHC string. Without one it compares with a hash that never matches, in
    /// the same time.
    pub async fn verify(&self, password: &[u8], hash: Option<&str>) -> Result<Verdict, HashError> {
        let password = password.to_vec();
        let known = hash.is_some();
        let hash = hash.map_or_else(|| self.nobodys_hash(), str::to_owned);
        let argon2 = self.argon2()?;
        let verdict = self
            .run(move || verify_now(&argon2, &password, &hash))
            .await?;
        Ok(if known { verdict } else { Verdict::Wrong })
    }

    fn argon2(&self) -> Result<Argon2<'static>, HashError> {
        let params = Params::new(self.memory_kib, PASSES, LANES, None).map_err(failed)?;
        Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
    }

    /// Returns a hash that matches no password. Comparing an unknown login with it takes the same time.
    fn nobodys_hash(&self) -> String {
        format!(
            "$argon2id$v=19$m={},t={PASSES},p={LANES}$bm9ib2R5J3Mgc2FsdCEh\
            $AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            self.memory_kib
        )
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, HashError> + Send + 'static,
    ) -> Result<T, HashError> {
        let closed = |_| HashError::Failed("the semaphore is closed".into());
        let _admitted = self.admitted.try_acquire().map_err(|_| HashError::Busy)?;
        // The work owns the permit: a cancelled request does not start another hash.
        let running = self.running.clone().acquire_owned().await.map_err(closed)?;
        let (all, concurrent) = (self.running.clone(), self.concurrent);
        tokio::task::spawn_blocking(move || {
            let done = work();
            drop(running);
            // Another running or waiting hash would use the same memory.
            if all.available_permits() == concurrent {
                memory::give_back();
            }
            done
        })
        .await
        .map_err(|error| HashError::Failed(error.to_string()))?
    }
}

fn hash_now(argon2: &Argon2<'_>, password: &[u8]) -> Result<String, HashError> {
    let hash = argon2.hash_password(password).map_err(failed)?;
    Ok(hash.to_string())
}

fn verify_now(argon2: &Argon2<'_>, password: &[u8], hash: &str) -> Result<Verdict, HashError> {
    let hash = PasswordHash::new(hash).map_err(failed)?;
    if argon2.verify_password(password, &hash).is_err() {
        return Ok(Verdict::Wrong);
    }
    let stored = Params::try_from(&hash).map_err(failed)?;
    let today = argon2.params();
    let outdated = stored.m_cost() < today.m_cost()
        || stored.t_cost() < today.t_cost()
        || stored.p_cost() < today.p_cost();
    Ok(if outdated {
        Verdict::RightButOutdated
    } else {
        Verdict::Right
    })
}

fn failed(error: impl std::fmt::Display) -> HashError {
    HashError::Failed(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::super::passwords::*;

    const MEMORY_KIB: u32 = 19_456;
    const MEMORY_BYTES: u32 = MEMORY_KIB * 1024;

    #[tokio::test]
    async fn a_password_matches_only_its_own_hash() {
        let hasher = Hasher::new(MEMORY_BYTES, 1, 1);
        let hash = hasher
            .hash(&Password::parse("correct horse battery").expect("valid"))
            .await
            .expect("hashed");
        assert!(
            hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{hash}"
        );
        let verify = |password: &'static str| {
            let (hasher, hash) = (hasher.clone(), hash.clone());
            async move {
                hasher
                    .verify(password.as_bytes(), Some(&hash))
                    .await
                    .expect("verified")
            }
        };
        assert_eq!(verify("correct horse battery").await, Verdict::Right);
        assert_eq!(verify("Correct horse battery").await, Verdict::Wrong);
    }

    #[test]
    fn the_dummy_hash_costs_as_much_as_a_real_hash() {
        let hash = Hasher::new(MEMORY_BYTES, 1, 1).nobodys_hash();
        let hash = PasswordHash::new(&hash).expect("a PHC string");
        let params = Params::try_from(&hash).expect("argon2's parameters");
        let cost = (params.m_cost(), params.t_cost(), params.p_cost());
        assert_eq!(cost, (MEMORY_KIB, PASSES, LANES));
        assert_eq!(hash.hash.expect("an output").len(), 32);
    }

    #[tokio::test]
    async fn no_password_matches_a_missing_user() {
        let verdict = Hasher::new(MEMORY_BYTES, 1, 1)
            .verify(b"", None)
            .await
            .expect("verified");
        assert_eq!(verdict, Verdict::Wrong);
    }

    #[tokio::test]
    async fn a_matching_weak_hash_is_reported_as_outdated() {
        let weak = Argon2::new(
            Algorithm::Argon2id,
            Version::V0x13,
            Params::new(8, 1, 1, None).expect("params"),
        );
        let hash = weak
            .hash_password(b"an old password")
            .expect("hashed")
            .to_string();
        let verdict = Hasher::new(MEMORY_BYTES, 1, 1)
            .verify(b"an old password", Some(&hash))
            .await
            .expect("verified");
        assert_eq!(verdict, Verdict::RightButOutdated);
    }

    #[tokio::test]
    async fn hashing_beyond_the_queue_limit_is_refused_as_busy() {
        let hasher = Hasher::new(MEMORY_BYTES, 1, 0);
        let password = Password::parse("correct horse battery").expect("valid");
        let (first, second) = futures_util::join!(hasher.hash(&password), hasher.hash(&password));
        assert!(first.is_ok());
        assert!(matches!(second, Err(HashError::Busy)));
    }
}
