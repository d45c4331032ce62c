//! Quarry for clients of PostgreSQL: the wire protocol 3.0 over the same accounts, rights, limits and jobs as the web
//! (`docs/decisions/0026`). It reads only; questions about the catalogue are answered in `catalogue/`.

mod answer;
mod beside;
mod bindable;
mod bound;
mod catalogue;
mod fault;
mod login;
mod numeric;
mod places;
mod prepared;
mod questions;
mod running;
mod selected;
mod session;
mod settings;
mod statement;
mod timeout;
mod types;
mod wire;

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncWriteExt, BufReader};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::app::App;
use crate::http::Client;
use login::Login;
use running::Running;
use session::{Begun, Session};
use timeout::Limits;
use wire::{Answers, Ask, Fault, Opening, Reader};

/// How long a client may take to log in.
const LOGIN_TIME: Duration = Duration::from_secs(30);
/// Pause after a connection could not be accepted, for want of file handles.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// One account may hold one of so many connections, so that it can't take the port from the others.
const ACCOUNT_SHARE: usize = 4;
/// Characters of a client's name that are remembered.
const NAME: usize = 100;

type Incoming = Reader<BufReader<OwnedReadHalf>>;

/// Serves clients until the app stops.
pub async fn serve(listener: TcpListener, connections: usize, app: App) {
    let places = Arc::new(Semaphore::new(connections.clamp(1, Semaphore::MAX_PERMITS)));
    let running = Arc::new(Running::new((connections / ACCOUNT_SHARE).max(1)));
    let mut open = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            Some(_) = open.join_next() => continue,
            () = app.stop.cancelled() => break,
        };
        let Ok((stream, address)) = accepted else {
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        let (app, running, place) = (app.clone(), running.clone(), places.clone().try_acquire_owned().ok());
        open.spawn(async move {
            let full = place.is_none();
            // A client that breaks off in the middle is no failure of ours.
            if let Err(error) = connection(stream, address, &app, &running, full).await {
                tracing::debug!(%error, "a client of PostgreSQL was cut off");
            }
            drop(place);
        });
    }
    while open.join_next().await.is_some() {}
}

async fn connection(
    stream: TcpStream,
    address: SocketAddr,
    app: &App,
    running: &Running,
    full: bool,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let (reader, mut writer) = stream.into_split();
    let mut reader = Reader::new(BufReader::new(reader));
    let mut answers = Answers::default();
    let login = tokio::time::timeout(
        LOGIN_TIME,
        begin(&mut reader, &mut writer, &mut answers, address.ip().to_canonical(), app, running, full),
    );
    let Ok(login) = login.await else { return Ok(()) };
    let Some(begun) = login? else { return Ok(()) };
    let session = Session::new(app, running, begun);
    session.run(&mut reader, &mut writer, answers).await
}

/// Everything up to the login; `None` when there is none, and nothing more to say.
async fn begin(
    reader: &mut Incoming,
    writer: &mut OwnedWriteHalf,
    answers: &mut Answers,
    address: IpAddr,
    app: &App,
    running: &Running,
    full: bool,
) -> io::Result<Option<Begun>> {
    let named = loop {
        match reader.opening().await? {
            Opening::Startup(named) => break named,
            Opening::Encryption => {
                answers.no_encryption();
                send(writer, answers).await?;
            }
            Opening::Cancel { process, secret } => {
                running.cancel(process, secret);
                return Ok(None);
            }
        }
    };
    let limits = Limits::of_options(named.get("options").map_or("", String::as_str));
    let name: String =
        named.get("application_name").map(String::as_str).unwrap_or_default().chars().take(NAME).collect();
    let refused = match (full, named.get("user")) {
        (true, _) => Fault::fatal("53300", "There are too many connections already; try again later."),
        _ if named.contains_key("replication") => Fault::fatal("0A000", "There is nothing to replicate."),
        (_, None) => Fault::fatal("28000", "The name of the user is missing."),
        (_, Some(user)) => {
            answers.ask_password();
            send(writer, answers).await?;
            let Ask::Password(password) = reader.password().await? else { return Ok(None) };
            let client = Client { address, agent: format!("PostgreSQL {name}").trim_end().to_string() };
            match Login::open(app, user, &password, client).await {
                Ok(login) => match running.enter(login.user.budget) {
                    Some(key) => return Ok(Some(Begun { login, key, application: name, limits })),
                    None => {
                        login.close(app).await;
                        Fault::fatal("53300", "This account has as many connections as it may; close one first.")
                    }
                },
                Err(error) => Fault { fatal: true, ..error.into() },
            }
        }
    };
    answers.fault(&refused);
    send(writer, answers).await?;
    Ok(None)
}

/// Sends what waits.
async fn send(writer: &mut OwnedWriteHalf, answers: &mut Answers) -> io::Result<()> {
    writer.write_all(&answers.take()).await
}
