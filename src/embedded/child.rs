//! The process of the server: start, health check, and end.

use std::{
    fs::File,
    io::{self, Read, Write},
    os::{
        fd::AsRawFd,
        unix::{
            net::UnixStream,
            process::{CommandExt, ExitStatusExt},
        },
    },
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    time::Duration,
};

use super::{Error, place::Place};

/// Time limit of a PING.
const PING_LIMIT: Duration = Duration::from_secs(1);

/// State of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    Ready,
    /// It is loading its data, which takes a while for much data.
    Loading,
    None,
}

/// Starts `program` with its data, log and socket in `place`. It inherits `lock`, which is released when
/// the last process with it ends.
pub(super) fn spawn(program: &Path, place: &Place, lock: &File) -> Result<Child, Error> {
    let log = place.open_log()?;
    let failed = |source| Error::Spawn {
        program: program.to_owned(),
        source,
    };
    let mut command = Command::new(program);
    command
        .args(["--port", "0", "--daemonize", "no"])
        .arg("--unixsocket")
        .arg(&place.socket)
        .args(["--unixsocketperm", "700"])
        .arg("--dir")
        .arg(&place.dir)
        .arg("--logfile")
        .arg(place.log())
        // An answered write is on disk. Measured: 0.15 ms instead of 0.05 ms for one write, and
        // 38,000 instead of 156,000 a second for 16 clients, far above what people do.
        .args(["--appendonly", "yes", "--appendfsync", "always"])
        // The append-only file is the only copy that is read at a start.
        .args(["--save", ""])
        .args(["--maxmemory-policy", "noeviction"])
        .args(["--zset-max-listpack-entries", "1024"])
        .args(["--hash-max-listpack-value", "1024"])
        // Number of keys that Redis tracks for caches: 115 bytes each, far more than caches hold.
        .args(["--tracking-table-max-keys", "100000"])
        .stdin(Stdio::null())
        .stdout(log.try_clone().map_err(failed)?)
        .stderr(log)
        // Its own group: Ctrl-C on a terminal is for Redwing, which stops the server last.
        .process_group(0);
    tie_to_this_thread(&mut command, lock);
    command.spawn().map_err(|source| Error::Spawn {
        program: program.to_owned(),
        source,
    })
}

/// Passes `lock` to the child and, on Linux, sends it SIGTERM when the spawning thread ends.
fn tie_to_this_thread(command: &mut Command, lock: &File) {
    let lock = lock.as_raw_fd();
    #[cfg(target_os = "linux")]
    let parent = std::process::id();
    let prepare = move || {
        // SAFETY: prctl, getppid and fcntl are async-signal-safe; `lock` is open in the parent
        // until the child runs.
        unsafe {
            #[cfg(target_os = "linux")]
            {
                if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM) == -1 {
                    return Err(io::Error::last_os_error());
                }
                if u32::try_from(libc::getppid()) != Ok(parent) {
                    return Err(io::Error::other("Redwing ended meanwhile"));
                }
            }
            if libc::fcntl(lock, libc::F_SETFD, 0) == -1 {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(())
    };
    // SAFETY: the closure allocates nothing and calls async-signal-safe functions only.
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

/// Asks a server without an owner to end. Returns `false` if it does not listen, as when it is about to
/// end.
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
    while let Err(error) = waitid(child, 0) {
        if error.kind() != io::ErrorKind::Interrupted {
            return;
        }
    }
}

/// Returns whether it has ended, without releasing its id.
pub(super) fn has_ended(child: &Child) -> bool {
    waitid(child, libc::WNOHANG).is_ok_and(|process| process != 0)
}

/// Returns the ended process. 0 if it runs and `options` forbid waiting.
fn waitid(child: &Child, options: libc::c_int) -> io::Result<libc::pid_t> {
    // SAFETY: `siginfo_t` is plain data for which zeroes are valid.
    let mut info: libc::siginfo_t = unsafe { std::mem::zeroed() };
    // SAFETY: `info` is valid for writing; the id is that of a child which was not waited for.
    let code = unsafe {
        libc::waitid(
            libc::P_PID,
            child.id(),
            &raw mut info,
            libc::WEXITED | libc::WNOWAIT | options,
        )
    };
    if code == -1 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: waitid fills in the variant for children, and leaves zeroes when none has ended.
    Ok(unsafe { info.si_pid() })
}

/// Sends `signal` to a child that was not waited for yet.
pub(super) fn signal(process: u32, signal: libc::c_int) {
    if let Ok(process) = libc::pid_t::try_from(process) {
        // SAFETY: kill has no memory preconditions; the process is a child of ours, not reaped.
        unsafe { libc::kill(process, signal) };
    }
}

/// Describes its end for the log.
pub(super) fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("it ended with code {code}"),
        (None, Some(signal)) => format!("signal {signal} ended it"),
        (None, None) => "it ended".into(),
    }
}
