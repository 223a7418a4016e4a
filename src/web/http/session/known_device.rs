//! Known devices: browsers that a person has logged in on before, by a signed cookie. Their log-ins have a
//! limit of their own, so log-ins of others cannot lock the person out. The password is still needed.

use actix_web::HttpMessage;
use subtle::ConstantTimeEq;

use super::visitor::Visitor;
use crate::{
    actions::accounts::Credentials,
    domain::{Login, UserId, hex},
    store::Network,
    web::http::{client, errors::Result, keys},
};

/// Digits of the mark of a network.
const MARK_DIGITS: usize = 32;

/// The new device cookie that this response sets.
pub struct NewDevice(pub String);

/// A device on which its owner has logged in in their current epoch.
pub struct KnownDevice {
    pub owner: UserId,
    pub id: String,
}

/// The content of a device cookie: `<uid>.<device id>.<signature>`. The signature covers the epoch, so a
/// new password and "log out everywhere" revoke it.
struct Device<'a> {
    uid: UserId,
    device_id: &'a str,
    signature: &'a str,
}

impl<'a> Device<'a> {
    fn parse(cookie: &'a str) -> Option<Self> {
        let (uid, rest) = cookie.split_once('.')?;
        let (device_id, signature) = rest.split_once('.')?;
        Some(Self {
            uid: uid.parse().ok()?,
            device_id,
            signature,
        })
    }

    /// Returns whether this site signed the cookie in this epoch, in constant time.
    fn is_genuine(&self, key: &[u8; 32], epoch: &str) -> bool {
        sign(key, self.uid, self.device_id, epoch)
            .as_bytes()
            .ct_eq(self.signature.as_bytes())
            .into()
    }
}

fn sign(key: &[u8; 32], uid: UserId, device_id: &str, epoch: &str) -> String {
    let uid = uid.to_string();
    let parts = [uid.as_str(), ".", device_id, ".", epoch].map(str::as_bytes);
    hex(&keys::mac(key, &parts))
}

impl Visitor {
    /// Makes this browser a known device of the person who has just proved their password or session, and its network a
    /// known network. The log-in succeeds also if Redis cannot note the network.
    pub async fn remember_device(&self, Credentials { uid, epoch }: &Credentials) {
        let device_id = format!("{:032x}", rand::random::<u128>());
        let signature = sign(&self.app().site.keys.device, *uid, &device_id, epoch);
        let device = NewDevice(format!("{uid}.{device_id}.{signature}"));
        self.request().extensions_mut().insert(device);
        let (store, network) = (&self.app().store, self.network_mark());
        if let Err(error) = store.note_network(*uid, epoch, &network).await {
            tracing::debug!(%error, "a network stays unknown");
        }
    }

    /// Returns the mark of the network of the client. Without the key of the site it leads to no address.
    pub fn network_mark(&self) -> String {
        let site = &self.app().site;
        let address = client::address(self.request(), &site.config.trusted_proxies);
        let network = Network::of(address).to_string();
        let parts = ["network", ".", &network].map(str::as_bytes);
        let mut mark = hex(&keys::mac(&site.keys.device, &parts));
        mark.truncate(MARK_DIGITS);
        mark
    }

    /// Returns this device if the owner of the login has logged in on it in their current epoch.
    pub async fn known_device(&self, login: &str) -> Result<Option<KnownDevice>> {
        let (store, site) = (&self.app().store, &self.app().site);
        let cookie = self.request().cookie(site.cookies.device_name());
        let device = cookie
            .as_ref()
            .and_then(|cookie| Device::parse(cookie.value()));
        let (Some(device), Some(login)) = (device, Login::stored(login)) else {
            return Ok(None);
        };
        if store.holder(&login).await? != Some(device.uid) {
            return Ok(None);
        }
        let auth = store.auth(device.uid).await?;
        let is_known = auth.is_some_and(|auth| device.is_genuine(&site.keys.device, &auth.epoch));
        Ok(is_known.then(|| KnownDevice {
            owner: device.uid,
            id: device.device_id.to_owned(),
        }))
    }
}
