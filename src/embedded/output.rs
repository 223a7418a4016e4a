//! The output of the server. A thread copies it to the log while the disk has space. Its end stays in memory, so that the
//! reason of a failed start is known also when the disk of the log is full.

use std::{
    fs::File,
    io::{ErrorKind, PipeReader, Read, Write},
    sync::{Arc, mpsc},
    thread,
    time::Duration,
};

use parking_lot::Mutex;

use super::Error;

/// Bytes at the end of the output that stay in memory.
const KEPT_BYTES: usize = 65_536;
/// Time to wait for the rest of the output of an ended server. A process that it started can hold the pipe longer.
const REST_LIMIT: Duration = Duration::from_secs(1);

pub(super) struct Output {
    kept: Arc<Mutex<Vec<u8>>>,
    /// Disconnected at the end of the output. It carries no messages.
    ended: mpsc::Receiver<()>,
}

impl Output {
    /// Copies the output in a thread until its end. Without a log it is only kept.
    pub(super) fn copy(pipe: PipeReader, log: Option<File>) -> Result<Self, Error> {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let (open, ended) = mpsc::channel();
        let copied = Arc::clone(&kept);
        thread::Builder::new()
            .name("embedded-log".into())
            .spawn(move || {
                let _open: mpsc::Sender<()> = open;
                copy(pipe, log, &copied);
            })
            .map_err(Error::Thread)?;
        Ok(Self { kept, ended })
    }

    /// Returns the end of what an ended server has printed.
    pub(super) fn said(&self) -> String {
        let _disconnected = self.ended.recv_timeout(REST_LIMIT);
        String::from_utf8_lossy(&self.kept.lock()).into_owned()
    }
}

fn copy(mut pipe: PipeReader, mut log: Option<File>, kept: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 4096];
    let mut is_complete = true;
    loop {
        let length = match pipe.read(&mut buffer) {
            Ok(0) => return,
            Ok(length) => length,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => {
                tracing::warn!(%error, "the output of the embedded server is not read");
                return;
            }
        };
        let piece = &buffer[..length];
        keep(&mut kept.lock(), piece);
        let Some(log) = &mut log else { continue };
        let written = log.write_all(piece);
        if let Err(error) = &written
            && is_complete
        {
            tracing::warn!(%error, "a part of the log of the embedded server is lost");
        }
        is_complete = written.is_ok();
    }
}

fn keep(kept: &mut Vec<u8>, piece: &[u8]) {
    kept.extend_from_slice(piece);
    let surplus = kept.len().saturating_sub(KEPT_BYTES);
    kept.drain(..surplus);
}

#[cfg(test)]
mod tests {
    use std::io::pipe;

    use super::super::output::*;

    #[test]
    fn the_end_of_the_output_is_known_without_a_log() {
        let (reader, mut writer) = pipe().unwrap();
        let output = Output::copy(reader, None).unwrap();
        writer.write_all(&[b'x'; 2 * KEPT_BYTES]).unwrap();
        writer.write_all(b"No space left on device\n").unwrap();
        drop(writer);
        let said = output.said();
        assert_eq!(said.len(), KEPT_BYTES);
        assert!(said.ends_with("xNo space left on device\n"));
    }

    #[test]
    fn the_output_is_in_the_log() {
        let (reader, mut writer) = pipe().unwrap();
        let log = tempfile::NamedTempFile::new().unwrap();
        let output = Output::copy(reader, Some(log.reopen().unwrap())).unwrap();
        writer.write_all(b"ready\n").unwrap();
        drop(writer);
        assert_eq!(output.said(), "ready\n");
        assert_eq!(std::fs::read_to_string(log.path()).unwrap(), "ready\n");
    }
}
