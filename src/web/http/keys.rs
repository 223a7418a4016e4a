//! The site's secret key, from the configuration or the data directory, and the keys derived from
//! it. Each purpose has its own key, so tokens cannot be mixed up.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Read, Write},
    os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt},
    path::Path,
};

use actix_web::cookie::Key;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::{config::Config, domain::hex};

const SECRET_BYTES: usize = 32;
const FILE: &str = "secret.key";

type Secret = [u8; SECRET_BYTES];

/// Keys to encrypt cookies, and to sign forms, device cookies and the posts and messages in a report form.
#[derive(Clone)]
pub struct Keys {
    pub session: Key,
    pub csrf: [u8; 32],
    pub device: [u8; 32],
    pub report: [u8; 32],
    /// Token of the link that sets the site up.
    pub set_up: [u8; 32],
}

impl Keys {
    /// Returns the token of the link that sets the site up. All processes with this key have the same.
    pub fn set_up_token(&self) -> String {
        hex(&self.set_up)
    }
}

/// Returns the keys of this site, the same after every start. An error says how to fix it: the configured
/// key is not 64 hexadecimal digits, the key file cannot be read or created, or others can read it.
pub fn load_or_create(config: &Config) -> io::Result<Keys> {
    let secret = match &config.secret_key {
        Some(configured) => parse(configured.reveal()).ok_or_else(|| {
            malformed("REDWING_SECRET_KEY must be 64 hexadecimal digits: openssl rand -hex 32")
        }),
        None => read_or_create(&config.data_dir),
    }?;
    Ok(derive(&secret))
}

fn read_or_create(data_dir: &Path) -> io::Result<Secret> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(data_dir)
        .map_err(|error| at(data_dir, &error))?;
    let path = data_dir.join(FILE);
    match read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => create(&path),
        read => read,
    }
}

fn read(path: &Path) -> io::Result<Secret> {
    let mut file = File::open(path).map_err(|error| at(path, &error))?;
    let found = file.metadata().map_err(|error| at(path, &error))?;
    let shown = path.display();
    if found.mode() & 0o077 != 0 {
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            format!("{shown} can be read by others: chmod 600 {shown}"),
        ));
    }
    let mut text = String::new();
    file.read_to_string(&mut text)
        .map_err(|error| at(path, &error))?;
    parse(text.trim()).ok_or_else(|| {
        malformed(format!(
            "{shown} must hold 64 hexadecimal digits; remove it to create a new key, which logs out all users"
        ))
    })
}

/// Creates the file under another name and links it into place, so that two processes that start
/// together use the same key.
fn create(path: &Path) -> io::Result<Secret> {
    let secret: Secret = rand::random();
    let aside = path.with_extension(format!("{:016x}", rand::random::<u64>()));
    write(&aside, &secret).map_err(|error| at(&aside, &error))?;
    let linked = fs::hard_link(&aside, path);
    fs::remove_file(&aside).map_err(|error| at(&aside, &error))?;
    match linked {
        Ok(()) => Ok(secret),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => read(path),
        Err(error) => Err(at(path, &error)),
    }
}

fn write(path: &Path, secret: &Secret) -> io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)?;
    writeln!(file, "{}", hex(secret))?;
    file.sync_all()
}

fn parse(text: &str) -> Option<Secret> {
    if text.len() != 2 * SECRET_BYTES || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let mut secret = [0; SECRET_BYTES];
    for (byte, digits) in secret.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        *byte = u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()?;
    }
    Some(secret)
}

fn malformed(reason: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason.into())
}

/// Adds the file's path to the error.
fn at(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

fn derive(secret: &Secret) -> Keys {
    let signing = mac(secret, &[b"session signing"]);
    let encryption = mac(secret, &[b"session encryption"]);
    Keys {
        session: Key::from(&[signing, encryption].concat()),
        csrf: mac(secret, &[b"csrf"]),
        device: mac(secret, &[b"device"]),
        report: mac(secret, &[b"report"]),
        set_up: mac(secret, &[b"set up"]),
    }
}

/// Computes HMAC-SHA256 over the concatenated parts.
pub(in crate::web) fn mac(key: &[u8; 32], parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::super::keys::*;

    #[test]
    fn the_key_file_is_private_and_survives_a_restart() {
        let dir = tempfile::tempdir().unwrap();
        let first = read_or_create(dir.path()).unwrap();
        assert_eq!(read_or_create(dir.path()).unwrap(), first);
        let mode = fs::metadata(dir.path().join(FILE))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_malformed_key_is_refused() {
        assert!(parse("abcd").is_none());
        assert!(parse(&"g".repeat(64)).is_none());
        assert!(parse(&"ab".repeat(32)).is_some());
    }
}
