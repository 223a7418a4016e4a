//! The site in a real browser: headless Chromium, driven through WebDriver.

mod chromium;
mod counter;
mod drafts;
mod flows;
mod layout;
