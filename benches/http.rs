//! A kept-alive HTTP/1.1 connection that sends requests which are ready as bytes. Blocking, and as
//! cheap as can be: what it costs is taken from the same cores that serve.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    time::{Duration, Instant},
};

/// The longest that an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// A connection that was idle for longer is made anew: the site may be about to close it.
const IDLE: Duration = Duration::from_secs(20);

/// A connection to the site, made anew when the site has closed it.
pub struct Wire {
    to: SocketAddr,
    stream: BufReader<TcpStream>,
    used: Instant,
    head: String,
    body: Vec<u8>,
}

impl Wire {
    pub fn to(to: SocketAddr) -> io::Result<Self> {
        Ok(Self {
            to,
            stream: connect(to)?,
            used: Instant::now(),
            head: String::new(),
            body: Vec::new(),
        })
    }

    /// Sends a request and reads its whole answer, of which the status is given.
    pub fn ask(&mut self, request: &[u8]) -> io::Result<u16> {
        if self.used.elapsed() > IDLE {
            self.stream = connect(self.to)?;
        }
        let answer = self.try_ask(request);
        self.used = Instant::now();
        answer
    }

    /// The same where only one answer will do.
    pub fn expect(&mut self, status: u16, request: &[u8]) -> io::Result<()> {
        let answered = self.ask(request)?;
        if answered == status {
            return Ok(());
        }
        let asked = String::from_utf8_lossy(request);
        let asked = asked.lines().next().unwrap_or_default();
        Err(io::Error::other(format!(
            "{asked} is answered {answered}, not {status}:\n{}",
            self.text()
        )))
    }

    /// The body of the last answer.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// How many bytes the body of the last answer has.
    pub fn length(&self) -> usize {
        self.body.len()
    }

    /// Values of a header of the last answer, whose name is given in lower case.
    pub fn headers<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.head.lines().filter_map(move |line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    fn try_ask(&mut self, request: &[u8]) -> io::Result<u16> {
        self.stream.get_mut().write_all(request)?;
        self.head.clear();
        loop {
            let before = self.head.len();
            if self.stream.read_line(&mut self.head)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if self.head[before..].trim_end().is_empty() {
                break;
            }
        }
        let status = self
            .head
            .split(' ')
            .nth(1)
            .and_then(|code| code.parse().ok());
        let status = status.ok_or(io::ErrorKind::InvalidData)?;
        let length = self.headers("content-length").next();
        let length = length.and_then(|length| length.parse().ok()).unwrap_or(0);
        self.body.resize(length, 0);
        self.stream.read_exact(&mut self.body)?;
        Ok(status)
    }
}

fn connect(to: SocketAddr) -> io::Result<BufReader<TcpStream>> {
    let stream = TcpStream::connect(to)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    Ok(BufReader::with_capacity(64 * 1024, stream))
}
