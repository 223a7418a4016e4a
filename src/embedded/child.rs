//! The process of the server: start, health check, and end.

use std::{
    fs::File,
    io::{self, Read, Write},
    os::unix::{
        net::UnixStream,
        process::{CommandExt, ExitStatusExt},
    },
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    time::Duration,
};

#[cfg(target_os = "linux")]
use rustix::process::{Signal, getpid, getppid, set_parent_process_death_signal};
use rustix::{
    io::{FdFlags, fcntl_setfd, retry_on_intr},
    process::{Pid, WaitId, WaitIdOptions, WaitIdStatus, waitid},
};

use super::{Error, output::Output, place::Place};

const PING_LIMIT: Duration = Duration::from_secs(1);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    Ready,
    /// It is loading its data, which takes a while for much data.
    Loading,
    None,
}

/// Starts `program` with its files in `place`. Returns the process and its output. The last process that inherits `lock`
/// releases it. With full memory it refuses writes and deletes nothing.
pub(super) fn spawn(
    program: &Path,
    place: &Place,
    lock: &File,
    max_memory_bytes: u64,
) -> Result<(Child, Output), Error> {
    let log = place.open_log();
    if let Err(error) = &log {
        tracing::warn!("the embedded server has no log: {error}");
    }
    let failed = |source| {
        let program = program.to_owned();
        Error::Spawn { program, source }
    };
    let (reader, writer) = io::pipe().map_err(failed)?;
    let output = Output::copy(reader, log.ok())?;
    let mut command = Command::new(program);
    command
        .args(["--port", "0", "--daemonize", "no"])
        .arg("--unixsocket")
        .arg(&place.socket)
        .args(["--unixsocketperm", "700"])
        .arg("--dir")
        .arg(&place.dir)
        // An answered write is on disk. Measured: 0.15 ms instead of 0.05 ms for one write, and
        // 38,000 instead of 156,000 a second for 16 clients, far above what people do.
        .args(["--appendonly", "yes", "--appendfsync", "always"])
        // Redwing asks for each rewrite, after it has compared its size with the free space of the disk.
        .args(["--auto-aof-rewrite-percentage", "0"])
        // The append-only file is the only copy that is read at a start.
        .args(["--save", ""])
        .args(["--maxmemory-policy", "noeviction"])
        .args(["--maxmemory", &max_memory_bytes.to_string()])
        .args(["--zset-max-listpack-entries", "1024"])
        .args(["--hash-max-listpack-value", "1024"])
        // Number of keys that Redis tracks for caches: 115 bytes each, far more than caches hold.
        .args(["--tracking-table-max-keys", "100000"])
        .stdin(Stdio::null())
        .stdout(writer.try_clone().map_err(failed)?)
        .stderr(writer)
        // Its own group: Ctrl-C on a terminal is for Redwing, which stops the server last.
        .process_group(0);
    tie_to_this_thread(&mut command, lock.try_clone().map_err(failed)?);
    let child = command.spawn().map_err(failed)?;
    Ok((child, output))
}

/// Passes `lock` to the child and, on Linux, sends it SIGTERM when the spawning thread ends.
fn tie_to_this_thread(command: &mut Command, lock: File) {
    #[cfg(target_os = "linux")]
    let parent = Some(getpid());
    let prepare = move || {
        #[cfg(target_os = "linux")]
        {
            set_parent_process_death_signal(Some(Signal::TERM))?;
            if getppid() != parent {
                return Err(io::Error::other("Redwing ended meanwhile"));
            }
        }
        Ok(fcntl_setfd(&lock, FdFlags::empty())?)
    };
    // SAFETY: the closure allocates nothing and only makes system calls.
    unsafe { command.pre_exec(prepare) };
}

/// Checks whether the server on `socket` answers.
pub(super) fn ping(socket: &Path) -> Answer {
    let ask = || -> io::Result<Answer> {
        let mut answer = [0; 16];
        let length = send(socket, b"PING\r\n")?.read(&mut answer)?;
        Ok(match &answer[..length] {
            answer if answer.starts_with(b"+PONG") => Answer::Ready,
            answer if answer.starts_with(b"-LOADING") => Answer::Loading,
            _ => Answer::None,
        })
    };
    ask().unwrap_or(Answer::None)
}

/// Asks a server without an owner to end. Returns `false` if it does not listen, as at its end.
pub(super) fn ask_to_end(socket: &Path) -> bool {
    let asked = send(socket, b"SHUTDOWN\r\n").is_ok();
    if asked {
        tracing::info!("ending the server that an earlier Redwing left behind");
    }
    asked
}

fn send(socket: &Path, command: &[u8]) -> io::Result<UnixStream> {
    let mut stream = UnixStream::connect(socket)?;
    stream.set_read_timeout(Some(PING_LIMIT))?;
    stream.set_write_timeout(Some(PING_LIMIT))?;
    stream.write_all(command)?;
    Ok(stream)
}

/// Waits for the process to end without releasing its id, so that a signal sent meanwhile reaches no
/// other process. [`Child::wait`] releases it.
pub(super) fn wait_for_end(child: &Child) {
    let _gone = retry_on_intr(|| wait_without_release(child, WaitIdOptions::empty()));
}

/// Returns whether it has ended, without releasing its id.
pub(super) fn has_ended(child: &Child) -> bool {
    matches!(
        wait_without_release(child, WaitIdOptions::NOHANG),
        Ok(Some(_))
    )
}

/// Returns the state of the ended process. `None` if it runs and `options` forbid waiting.
fn wait_without_release(
    child: &Child,
    options: WaitIdOptions,
) -> rustix::io::Result<Option<WaitIdStatus>> {
    let process = WaitId::Pid(Pid::from_child(child));
    waitid(
        process,
        WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | options,
    )
}

pub(super) fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("it ended with code {code}"),
        (None, Some(signal)) => format!("signal {signal} ended it"),
        (None, None) => "it ended".into(),
    }
}
