//! The log-in on another device by a link and a QR code.

pub(super) mod handlers;
mod qr_code;
mod view;
