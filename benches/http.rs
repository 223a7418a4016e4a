//! Keep-alive HTTP/1.1 connection that sends requests prepared as bytes. It is blocking and as
//! cheap as possible, because it shares the cores with the server.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    time::{Duration, Instant},
};

/// Time limit for one response.
const PATIENCE: Duration = Duration::from_secs(60);
/// Idle time after which the connection is reopened: the site may be about to close it.
const IDLE: Duration = Duration::from_secs(20);

/// Connection to the site. It reconnects when the site has closed it.
pub struct HttpConnection {
    to: SocketAddr,
    stream: BufReader<TcpStream>,
    used: Instant,
    head: String,
    body: Vec<u8>,
}

impl HttpConnection {
    pub fn open(to: SocketAddr) -> io::Result<Self> {
        Ok(Self {
            to,
            stream: connect(to)?,
            used: Instant::now(),
            head: String::new(),
            body: Vec::new(),
        })
    }

    /// Sends a request, reads the whole response and returns its status code.
    pub fn send(&mut self, request: &[u8]) -> io::Result<u16> {
        if self.used.elapsed() > IDLE {
            self.stream = connect(self.to)?;
        }
        let answer = self.try_send(request);
        self.used = Instant::now();
        answer
    }

    /// Sends a request and fails unless the response has this status code.
    pub fn expect(&mut self, status: u16, request: &[u8]) -> io::Result<()> {
        let answered = self.send(request)?;
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

    /// Returns the body of the last response.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Returns the body length of the last response in bytes.
    pub fn length(&self) -> usize {
        self.body.len()
    }

    /// Returns the values of one header of the last response. `name` is in lower case.
    pub fn headers<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.head.lines().filter_map(move |line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    fn try_send(&mut self, request: &[u8]) -> io::Result<u16> {
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
