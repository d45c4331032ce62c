//! Quarry for clients of PostgreSQL: the wire protocol 3.0 over the same accounts, rights, limits and jobs as the web
//! (`docs/decisions/0026`). It reads only; questions about the catalogue are answered in `catalogue/`.

mod answer;
mod beside;
mod bindable;
mod bound;
mod catalogue;
mod copy;
mod cursors;
mod fault;
mod giving;
mod lists;
mod login;
mod moments;
mod numeric;
mod opening;
mod places;
mod portals;
mod prepared;
mod proof;
mod questions;
mod running;
mod selected;
mod session;
mod settings;
mod statement;
mod timeout;
mod types;
mod wire;
mod words;
mod writes;

use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_util::task::TaskTracker;

use crate::app::App;
use crate::http::bounded::{Accepted, Bounded};
use crate::http::places::{Bounds, Place};
use crate::http::{ApiError, Client};
use login::Login;
use opening::{Incoming, Opened, Outgoing, soon};
use running::Running;
use session::{Begun, Session};
use timeout::Limits;
use wire::{Answers, Fault};

/// How long a client may take to log in.
const LOGIN_TIME: Duration = Duration::from_secs(30);
/// Connections that are not logged in, beside those that are; and of one network.
const UNKNOWN: usize = 200;
const UNKNOWN_OF_ONE: usize = 20;
/// One account may hold one of so many connections, so that it can't take the port from the others.
const ACCOUNT_SHARE: usize = 4;
/// Characters of a client's name that are remembered.
const NAME: usize = 100;

/// How clients are served.
#[derive(Clone)]
pub struct Options {
    /// Most connections that are logged in.
    pub connections: usize,
    /// Whether the password is asked for as it is, not proven.
    pub cleartext: bool,
    /// Encrypts the connections of clients that ask for it; without, they are told that there is no encryption.
    pub tls: Option<TlsAcceptor>,
}

/// What all connections share.
struct Serving {
    app: App,
    options: Options,
    running: Running,
}

/// Serves clients until the app stops.
pub async fn serve(listener: TcpListener, options: Options, app: App) {
    let bounds = Bounds { most: options.connections.max(1), unfinished: UNKNOWN, of_one: UNKNOWN_OF_ONE };
    let mut listener = Bounded::new(listener, bounds);
    let running = Running::new((options.connections / ACCOUNT_SHARE).max(1));
    let stop = app.stop.clone();
    let serving = Arc::new(Serving { app, options, running });
    let open = TaskTracker::new();
    while let Some(accepted) = stop.run_until_cancelled(listener.accept()).await {
        let serving = serving.clone();
        open.spawn(async move {
            let place = accepted.place.clone();
            tokio::select! {
                // A client that breaks off in the middle is no failure of ours.
                ended = serving.connection(accepted) => if let Err(error) = ended {
                    tracing::debug!(%error, "a client of PostgreSQL was cut off");
                },
                () = place.cut() => {}
            }
        });
    }
    open.close();
    open.wait().await;
}

impl Serving {
    async fn connection(&self, accepted: Accepted) -> io::Result<()> {
        let Accepted { stream, address, place } = accepted;
        let mut answers = Answers::default();
        let begin = async {
            match opening::open(stream, self.options.tls.as_ref()).await? {
                Opened::Client { mut reader, mut writer, named } => {
                    let named = Named { named: &named, address: address.ip().to_canonical() };
                    let begun = self.begin(&mut reader, &mut writer, &mut answers, &named, &place).await?;
                    Ok(begun.map(|begun| (reader, writer, begun)))
                }
                Opened::Cancel { process, secret } => {
                    self.running.cancel(process, secret);
                    Ok::<_, io::Error>(None)
                }
            }
        };
        let Ok(begun) = tokio::time::timeout(LOGIN_TIME, begin).await else { return Ok(()) };
        let Some((mut reader, mut writer, begun)) = begun? else { return Ok(()) };
        Session::new(&self.app, &self.running, begun).run(&mut reader, &mut writer, answers).await
    }

    /// The login; `None` when there is none, and nothing more to say.
    async fn begin(
        &self,
        reader: &mut Incoming,
        writer: &mut Outgoing,
        answers: &mut Answers,
        client: &Named<'_>,
        place: &Place,
    ) -> io::Result<Option<Begun>> {
        let named = client.named;
        let limits = Limits::of_options(named.get("options").map_or("", String::as_str));
        let name: String =
            named.get("application_name").map(String::as_str).unwrap_or_default().chars().take(NAME).collect();
        let refused = match named.get("user") {
            _ if named.contains_key("replication") => Fault::fatal("0A000", "There is nothing to replicate."),
            None => Fault::fatal("28000", "The name of the user is missing."),
            Some(user) => {
                let client =
                    Client { address: client.address, agent: format!("PostgreSQL {name}").trim_end().to_string() };
                let login = self.app.db.unless_gone(self.log_in(reader, writer, answers, user, client)).await;
                match login.unwrap_or_else(|| Ok(Some(Err(ApiError::database_gone().into()))))? {
                    None => return Ok(None),
                    Some(Ok(login)) => match self.enter(&login, place) {
                        Ok(key) => return Ok(Some(Begun { login, key, application: name, limits })),
                        Err(fault) => {
                            login.close(&self.app).await;
                            fault
                        }
                    },
                    Some(Err(fault)) => Fault { fatal: true, ..fault },
                }
            }
        };
        answers.fault(&refused);
        send(writer, answers).await?;
        Ok(None)
    }

    async fn log_in(
        &self,
        reader: &mut Incoming,
        writer: &mut Outgoing,
        answers: &mut Answers,
        user: &str,
        client: Client,
    ) -> io::Result<Option<Result<Login, Fault>>> {
        if !self.options.cleartext {
            return proof::log_in(&self.app, reader, writer, answers, user, client).await;
        }
        answers.ask_password();
        send(writer, answers).await?;
        let Some(password) = soon(reader.password()).await? else { return Ok(None) };
        Ok(Some(Login::open(&self.app, user, &password, client).await.map_err(Fault::from)))
    }

    /// Takes a place for the connection; its number and what stops its queries.
    fn enter(&self, login: &Login, place: &Place) -> Result<(u32, u32), Fault> {
        if !place.begin() {
            return Err(Fault::fatal("53300", "There are too many connections already; try again later."));
        }
        let key = self.running.enter(login.user.budget);
        let msg = "This account has as many connections as it may; close one first.";
        key.ok_or_else(|| Fault::fatal("53300", msg))
    }
}

/// Who a client says it is.
struct Named<'a> {
    named: &'a std::collections::BTreeMap<String, String>,
    address: IpAddr,
}

/// Sends what waits.
async fn send(writer: &mut Outgoing, answers: &mut Answers) -> io::Result<()> {
    writer.write_all(&answers.take()).await?;
    writer.flush().await
}
