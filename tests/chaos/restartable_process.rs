//! One process of a site under chaos. It is started again as often as it is killed, with one log.

use std::{
    fs::OpenOptions,
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use crate::support::{
    leftovers,
    process::{Home, signal},
};

/// Process that can be restarted. Dropping the value kills it.
pub struct RestartableProcess {
    name: &'static str,
    command: Command,
    child: Option<Child>,
    /// File with the process id.
    note: PathBuf,
}

impl RestartableProcess {
    /// Creates a process whose output goes to the log with that name.
    pub fn new(name: &'static str, mut command: Command, home: &Home) -> Self {
        let log = OpenOptions::new()
            .create(true)
            .append(true)
            .open(home.outside().join(format!("{name}.log")))
            .expect("the directory is writable");
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

    /// Starts the process unless it runs.
    pub fn start(&mut self) {
        if self.child.is_none() {
            let child = self.command.spawn().expect("the program runs");
            leftovers::note(&child, self.note.clone());
            self.child = Some(child);
        }
    }

    /// Sends SIGKILL.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().expect("it is a child process");
            child.wait().expect("it is a child process");
        }
    }

    /// Sends a signal.
    pub fn signal(&self, name: &str) {
        signal(name, self.child.as_ref().expect("it runs").id());
    }

    /// Returns whether the process ended without being killed.
    pub fn has_ended(&mut self) -> bool {
        let ended = |child: &mut Child| child.try_wait().expect("it is a child process").is_some();
        let ended = self.child.as_mut().is_some_and(ended);
        if ended {
            eprintln!("{} ended by itself", self.name);
            self.child = None;
        }
        ended
    }
}

impl Drop for RestartableProcess {
    fn drop(&mut self) {
        self.kill();
    }
}
