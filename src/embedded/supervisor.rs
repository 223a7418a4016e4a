//! The thread that supervises the embedded server. It becomes the owner, ends a server left by an
//! earlier Redwing, starts the server, restarts it when it dies, and gives up if that does not help. It
//! waits while the disk is full, also before the first start succeeds. Any other failure of the first start ends it.

use std::{
    path::{Path, PathBuf},
    process::Child,
    sync::{Arc, mpsc::SyncSender},
    time::{Duration, Instant},
};

use parking_lot::{Condvar, Mutex};
use rustix::process::{Pid, Signal, kill_process};
use tokio::sync::Notify;

use super::{
    Error, binary,
    child::{self, Answer},
    diagnosis,
    output::Output,
    place::{Lock, Place},
};

const LOOK_EVERY: Duration = Duration::from_millis(5);
/// Time limit of a silent server, running or ending.
const SILENCE_LIMIT: Duration = Duration::from_secs(30);
/// Maximum number of failed starts in a row. Each pause is twice the one before.
const STARTS_IN_A_ROW: u32 = 8;
const FIRST_PAUSE: Duration = Duration::from_millis(50);
/// Pause between two starts while the disk is full.
pub(super) const FULL_DISK_PAUSE: Duration = Duration::from_millis(500);
/// Running time after which a server counts as stable: its next death is the first again.
const STEADY_AFTER: Duration = Duration::from_secs(60);

/// A handle to the thread, for itself and for the caller that stops it.
#[derive(Clone)]
pub(super) struct Supervisor(Arc<Shared>);

struct Shared {
    place: Place,
    named_program: Option<PathBuf>,
    max_memory_bytes: u64,
    state: Mutex<State>,
    changed: Condvar,
    given_up: Notify,
}

#[derive(Default)]
struct State {
    owner: bool,
    stopping: bool,
    /// The id of a process that was not waited for, so that signals reach no other process.
    child: Option<Pid>,
}

enum End {
    Stopped,
    Died(String),
}

impl Supervisor {
    pub(super) fn new(place: Place, named_program: Option<PathBuf>, max_memory_bytes: u64) -> Self {
        let (state, changed, given_up) = Default::default();
        Self(Arc::new(Shared {
            place,
            named_program,
            max_memory_bytes,
            state,
            changed,
            given_up,
        }))
    }

    /// Runs the thread. `ready` receives once whether there is a server. Later errors are logged, and
    /// waiters of [`Self::given_up`] are notified.
    pub(super) fn run(&self, ready: &SyncSender<Result<(), Error>>) {
        let outcome = self.become_owner(ready).and_then(|lock| match lock {
            Some(_held) => self.keep_alive(ready),
            None => Ok(()),
        });
        if let Err(error) = outcome
            && let Err(unheard) = ready.send(Err(error))
            && let Err(error) = unheard.0
            && !self.0.state.lock().stopping
        {
            tracing::error!("{error}");
            self.0.given_up.notify_one();
        }
    }

    pub(super) async fn given_up(&self) {
        self.0.given_up.notified().await;
    }

    /// Asks the server to end, once. Returns whether there is one to wait for.
    pub(super) fn stop(&self) -> bool {
        let mut state = self.0.state.lock();
        state.stopping = true;
        send_signal(state.child, Signal::TERM);
        self.0.changed.notify_all();
        state.owner
    }

    /// Kills the server. Acknowledged writes are on disk.
    pub(super) fn kill(&self) {
        send_signal(self.0.state.lock().child, Signal::KILL);
    }

    /// Waits for the owner's lock. Its holder's server is used meanwhile. `None` if this process stops.
    fn become_owner(&self, ready: &SyncSender<Result<(), Error>>) -> Result<Option<Lock>, Error> {
        let lock = self.0.place.owner_lock()?;
        let mut heard = Instant::now();
        while !lock.try_lock()? {
            match child::ping(&self.0.place.socket) {
                Answer::Ready => {
                    tracing::info!("using the server of the Redwing that runs already");
                    let _started_before_this_thread_ends = ready.send(Ok(()));
                    lock.lock()?;
                    break;
                }
                Answer::Loading => heard = Instant::now(),
                Answer::None if heard.elapsed() > SILENCE_LIMIT => {
                    return Err(Error::OwnerSilent(lock.path));
                }
                Answer::None => {}
            }
            if self.stopped_within(LOOK_EVERY) {
                return Ok(None);
            }
        }
        let mut state = self.0.state.lock();
        state.owner = !state.stopping;
        Ok(state.owner.then_some(lock))
    }

    fn keep_alive(&self, ready: &SyncSender<Result<(), Error>>) -> Result<(), Error> {
        let place = &self.0.place;
        let program = binary::find(self.0.named_program.as_deref(), &place.data_dir)?;
        let mut lived_before = false;
        let mut failures = 0;
        loop {
            let began = Instant::now();
            let mut said = String::new();
            match self.live_once(&program, ready, &mut said) {
                Ok(End::Stopped) => return Ok(()),
                Ok(End::Died(how)) => {
                    lived_before = true;
                    tracing::warn!("the embedded server died: {how}; starting it again");
                }
                Err(error) if !lived_before && !diagnosis::disk_is_full(&said) => {
                    return Err(error);
                }
                Err(error) => tracing::warn!("{error}"),
            }
            if diagnosis::disk_is_full(&said) {
                tracing::error!("{}", diagnosis::remedy(place, &program, &said));
                if self.stopped_within(FULL_DISK_PAUSE) {
                    return Ok(());
                }
                continue;
            }
            if began.elapsed() > STEADY_AFTER {
                failures = 0;
            }
            failures += 1;
            if failures == STARTS_IN_A_ROW {
                return Err(Error::KeepsDying {
                    times: failures,
                    log: place.log(),
                });
            }
            if self.stopped_within(FIRST_PAUSE * 2_u32.pow(failures - 1)) {
                return Ok(());
            }
        }
    }

    /// Runs the server from its start to its end. Sets `said` to the end of its output.
    fn live_once(
        &self,
        program: &Path,
        ready: &SyncSender<Result<(), Error>>,
        said: &mut String,
    ) -> Result<End, Error> {
        let place = &self.0.place;
        let lock = self.free_server_lock()?;
        place.remove_unfinished_files();
        place.cut_off_zeros();
        let Some((mut child, output)) = self.spawn(program, &lock)? else {
            return Ok(End::Stopped);
        };
        drop(lock);
        let answered = self.wait_until_it_answers(&child);
        if answered {
            tracing::info!(
                "the embedded server {} answers on {}",
                program.display(),
                place.socket.display()
            );
            let _only_the_first_start_is_waited_for = ready.send(Ok(()));
        }
        child::wait_for_end(&child);
        *said = output.said();
        let mut state = self.0.state.lock();
        state.child = None;
        let how = child
            .wait()
            .map_or_else(|error| error.to_string(), child::describe);
        match (state.stopping, answered) {
            (true, _) => Ok(End::Stopped),
            (false, true) => Ok(End::Died(how)),
            (false, false) => Err(Error::Died {
                program: program.to_owned(),
                log: place.log(),
                remedy: diagnosis::remedy(place, program, said),
            }),
        }
    }

    /// Returns the lock that the next server inherits, free of earlier servers.
    fn free_server_lock(&self) -> Result<Lock, Error> {
        let lock = self.0.place.server_lock()?;
        let began = Instant::now();
        let mut asked = false;
        while !lock.try_lock()? {
            asked = asked || child::ask_to_end(&self.0.place.socket);
            if began.elapsed() > SILENCE_LIMIT {
                return Err(Error::LeftOver(lock.path));
            }
            if self.stopped_within(LOOK_EVERY) {
                return Err(Error::Stopped);
            }
        }
        Ok(lock)
    }

    fn spawn(&self, program: &Path, lock: &Lock) -> Result<Option<(Child, Output)>, Error> {
        let mut state = self.0.state.lock();
        if state.stopping {
            return Ok(None);
        }
        let started = child::spawn(program, &self.0.place, &lock.file, self.0.max_memory_bytes)?;
        state.child = Some(Pid::from_child(&started.0));
        Ok(Some(started))
    }

    /// Returns whether it answers before it ends. A server that does neither is killed.
    fn wait_until_it_answers(&self, child: &Child) -> bool {
        let mut heard = Instant::now();
        let mut said = false;
        while !child::has_ended(child) {
            match child::ping(&self.0.place.socket) {
                Answer::Ready => return true,
                Answer::Loading => {
                    heard = Instant::now();
                    if !said {
                        tracing::info!("the embedded server reads its data");
                        said = true;
                    }
                }
                Answer::None if heard.elapsed() > SILENCE_LIMIT => self.kill(),
                Answer::None => {}
            }
            if self.stopped_within(LOOK_EVERY) {
                return false;
            }
        }
        false
    }

    /// Waits for `pause` or until this process stops. Returns whether it stops.
    fn stopped_within(&self, pause: Duration) -> bool {
        let mut state = self.0.state.lock();
        let changed = &self.0.changed;
        changed.wait_while_for(&mut state, |state| !state.stopping, pause);
        state.stopping
    }
}

fn send_signal(child: Option<Pid>, signal: Signal) {
    let Some(process) = child else { return };
    if let Err(error) = kill_process(process, signal) {
        tracing::debug!(%error, "the embedded server got no signal");
    }
}
