//! A connection until it says who it is: TLS first, where the client wants it.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, split};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;

use super::wire::{Opening, Reader};

/// How long a client may be silent before it is logged in.
const SILENCE: Duration = Duration::from_secs(5);
/// Answers to the question for encryption.
const YES: &[u8] = b"S";
const NO: &[u8] = b"N";

pub type Incoming = Reader<BufReader<Box<dyn AsyncRead + Send + Unpin>>>;
pub type Outgoing = Box<dyn AsyncWrite + Send + Unpin>;

/// What a connection is for.
pub enum Opened {
    Client {
        reader: Incoming,
        writer: Outgoing,
        /// `user`, `application_name` and other names with their values.
        named: BTreeMap<String, String>,
    },
    /// To stop what another one runs.
    Cancel { process: u32, secret: u32 },
}

/// What the client sends next before it is logged in; an error when nothing comes.
pub async fn soon<T>(read: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    tokio::time::timeout(SILENCE, read).await.unwrap_or_else(|_| Err(ErrorKind::TimedOut.into()))
}

/// Reads the first messages.
pub async fn open(stream: TcpStream, tls: Option<&TlsAcceptor>) -> io::Result<Opened> {
    let mut plain = BufReader::new(stream);
    loop {
        match soon(Reader::new(&mut plain).opening()).await? {
            Opening::Startup(named) => return Ok(client(plain, named)),
            Opening::Cancel { process, secret } => return Ok(Opened::Cancel { process, secret }),
            Opening::Tls => match tls {
                Some(tls) => return encrypted(plain, tls).await,
                None => plain.write_all(NO).await?,
            },
            Opening::Gss => plain.write_all(NO).await?,
        }
    }
}

async fn encrypted(mut plain: BufReader<TcpStream>, tls: &TlsAcceptor) -> io::Result<Opened> {
    if !plain.buffer().is_empty() {
        // It would pass for a part of what is encrypted, whoever put it there.
        return Err(io::Error::new(ErrorKind::InvalidData, "the client spoke before the encryption began"));
    }
    plain.write_all(YES).await?;
    let mut stream = BufReader::new(soon(tls.accept(plain.into_inner())).await?);
    match soon(Reader::new(&mut stream).opening()).await? {
        Opening::Startup(named) => Ok(client(stream, named)),
        Opening::Cancel { process, secret } => Ok(Opened::Cancel { process, secret }),
        Opening::Tls | Opening::Gss => {
            Err(io::Error::new(ErrorKind::InvalidData, "the connection is encrypted already"))
        }
    }
}

fn client<S>(stream: S, named: BTreeMap<String, String>) -> Opened
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let (reader, writer) = split(stream);
    let reader: Box<dyn AsyncRead + Send + Unpin> = Box::new(reader);
    Opened::Client { reader: Reader::new(BufReader::new(reader)), writer: Box::new(writer), named }
}
