//! Zeros at the end of the file that the server appends to. A loss of power can leave them on some file systems: the file
//! has its new length, but not its last blocks. The server does not start with them. They hold no answered write, because
//! the server answers a write after its blocks are on the disk. Neither does the beginning of a command before them.

use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use super::place::MANIFEST;

/// The end of each line and of each argument.
const END: &[u8; 2] = b"\r\n";
/// Maximum length of a line: a sign and a number, or an annotation with a time.
const LINE_BYTES: u64 = 32;

/// Cuts off the zeros after the last complete command of the file that the server appends to, together with the
/// beginning of a command before them. Returns the file and the number of bytes. A file with anything else after that
/// command, or without a complete command, stays as it is. No server may run.
pub(super) fn cut_off(files: &Path) -> io::Result<Option<(PathBuf, u64)>> {
    let Some(path) = appended_file(files)? else {
        return Ok(None);
    };
    let mut file = File::options().read(true).write(true).open(&path)?;
    let length = file.metadata()?.len();
    if !ends_with_zero(&file, length)? {
        return Ok(None);
    }
    file.rewind()?;
    let complete = complete_bytes(&mut BufReader::new(&file))?;
    file.seek(SeekFrom::Start(complete))?;
    let mut rest = Vec::new();
    file.read_to_end(&mut rest)?;
    if complete == 0 || !is_unfinished(&rest)? {
        return Ok(None);
    }
    file.set_len(complete)?;
    file.sync_all()?;
    Ok(Some((path, length - complete)))
}

/// Returns the last file in the list of data files that the server appends to. Its last line names it.
fn appended_file(files: &Path) -> io::Result<Option<PathBuf>> {
    let list = match fs::read_to_string(files.join(MANIFEST)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        list => list?,
    };
    let name = list.lines().rev().find_map(appended_name);
    Ok(name.map(|name| files.join(name)))
}

/// Returns the name in a line about a file that the server appends to.
fn appended_name(line: &str) -> Option<&str> {
    let words: Vec<&str> = line.split(' ').collect();
    match words[..] {
        ["file", name, "seq", _, "type", "i", ..] if !name.contains('/') => Some(name),
        _ => None,
    }
}

fn ends_with_zero(mut file: &File, length: u64) -> io::Result<bool> {
    let Some(before_last) = length.checked_sub(1) else {
        return Ok(false);
    };
    let mut last = [1];
    file.seek(SeekFrom::Start(before_last))?;
    file.read_exact(&mut last)?;
    Ok(last == [0])
}

/// Returns whether bytes are zeros, or the beginning of a command and zeros.
fn is_unfinished(rest: &[u8]) -> io::Result<bool> {
    let written = rest.iter().rposition(|byte| *byte != 0);
    let mut written = &rest[..written.map_or(0, |last| last + 1)];
    match command_bytes(&mut written) {
        Ok(_) => Ok(false),
        Err(error) => match error.kind() {
            io::ErrorKind::UnexpectedEof => Ok(true),
            io::ErrorKind::InvalidData => Ok(false),
            _ => Err(error),
        },
    }
}

/// Returns the length of the complete commands and annotations at the beginning of a file.
fn complete_bytes(file: &mut impl BufRead) -> io::Result<u64> {
    use io::ErrorKind::{InvalidData, UnexpectedEof};
    let mut complete = 0;
    loop {
        match command_bytes(file) {
            Ok(bytes) => complete += bytes,
            Err(error) if matches!(error.kind(), InvalidData | UnexpectedEof) => {
                return Ok(complete);
            }
            Err(error) => return Err(error),
        }
    }
}

/// Reads a command or an annotation. Returns its length.
fn command_bytes(file: &mut impl BufRead) -> io::Result<u64> {
    let line = read_line(file)?;
    let mut bytes = line.len() as u64;
    if line.starts_with(b"#") {
        return Ok(bytes);
    }
    for _ in 0..number(&line, b'*')? {
        let line = read_line(file)?;
        let length = number(&line, b'$')?;
        skip_argument(file, length)?;
        bytes += line.len() as u64 + length + END.len() as u64;
    }
    Ok(bytes)
}

/// Reads a line with its end.
///
/// # Errors `UnexpectedEof` if the file ends with the beginning of a line.
fn read_line(file: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    file.by_ref()
        .take(LINE_BYTES)
        .read_until(b'\n', &mut line)?;
    if line.ends_with(END) {
        return Ok(line);
    }
    let is_at_end = file.fill_buf()?.is_empty();
    match is_at_end && is_beginning_of_line(&line) {
        true => Err(io::ErrorKind::UnexpectedEof.into()),
        false => Err(io::ErrorKind::InvalidData.into()),
    }
}

/// Returns whether bytes can be the beginning of the line of a command.
fn is_beginning_of_line(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    match bytes.split_first() {
        None => true,
        Some((b'*' | b'$', digits)) => digits.iter().all(u8::is_ascii_digit),
        Some((b'#', _)) => true,
        Some(_) => false,
    }
}

/// Returns the number in a line behind this sign.
fn number(line: &[u8], sign: u8) -> io::Result<u64> {
    let digits = line.strip_prefix(&[sign]);
    let digits = digits.and_then(|digits| digits.strip_suffix(END));
    let number = digits.and_then(|digits| str::from_utf8(digits).ok()?.parse::<u32>().ok());
    let number = number.ok_or(io::ErrorKind::InvalidData)?;
    Ok(u64::from(number))
}

/// Reads an argument of this length, with its end.
fn skip_argument(file: &mut impl BufRead, length: u64) -> io::Result<()> {
    io::copy(&mut file.by_ref().take(length), &mut io::sink())?;
    let mut end = Vec::new();
    file.by_ref().take(END.len() as u64).read_to_end(&mut end)?;
    if end == END {
        return Ok(());
    }
    match END.starts_with(&end) {
        true => Err(io::ErrorKind::UnexpectedEof.into()),
        false => Err(io::ErrorKind::InvalidData.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::zeros::*;

    const NAME: &str = "appendonly.aof.2.incr.aof";
    const COMMANDS: &[u8] =
        b"#TS:1628217470\r\n*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n*2\r\n$3\r\nDEL\r\n$2\r\n\0\0\r\n";

    /// Writes a list of files and the last of them. Returns what was cut off, and the content then.
    fn cut(appended: &[u8]) -> (Option<u64>, Vec<u8>) {
        let root = tempfile::tempdir().unwrap();
        let list = format!(
            "file a.1.base.rdb seq 1 type b\nfile a.1.incr.aof seq 1 type i\nfile {NAME} seq 2 type i startoffset 9\n"
        );
        fs::write(root.path().join(MANIFEST), list).unwrap();
        fs::write(root.path().join("a.1.incr.aof"), [0; 9]).unwrap();
        let path = root.path().join(NAME);
        fs::write(&path, appended).unwrap();
        let cut = cut_off(root.path()).unwrap();
        assert!(cut.iter().all(|(named, _)| *named == path));
        (cut.map(|(_, bytes)| bytes), fs::read(&path).unwrap())
    }

    #[test]
    fn zeros_after_the_last_command_are_cut_off() {
        for count in [1, 5000, 100_000] {
            let appended = [COMMANDS, &vec![0_u8; count]].concat();
            assert_eq!(cut(&appended), (Some(count as u64), COMMANDS.to_vec()));
        }
    }

    #[test]
    fn the_beginning_of_a_command_before_zeros_is_cut_off_too() {
        for rest in [
            &b"*2\r\n$3\r\nDEL\r\n$2\r\n\0\0"[..],
            b"*2\r\n$3\r\nDEL\r\n$2\r\n\0\0\0\0\0",
            b"*2\r\n$3\r\nDEL\r\n$2\r\nab\0\0\0\0",
            b"*2\r\n$3\r\nDEL\r\n$2\r\nab\r\0\0\0",
            b"*2\r\n$3\r\nDE\0\0\0\0",
            b"*2\r\n$3\r\n\0\0\0\0",
            b"*2\r\n$\0\0",
            b"*2\r\0",
            b"*2\0\0\0",
            b"#TS:16282\0\0",
        ] {
            let appended = [COMMANDS, rest].concat();
            let cut_off = Some(rest.len() as u64);
            assert_eq!(cut(&appended), (cut_off, COMMANDS.to_vec()), "{rest:?}");
        }
    }

    #[test]
    fn any_other_file_stays_as_it_is() {
        for rest in [
            &b""[..],
            b"*2\r\n$3\r\nDEL\r\n$2\r\nabc\0\0",
            b"*2\r\n$x\0\0",
            b"*2\r\nDEL\0\0",
            b"*2\r\n$3\r\nDEL\r\n$2\r\n\0\0\0\0*1\r\n$4\r\nPING\r\n\0",
            b"\0\0\0*1\r\n$4\r\nPING\r\n",
            b"\0\0\0*1\0\0\0",
            b"words\0",
        ] {
            let appended = [COMMANDS, rest].concat();
            assert_eq!(cut(&appended), (None, appended));
        }
        for appended in [&b""[..], b"\0\0\0\0"] {
            assert_eq!(cut(appended), (None, appended.to_vec()));
        }
    }

    #[test]
    fn a_directory_without_a_list_of_files_has_none() {
        let root = tempfile::tempdir().unwrap();
        assert!(cut_off(root.path()).unwrap().is_none());
    }
}
