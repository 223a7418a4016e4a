//! `redwing check`: every invariant is broken on purpose, found and repaired. Also a busy site
//! without faults, the command line, and the scrub.

mod breakages;
mod busy;
mod command;
mod damage;
mod data_copy;
mod repaired;
mod restarts;
mod scene;
mod scrub;
