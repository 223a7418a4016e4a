//! `redwing check`: every invariant broken on purpose, found and mended; a busy site found in order;
//! the command line; the scrub.

mod breakages;
mod busy;
mod command;
mod damage;
mod scene;
mod scrub;
