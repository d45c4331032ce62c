//! What a client sends.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};

use bytes::{Buf, Bytes};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt};

use super::SCRAM;

/// Largest first message.
const OPENING_BYTES: usize = 10_000;
/// Largest message of a login that is not done yet.
const LOGIN_BYTES: usize = 10_000;
/// Largest message: a text of the longest query, and its values.
const MESSAGE_BYTES: usize = 4 << 20;

const VERSION_3: u32 = 3 << 16;
const CANCEL: u32 = 80_877_102;
const TLS: u32 = 80_877_103;
const GSS: u32 = 80_877_104;

const PASSWORD: u8 = b'p';

/// The first message of a connection.
#[derive(Debug)]
pub enum Opening {
    /// The client wants to log in; `user`, `database`, `application_name` and other names with their values.
    Startup(BTreeMap<String, String>),
    /// It asks for TLS first.
    Tls,
    /// It asks for the encryption of Kerberos first.
    Gss,
    /// It asks to stop what another connection runs.
    Cancel { process: u32, secret: u32 },
}

/// Any later message.
#[derive(Debug)]
pub enum Ask {
    /// One text of any number of statements, answered in text.
    Query(String),
    Parse {
        name: String,
        text: String,
        /// Types that the client gives the first values; 0 for one it leaves open.
        types: Vec<u32>,
    },
    Bind {
        portal: String,
        statement: String,
        /// 0 for text, 1 for binary: for all values, or for each.
        formats: Vec<i16>,
        values: Vec<Option<Bytes>>,
        /// The same for the columns of the answer.
        answers: Vec<i16>,
    },
    DescribeStatement(String),
    DescribePortal(String),
    Execute {
        portal: String,
        /// Most rows to answer now; 0 for all.
        rows: u32,
    },
    CloseStatement(String),
    ClosePortal(String),
    Sync,
    Flush,
    /// After the login it means nothing.
    Password,
    Terminate,
    /// Data of a `COPY … FROM`, or its end.
    CopyData,
    /// A call of a function by its number.
    Function,
}

/// Reads messages.
#[derive(Debug)]
pub struct Reader<R> {
    from: R,
}

impl<R: AsyncBufRead + Unpin> Reader<R> {
    pub fn new(from: R) -> Reader<R> {
        Reader { from }
    }

    /// The first message, or the one after a refused encryption.
    pub async fn opening(&mut self) -> io::Result<Opening> {
        let length = self.from.read_u32().await?;
        let mut body = self.body(length, OPENING_BYTES).await?;
        match number(&mut body)? {
            TLS => Ok(Opening::Tls),
            GSS => Ok(Opening::Gss),
            CANCEL => Ok(Opening::Cancel { process: number(&mut body)?, secret: number(&mut body)? }),
            VERSION_3 => {
                let mut named = BTreeMap::new();
                while body.first().is_some_and(|first| *first != 0) {
                    named.insert(text(&mut body)?, text(&mut body)?);
                }
                Ok(Opening::Startup(named))
            }
            _ => Err(damaged("only version 3.0 of the protocol is spoken")),
        }
    }

    /// The answer to the question for a password; `None` when the client does something else.
    pub async fn password(&mut self) -> io::Result<Option<String>> {
        Ok(match self.secret().await? {
            Some(mut body) => Some(text(&mut body)?),
            None => None,
        })
    }

    /// The client's first message of SCRAM-SHA-256; `None` when it does something else.
    pub async fn first_of_proof(&mut self) -> io::Result<Option<Bytes>> {
        let Some(mut body) = self.secret().await? else { return Ok(None) };
        if text(&mut body)? != SCRAM {
            return Err(damaged("only SCRAM-SHA-256 is served"));
        }
        value(&mut body)
    }

    /// What answers a question of a login, as it is; `None` when the client does something else.
    pub async fn secret(&mut self) -> io::Result<Option<Bytes>> {
        let (kind, body) = self.message(LOGIN_BYTES).await?;
        Ok((kind == PASSWORD).then_some(body))
    }

    /// The next message.
    pub async fn next(&mut self) -> io::Result<Ask> {
        let (kind, mut body) = self.message(MESSAGE_BYTES).await?;
        ask(kind, &mut body)
    }

    /// Ends when the client has gone, and never when it sends more.
    pub async fn gone(&mut self) {
        match self.from.fill_buf().await {
            Ok([]) | Err(_) => {}
            Ok(_) => std::future::pending().await,
        }
    }

    async fn message(&mut self, most: usize) -> io::Result<(u8, Bytes)> {
        let kind = self.from.read_u8().await?;
        let length = self.from.read_u32().await?;
        Ok((kind, self.body(length, most).await?))
    }

    /// The bytes after a length, which counts itself.
    async fn body(&mut self, length: u32, most: usize) -> io::Result<Bytes> {
        let length = usize::try_from(length).ok().and_then(|length| length.checked_sub(4));
        let length = length.filter(|length| *length <= most).ok_or_else(|| damaged("the message is too long"))?;
        let mut body = vec![0; length];
        self.from.read_exact(&mut body).await?;
        Ok(body.into())
    }
}

fn ask(kind: u8, body: &mut Bytes) -> io::Result<Ask> {
    Ok(match kind {
        b'Q' => Ask::Query(text(body)?),
        b'P' => Ask::Parse { name: text(body)?, text: text(body)?, types: list(body, number)? },
        b'B' => Ask::Bind {
            portal: text(body)?,
            statement: text(body)?,
            formats: list(body, short)?,
            values: list(body, value)?,
            answers: list(body, short)?,
        },
        b'D' | b'C' => {
            need(body, 1)?;
            let what = body.get_u8();
            let name = text(body)?;
            match (kind, what) {
                (b'D', b'S') => Ask::DescribeStatement(name),
                (b'D', b'P') => Ask::DescribePortal(name),
                (b'C', b'S') => Ask::CloseStatement(name),
                (b'C', b'P') => Ask::ClosePortal(name),
                _ => return Err(damaged("neither a statement nor a portal is meant")),
            }
        }
        b'E' => Ask::Execute { portal: text(body)?, rows: number(body)? },
        b'S' => Ask::Sync,
        b'H' => Ask::Flush,
        PASSWORD => Ask::Password,
        b'X' => Ask::Terminate,
        b'd' | b'c' | b'f' => Ask::CopyData,
        b'F' => Ask::Function,
        _ => return Err(damaged("there is no such message")),
    })
}

fn list<T>(body: &mut Bytes, item: impl Fn(&mut Bytes) -> io::Result<T>) -> io::Result<Vec<T>> {
    let count = short(body)?.cast_unsigned();
    (0..count).map(|_| item(body)).collect()
}

fn value(body: &mut Bytes) -> io::Result<Option<Bytes>> {
    let length = number(body)?;
    if length == u32::MAX {
        return Ok(None);
    }
    let length = usize::try_from(length).map_err(|_| damaged("a value is too long"))?;
    need(body, length)?;
    Ok(Some(body.split_to(length)))
}

fn number(body: &mut Bytes) -> io::Result<u32> {
    need(body, 4)?;
    Ok(body.get_u32())
}

fn short(body: &mut Bytes) -> io::Result<i16> {
    need(body, 2)?;
    Ok(body.get_i16())
}

/// A text up to the zero that ends it.
fn text(body: &mut Bytes) -> io::Result<String> {
    let end = body.iter().position(|byte| *byte == 0).ok_or_else(|| damaged("a text has no end"))?;
    let found = body.split_to(end);
    body.advance(1);
    String::from_utf8(found.into()).map_err(|_| damaged("a text is not UTF-8"))
}

fn need(body: &Bytes, bytes: usize) -> io::Result<()> {
    if body.remaining() < bytes { Err(damaged("the message is too short")) } else { Ok(()) }
}

fn damaged(why: &'static str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read(bytes: &[u8]) -> io::Result<Ask> {
        Reader::new(bytes).next().await
    }

    #[tokio::test]
    async fn messages_are_read() {
        assert!(matches!(read(b"Q\0\0\0\x0dselect 1\0").await.unwrap(), Ask::Query(text) if text == "select 1"));
        let bind = b"B\0\0\0\x18\0s\0\0\x01\0\x01\0\x02\0\0\0\x01x\xff\xff\xff\xff\0\0";
        match read(bind).await.unwrap() {
            Ask::Bind { statement, formats, values, answers, .. } => {
                assert_eq!((statement.as_str(), formats), ("s", vec![1]));
                assert_eq!((values, answers), (vec![Some(Bytes::from("x")), None], vec![]));
            }
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn damaged_messages_are_refused_and_never_read_beyond_their_end() {
        for bytes in [
            &b"Q\0\0\0\x03"[..],
            b"Q\xff\xff\xff\xff",
            b"Q\0\0\0\x05x",
            b"Q\0\0\0\x05\xff",
            b"Q\0\0\0\x06\xff\0",
            b"Q\0\0\0\x05xQ\0\0\0\x06y\0",
            b"B\0\0\0\x0a\0\0\x7f\xff\0\0",
            b"B\0\0\0\x10\0\0\0\0\0\x01\0\0\0\x09x\0",
            b"D\0\0\0\x06X\0",
            b"z\0\0\0\x04",
        ] {
            assert!(read(bytes).await.is_err(), "{bytes:?}");
        }
        let opening = |bytes: &'static [u8]| async move { Reader::new(bytes).opening().await };
        assert!(opening(b"\0\0\0\x08\0\x02\0\0").await.is_err());
        assert!(matches!(opening(b"\0\0\0\x08\x04\xd2\x16\x2f").await.unwrap(), Opening::Tls));
    }
}
