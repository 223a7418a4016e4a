//! The site in a real browser: headless Chromium, driven through WebDriver.

mod buttons;
mod chromium;
mod composer;
mod counter;
mod dead_connection;
mod drafts;
mod fields;
mod first_paint;
mod flows;
mod frozen;
mod identity;
mod keyboard;
mod layout;
mod live;
mod mentions;
mod menus;
mod messages;
mod network;
mod newer;
mod notifications;
mod offline;
mod polls;
mod print;
mod replies;
mod theme;
