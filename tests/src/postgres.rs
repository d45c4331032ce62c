//! A client of PostgreSQL's protocol that can also say what no good client would.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use socket2::{Domain, Socket, Type};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::cluster::program;
use crate::scram;

/// The request for TLS.
pub const TLS: &[u8] = b"\0\0\0\x08\x04\xd2\x16\x2f";

/// Within this time a server says something, or ends the connection.
const PATIENCE: Duration = Duration::from_secs(20);

trait Duplex: Read + Write + Send {}
impl<T: Read + Write + Send> Duplex for T {}

/// A connection.
pub struct Client {
    stream: Box<dyn Duplex>,
    tcp: TcpStream,
    /// The process ID and secret of the connection, for cancel requests.
    key: Vec<u8>,
}

impl Client {
    /// Connects to `address` from another address of this machine: the server counts connections of each.
    pub fn connect(address: &str, from: Ipv4Addr) -> io::Result<Client> {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
        socket.bind(&SocketAddr::from((from, 0)).into())?;
        let to: SocketAddr = address.parse().expect("an address with a port");
        socket.connect(&to.into())?;
        let tcp = TcpStream::from(socket);
        tcp.set_read_timeout(Some(PATIENCE))?;
        tcp.set_write_timeout(Some(PATIENCE))?;
        tcp.set_nodelay(true)?;
        Ok(Client { stream: Box::new(tcp.try_clone()?), tcp, key: Vec::new() })
    }

    /// Asks for TLS and goes on encrypted.
    pub fn encrypt(mut self, tls: &Arc<ClientConfig>) -> io::Result<Client> {
        self.send(TLS)?;
        let mut answer = [0];
        self.stream.read_exact(&mut answer)?;
        assert_eq!(&answer, b"S", "TLS is served");
        let session = ClientConnection::new(tls.clone(), server_name()).map_err(io::Error::other)?;
        let stream = Box::new(StreamOwned::new(session, self.tcp.try_clone()?));
        Ok(Client { stream, tcp: self.tcp, key: Vec::new() })
    }

    /// Logs in and reads until the server waits for a query.
    pub fn log_in(&mut self, user: &str, password: &str) -> io::Result<()> {
        self.send(&startup(&[("user", user), ("database", "quarry")]))?;
        self.expect(b'R')?;
        self.send(&scram_first(&scram::first()))?;
        let answer = self.expect(b'R')?;
        let answer = String::from_utf8_lossy(answer.get(4..).unwrap_or_default()).into_owned();
        let last = scram::last(&answer, password).ok_or_else(|| io::Error::other(format!("no SCRAM: {answer}")))?;
        self.send(&message(b'p', last.as_bytes()))?;
        loop {
            match self.expect_any()? {
                (b'K', key) => self.key = key,
                (b'Z', _) => return Ok(()),
                _ => {}
            }
        }
    }

    /// Sends a cancel request for this connection, and waits until the server has read it.
    pub fn cancel(&self, address: &str, from: Ipv4Addr) -> io::Result<()> {
        let mut other = Client::connect(address, from)?;
        other.send(&[&b"\0\0\0\x10\x04\xd2\x16\x2e"[..], &self.key].concat())?;
        other.end();
        Ok(())
    }

    /// The first value of the answer to a simple query.
    pub fn ask(&mut self, text: &str) -> io::Result<String> {
        self.send(&query(text))?;
        let mut first = None;
        loop {
            match self.expect_any()? {
                (b'D', row) => first = first.or(Some(String::from_utf8_lossy(row.get(6..).unwrap_or_default()).into())),
                (b'Z', _) => return first.ok_or_else(|| io::Error::other("no rows")),
                _ => {}
            }
        }
    }

    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)?;
        self.stream.flush()
    }

    /// The next message: its letter and its body.
    pub fn receive(&mut self) -> io::Result<(u8, Vec<u8>)> {
        let mut head = [0; 5];
        self.stream.read_exact(&mut head)?;
        let length = u32::from_be_bytes([head[1], head[2], head[3], head[4]]) as usize;
        let mut body = vec![0; length.checked_sub(4).ok_or(ErrorKind::InvalidData)?];
        self.stream.read_exact(&mut body)?;
        Ok((head[0], body))
    }

    fn expect(&mut self, letter: u8) -> io::Result<Vec<u8>> {
        let (found, body) = self.expect_any()?;
        assert_eq!(char::from(found), char::from(letter), "{}", String::from_utf8_lossy(&body));
        Ok(body)
    }

    /// The next message, which must not be an error.
    fn expect_any(&mut self) -> io::Result<(u8, Vec<u8>)> {
        match self.receive()? {
            (b'E', body) => Err(io::Error::other(String::from_utf8_lossy(&body).into_owned())),
            other => Ok(other),
        }
    }

    /// Says that nothing more comes, and reads to the end, which the server must bring about.
    pub fn end(mut self) {
        // Fails when the server was faster.
        let _ = self.tcp.shutdown(Shutdown::Write);
        let mut rest = [0; 16 * 1024];
        loop {
            match self.stream.read(&mut rest) {
                Ok(0) => return,
                Ok(_) => {}
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    panic!("the server keeps a connection that its client has ended")
                }
                // Cut off, or no TLS any more.
                Err(_) => return,
            }
        }
    }
}

/// psql without the settings of its user. It prints bare values and stops at the first error.
pub fn psql(host: &str, port: &str, user: &str, password: &str) -> Command {
    let mut psql = Command::new(program("psql"));
    psql.args(["-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", host, "-p", port, "-U", user, "-d", "quarry"]);
    psql.env("PGPASSWORD", password);
    psql
}

/// TLS that trusts the certificate that the server made for itself.
pub fn tls(home: &Path) -> Arc<ClientConfig> {
    let certificate = CertificateDer::from_pem_file(home.join("postgres-tls.pem")).expect("a certificate in the home");
    let mut roots = RootCertStore::empty();
    roots.add(certificate).expect("a certificate that can be trusted");
    Arc::new(ClientConfig::builder().with_root_certificates(roots).with_no_client_auth())
}

/// What a client of TLS says first.
pub fn client_hello(tls: &Arc<ClientConfig>) -> Vec<u8> {
    let mut session = ClientConnection::new(tls.clone(), server_name()).expect("a session");
    let mut bytes = Vec::new();
    session.write_tls(&mut bytes).expect("a vector takes all");
    bytes
}

fn server_name() -> ServerName<'static> {
    ServerName::try_from("localhost").expect("a name")
}

/// A message with its length in front.
pub fn message(letter: u8, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len() + 4).expect("a short message");
    [&[letter], &length.to_be_bytes()[..], body].concat()
}

/// The first message of a login.
pub fn startup(named: &[(&str, &str)]) -> Vec<u8> {
    let named: Vec<u8> = named.iter().flat_map(|(name, value)| texts(&[name, value])).collect();
    let body = [&(3_u32 << 16).to_be_bytes()[..], &named, b"\0"].concat();
    // The same as any other message, without a letter.
    message(b'?', &body).split_off(1)
}

/// The client's choice of SCRAM-SHA-256 with its first message.
pub fn scram_first(first: &str) -> Vec<u8> {
    let length = u32::try_from(first.len()).expect("a short text");
    message(b'p', &[&texts(&["SCRAM-SHA-256"])[..], &length.to_be_bytes(), first.as_bytes()].concat())
}

pub fn query(text: &str) -> Vec<u8> {
    message(b'Q', &texts(&[text]))
}

/// Texts as the protocol writes them: each with a zero byte behind it.
pub fn texts(of: &[&str]) -> Vec<u8> {
    of.iter().flat_map(|text| text.bytes().chain([0])).collect()
}
