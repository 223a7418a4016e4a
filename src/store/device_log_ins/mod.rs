//! The log-in on another device: a link of four minutes, the device that opened it, and its confirmation. All lies in
//! one key in the slot of the person, so each step is exact.

use crate::store::prelude::*;

script_calls! {
    ClaimDevice = "claim_device"(
        device_log_in; deadline_ms: u64, link: String, device: String, code: String, agent: String
    );
    ConfirmDevice = "confirm_device"(
        device_log_in, auth; deadline_ms: u64, code: String, max_tries: u32, session_epoch: String
    );
    FinishDevice = "finish_device"(
        device_log_in, auth; deadline_ms: u64, device: String, repeat_s: u64
    );
    OfferDevice = "offer_device"(
        device_log_in, auth; deadline_ms: u64, link: String, ttl_s: u64, session_epoch: String
    );
}

/// Lifetime of a link, in seconds.
pub const DEVICE_LINK_S: u64 = 240;
/// Time in which a device that logged in can send its form again, in seconds. A log-out ends it.
const REPEAT_S: u64 = 60;
/// Number of wrong codes after which a link is deleted.
const MAX_TRIES: u32 = 5;

outcomes! {
    pub enum OfferDeviceOutcome {
        Offered = "offered",
        Unknown = "unknown_user",
    }
}

outcomes! {
    pub enum ConfirmDeviceOutcome {
        Confirmed = "confirmed",
        Wrong = "wrong",
        /// No device waits: the link has expired or was not opened.
        Gone = "gone",
    }
}

/// The state of a link, as the first device sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeviceLink {
    /// No device has opened it.
    Offered,
    /// A device shows a code. It names itself like this.
    Claimed { agent: String },
    /// The device can log in.
    Confirmed,
}

/// The answer to a device that wants to go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FinishDeviceOutcome {
    /// The link is used up, by this call or an earlier one. The session begins in this epoch.
    Entered {
        epoch: String,
    },
    /// The device is not confirmed yet. It shows this code.
    Waiting {
        code: String,
    },
    Gone,
}

impl Store {
    /// Stores the link by which another device logs in.
    pub async fn offer_device(
        &self,
        call: &Call,
        actor: &Actor,
        link: String,
    ) -> Result<OfferDeviceOutcome> {
        let offer = OfferDevice {
            device_log_in: keys::device_log_in(actor.id()),
            auth: keys::auth(actor.id()),
            deadline_ms: call.deadline(),
            link,
            ttl_s: DEVICE_LINK_S,
            session_epoch: actor.epoch().to_owned(),
        };
        self.connection.run(&offer).await
    }

    /// Returns the state of the link of a person.
    pub async fn device_link(&self, of: UserId) -> Result<Option<DeviceLink>> {
        let fields = ["link", "agent", "confirmed", "entered"];
        let read = redis::cmd("HMGET").with((keys::device_log_in(of), &fields[..]));
        let [link, agent, confirmed, entered]: [Option<String>; 4] =
            self.connection.query(read).await?;
        let open = link.filter(|_| entered.is_none());
        Ok(open.map(|_| match (agent, confirmed) {
            (_, Some(_)) => DeviceLink::Confirmed,
            (Some(agent), None) => DeviceLink::Claimed { agent },
            (None, None) => DeviceLink::Offered,
        }))
    }

    /// Returns whether a link is valid and no device has claimed it.
    pub async fn is_device_link_open(&self, of: UserId, link: &str) -> Result<bool> {
        let read = redis::cmd("HMGET").with((keys::device_log_in(of), "link", "device"));
        let (own, device): (Option<String>, Option<String>) = self.connection.query(read).await?;
        Ok(device.is_none() && own.as_deref() == Some(link))
    }

    /// Returns whether a device with this secret has claimed the link of a person.
    pub async fn has_claimed_link(&self, of: UserId, device: &str) -> Result<bool> {
        let read = redis::cmd("HGET").with((keys::device_log_in(of), "device"));
        let claimed_by: Option<String> = self.connection.query(read).await?;
        Ok(claimed_by.as_deref() == Some(device))
    }

    /// Binds a link to a device, which shows the code. Returns `false` if the link is gone or claimed.
    pub async fn claim_device(
        &self,
        call: &Call,
        of: UserId,
        link: String,
        (device, code, agent): (String, String, String),
    ) -> Result<bool> {
        let claim = ClaimDevice {
            device_log_in: keys::device_log_in(of),
            deadline_ms: call.deadline(),
            link,
            device,
            code,
            agent,
        };
        self.connection.succeeds(&claim, ["claimed", "gone"]).await
    }

    /// Confirms the device that shows the code.
    pub async fn confirm_device(
        &self,
        call: &Call,
        actor: &Actor,
        code: &str,
    ) -> Result<ConfirmDeviceOutcome> {
        let confirm = ConfirmDevice {
            device_log_in: keys::device_log_in(actor.id()),
            auth: keys::auth(actor.id()),
            deadline_ms: call.deadline(),
            code: code.to_owned(),
            max_tries: MAX_TRIES,
            session_epoch: actor.epoch().to_owned(),
        };
        self.connection.run(&confirm).await
    }

    /// Uses up the link of a confirmed device.
    pub async fn finish_device(
        &self,
        call: &Call,
        of: UserId,
        device: String,
    ) -> Result<FinishDeviceOutcome> {
        let finish = FinishDevice {
            device_log_in: keys::device_log_in(of),
            auth: keys::auth(of),
            deadline_ms: call.deadline(),
            device,
            repeat_s: REPEAT_S,
        };
        let reply: Vec<String> = self.connection.query(finish.command()).await?;
        match reply.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["entered", epoch] => Ok(FinishDeviceOutcome::Entered {
                epoch: epoch.to_owned(),
            }),
            ["waiting", code] => Ok(FinishDeviceOutcome::Waiting {
                code: code.to_owned(),
            }),
            ["gone"] => Ok(FinishDeviceOutcome::Gone),
            _ => Err(FinishDevice::SCRIPT.undocumented(format!("{reply:?}"))),
        }
    }

    /// Ends the link of a person.
    pub async fn cancel_device(&self, of: UserId) -> Result<()> {
        let drop = redis::cmd("DEL").with(keys::device_log_in(of));
        self.connection.execute(drop).await
    }
}
