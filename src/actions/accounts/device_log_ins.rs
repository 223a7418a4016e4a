//! The log-in on another device: the first device makes a link, the other opens it and shows a code, and the first one
//! confirms that code. Then the other logs in.

use crate::{
    actions::{accounts::Credentials, prelude::*},
    domain::SecretLink,
    store::{ConfirmDeviceOutcome, FinishDeviceOutcome, OfferDeviceOutcome},
};

/// Digits of the code that the other device shows.
const CODE_DIGITS: usize = 6;

/// The secret of the device that opened a link, and the code that it shows.
#[derive(Debug, Clone)]
pub struct ClaimedDevice {
    pub secret: SecretLink,
    pub code: String,
}

/// The answer to a device that wants to go on.
#[derive(Debug)]
pub enum Entrance {
    Entered(Credentials),
    /// The device is not confirmed yet. It shows this code.
    Waiting(String),
    Gone,
}

/// Makes a link for another device. It replaces the link before. `None` if the account is gone.
pub async fn offer(store: &Store, actor: &Actor) -> Result<Option<SecretLink>> {
    let link = SecretLink::draw(actor.id());
    let call = store.begin().await?;
    let offered = store.offer_device(&call, actor, link.digest()).await;
    let offered = call.finish(offered).await?;
    Ok((offered == OfferDeviceOutcome::Offered).then_some(link))
}

/// Binds a link to the device that opened it, which names itself by `agent`. `None` if the link is gone, or another
/// device has it.
pub async fn claim(
    store: &Store,
    link: &SecretLink,
    agent: String,
) -> Result<Option<ClaimedDevice>> {
    let secret = SecretLink::draw(link.user);
    let number = rand::random_range(0..10_u32.pow(6));
    let code = format!("{number:0CODE_DIGITS$}");
    let call = store.begin().await?;
    let device = (secret.digest(), code.clone(), agent);
    let claimed = store
        .claim_device(&call, link.user, link.digest(), device)
        .await;
    let is_claimed = call.finish(claimed).await?;
    Ok(is_claimed.then_some(ClaimedDevice { secret, code }))
}

/// Confirms the device that shows this code.
pub async fn confirm(store: &Store, actor: &Actor, code: &str) -> Result<ConfirmDeviceOutcome> {
    let digits: String = code.chars().filter(char::is_ascii_digit).collect();
    let call = store.begin().await?;
    let confirmed = store.confirm_device(&call, actor, &digits).await;
    call.finish(confirmed).await
}

/// Uses up the link of a confirmed device. For a minute, a repeated call of the same device enters too, unless a session
/// of the person was ended meanwhile: the first answer can be lost.
pub async fn enter(store: &Store, secret: &SecretLink) -> Result<Entrance> {
    let uid = secret.user;
    let call = store.begin().await?;
    let finished = store.finish_device(&call, uid, secret.digest()).await;
    Ok(match call.finish(finished).await? {
        FinishDeviceOutcome::Entered { epoch } => Entrance::Entered(Credentials { uid, epoch }),
        FinishDeviceOutcome::Waiting { code } => Entrance::Waiting(code),
        FinishDeviceOutcome::Gone => Entrance::Gone,
    })
}
