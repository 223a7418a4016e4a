//! A process of a site that is struck: started again as often as it is killed, with one log.

use std::{
    fs::OpenOptions,
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use crate::support::{
    leftovers,
    process::{Home, signal},
};

/// One process, again and again. It is killed with the value that owns it.
pub struct Part {
    name: &'static str,
    command: Command,
    child: Option<Child>,
    /// Where it is noted which process it is.
    note: PathBuf,
}

impl Part {
    /// One whose output goes to the log of that name.
    pub fn new(name: &'static str, mut command: Command, home: &Home) -> Self {
        let log = OpenOptions::new()
            .create(true)
            .append(true)
            .open(home.outside().join(format!("{name}.log")))
            .expect("the directory is ours");
        let both = log.try_clone().expect("a file");
        command.stdin(Stdio::null()).stdout(both).stderr(log);
        let child = None;
        Self {
            name,
            command,
            child,
            note: home.outside().join(format!("{name}.pid")),
        }
    }

    /// Starts it, unless it runs.
    pub fn start(&mut self) {
        if self.child.is_none() {
            let child = self.command.spawn().expect("the program runs");
            leftovers::note(&child, self.note.clone());
            self.child = Some(child);
        }
    }

    /// SIGKILL.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().expect("it is our child");
            child.wait().expect("it is our child");
        }
    }

    /// Sends it a signal.
    pub fn signal(&self, name: &str) {
        signal(name, self.child.as_ref().expect("it runs").id());
    }

    /// Whether it ended though nobody killed it.
    pub fn has_ended(&mut self) -> bool {
        let ended = |child: &mut Child| child.try_wait().expect("it is our child").is_some();
        let ended = self.child.as_mut().is_some_and(ended);
        if ended {
            eprintln!("{} ended by itself", self.name);
            self.child = None;
        }
        ended
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        self.kill();
    }
}
