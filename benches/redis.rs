//! Direct access to Redis: bulk loading, the raw reference rates, and Redis' own statistics.

use std::{
    collections::HashMap,
    error::Error,
    fmt::Display,
    io::{BufRead, BufReader, Read, Write},
    os::unix::net::UnixStream,
    path::Path,
};

/// Number of commands in one pipeline while loading.
const COMMANDS_A_TRIP: usize = 500;

pub type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    Nothing,
    Number(i64),
    Text(String),
    List(Vec<Reply>),
}

/// Commands in the format of the Redis protocol.
#[derive(Default)]
pub struct Batch {
    bytes: Vec<u8>,
    commands: usize,
}

/// Connection over the unix socket of an embedded server.
pub struct Redis {
    stream: BufReader<UnixStream>,
}

impl Batch {
    /// Adds a command. Its words may be text or numbers.
    pub fn add(&mut self, words: &[&dyn Display]) {
        self.begin(words.len());
        words.iter().for_each(|word| self.word(word));
    }

    /// Adds a ZADD of members with their scores.
    pub fn add_scored(&mut self, key: &str, scored: &[(i64, u64)]) {
        for scored in scored.chunks(1000) {
            self.begin(2 + 2 * scored.len());
            self.word(&"ZADD");
            self.word(&key);
            for (score, member) in scored {
                self.word(score);
                self.word(member);
            }
        }
    }

    fn begin(&mut self, words: usize) {
        self.commands += 1;
        self.bytes
            .extend_from_slice(format!("*{words}\r\n").as_bytes());
    }

    fn word(&mut self, word: &dyn Display) {
        let word = word.to_string();
        self.bytes
            .extend_from_slice(format!("${}\r\n{word}\r\n", word.len()).as_bytes());
    }
}

impl Redis {
    pub fn at(socket: &Path) -> Outcome<Self> {
        Ok(Self {
            stream: BufReader::with_capacity(64 * 1024, UnixStream::connect(socket)?),
        })
    }

    /// Sends one command.
    pub fn command(&mut self, words: &[&dyn Display]) -> Outcome<Reply> {
        let mut batch = Batch::default();
        batch.add(words);
        let mut replies = self.send(&mut batch)?;
        replies.pop().ok_or_else(|| "no reply".into())
    }

    /// Sends the commands of a batch in one round trip and empties the batch.
    pub fn send(&mut self, batch: &mut Batch) -> Outcome<Vec<Reply>> {
        self.stream.get_mut().write_all(&batch.bytes)?;
        let replies = (0..batch.commands).map(|_| self.reply()).collect();
        batch.bytes.clear();
        batch.commands = 0;
        replies
    }

    /// Sends a batch if it is large enough.
    pub fn send_full(&mut self, batch: &mut Batch) -> Outcome<()> {
        if batch.commands >= COMMANDS_A_TRIP {
            self.send(batch)?;
        }
        Ok(())
    }

    pub fn number(&mut self, words: &[&dyn Display]) -> Outcome<i64> {
        match self.command(words)? {
            Reply::Number(number) => Ok(number),
            Reply::Text(text) => Ok(text.parse()?),
            other => Err(format!("{other:?} is no number").into()),
        }
    }

    /// Sends a command that returns a list of strings.
    pub fn texts(&mut self, words: &[&dyn Display]) -> Outcome<Vec<String>> {
        match self.command(words)? {
            Reply::List(list) => Ok(list
                .into_iter()
                .filter_map(|item| match item {
                    Reply::Text(text) => Some(text),
                    _ => None,
                })
                .collect()),
            other => Err(format!("{other:?} is no list").into()),
        }
    }

    /// Returns the names and values of a section of INFO.
    pub fn info(&mut self, section: &str) -> Outcome<HashMap<String, String>> {
        let Reply::Text(info) = self.command(&[&"INFO", &section])? else {
            return Err("INFO says nothing".into());
        };
        let pairs = info.lines().filter_map(|line| line.split_once(':'));
        Ok(pairs
            .map(|(name, value)| (name.into(), value.into()))
            .collect())
    }

    /// Returns a number from INFO.
    pub fn gauge(&mut self, section: &str, name: &str) -> Outcome<f64> {
        let info = self.info(section)?;
        let value = info
            .get(name)
            .ok_or_else(|| format!("INFO has no {name}"))?;
        Ok(value.parse()?)
    }

    /// Returns how often a command was executed since the server started, scripts included.
    pub fn calls(&mut self, command: &str) -> Outcome<u64> {
        let stats = self.info("commandstats")?;
        let calls = stats.get(&format!("cmdstat_{command}")).and_then(|stats| {
            stats
                .strip_prefix("calls=")?
                .split(',')
                .next()?
                .parse()
                .ok()
        });
        Ok(calls.unwrap_or(0))
    }

    fn reply(&mut self) -> Outcome<Reply> {
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        let line = line.trim_end();
        let Some((kind, rest)) = line.split_at_checked(1) else {
            return Err("Redis closed the connection".into());
        };
        match kind {
            "+" => Ok(Reply::Text(rest.into())),
            ":" => Ok(Reply::Number(rest.parse()?)),
            "$" => self.bulk(rest.parse()?),
            "*" => {
                let length: i64 = rest.parse()?;
                let items: Outcome<Vec<_>> = (0..length).map(|_| self.reply()).collect();
                Ok(Reply::List(items?))
            }
            _ => Err(format!("Redis says {line}").into()),
        }
    }

    fn bulk(&mut self, length: i64) -> Outcome<Reply> {
        let Ok(length) = usize::try_from(length) else {
            return Ok(Reply::Nothing);
        };
        let mut text = vec![0; length + 2];
        self.stream.read_exact(&mut text)?;
        text.truncate(length);
        Ok(Reply::Text(String::from_utf8_lossy(&text).into_owned()))
    }
}
