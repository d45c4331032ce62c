//! One open websocket: reads what the client asks, sends what it follows, and ends when either side, the session or the
//! server does.

use std::collections::HashMap;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use axum::http::StatusCode;
use futures::stream::SplitSink;
use futures::{SinkExt, StreamExt};
use quarry_runtime::job::{JobHandle, JobSnapshot};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{mpsc, watch};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until, timeout};

use super::batch::Batch;
use super::chat;
use super::hub::Notice;
use super::message::{ClientMessage, Empty, ServerMessage};
use super::routes::MESSAGE_LIMIT;
use crate::app::App;
use crate::auth::CurrentUser;
use crate::http::intake::Intake;
use crate::http::{ApiError, strict};
use crate::jobs::model::JobView;
use crate::jobs::store::JobRow;
use crate::time::now_ms;

/// A silent connection is asked for a sign of life this often; the second unanswered ask ends it.
const PING: Duration = Duration::from_secs(30);
/// A client that takes longer than this to read one message is gone.
const SEND_LIMIT: Duration = Duration::from_secs(20);
/// A client has this long to answer the end of the connection.
const CLOSING: Duration = Duration::from_secs(1);
/// Shortest time between two messages about the same job, the last one excepted.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);
/// Jobs one socket may follow at a time.
const SUBSCRIPTIONS: usize = 100;
/// Bytes that may come until a message is whole: the largest one in pieces of a letter each, which have heads of 6 bytes.
const INTAKE: i64 = 16 * MESSAGE_LIMIT as i64;
/// Bytes before what a ping or a pong says.
const FRAME_HEAD: i64 = 6;
/// Messages a client may send at once, and how many it gains per second.
const BURST: f64 = 100.0;
const PER_SECOND: f64 = 20.0;

const LOGGED_OUT: (u16, &str) = (close_code::POLICY, "Logged out.");

/// Serves one websocket to its end; `notices` are what the hub says to its user.
pub async fn serve(app: App, user: CurrentUser, mut notices: Receiver<Notice>, stream: WebSocket, intake: Intake) {
    intake.bound(INTAKE);
    let (sink, mut incoming) = stream.split();
    let (outbox, mut outgoing) = mpsc::channel(32);
    let stop = app.stop.clone();
    let life = u64::try_from(user.expires_at - now_ms()).unwrap_or(0);
    let expiry = Instant::now() + Duration::from_millis(life);
    let session = user.session.clone();
    let mut socket = Socket { app, user, sink, outbox, follows: HashMap::new(), tasks: JoinSet::new() };
    let mut allowance = Allowance::new();
    let mut ping = interval(PING);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut unanswered = 0;
    let end = loop {
        let sent = tokio::select! {
            message = incoming.next() => match message {
                Some(Ok(Message::Text(text))) => {
                    unanswered = 0;
                    intake.bound(INTAKE);
                    if !allowance.take() {
                        break (close_code::POLICY, "Too many messages.");
                    }
                    let asked = strict::read(text.as_bytes()).ok();
                    // These show and do what the account may, which may have changed since.
                    let rights = matches!(asked, Some(ClientMessage::Subscribe(_) | ClientMessage::Chat(_)));
                    if rights && !socket.renew().await {
                        break LOGGED_OUT;
                    }
                    socket.handle(asked).await
                }
                Some(Ok(Message::Binary(_))) => break (close_code::UNSUPPORTED, "Only text messages are understood."),
                Some(Ok(Message::Ping(sent) | Message::Pong(sent))) => {
                    unanswered = 0;
                    // They come among the pieces of a message, and pay for themselves only.
                    intake.grant(sent.len() as i64 + FRAME_HEAD, INTAKE);
                    if !allowance.take() {
                        break (close_code::POLICY, "Too many messages.");
                    }
                    true
                }
                Some(Ok(Message::Close(_))) | None => break (close_code::NORMAL, ""),
                Some(Err(_)) => break (close_code::SIZE, "The message is too large or not well-formed."),
            },
            Some(message) = outgoing.recv() => socket.send(&message).await,
            notice = notices.recv() => match notice {
                Ok(Notice::Message(message)) => socket.send(&message).await,
                Ok(Notice::Ended(ended)) if ended.as_ref().is_none_or(|ended| *ended == session) => break LOGGED_OUT,
                Ok(Notice::Ended(_)) => true,
                // The end of the session may have been among what was missed.
                Err(RecvError::Lagged(_)) if !socket.renew().await => break LOGGED_OUT,
                Err(RecvError::Lagged(_)) => socket.send(&ServerMessage::Resync(Empty {})).await,
                Err(RecvError::Closed) => break (close_code::AWAY, "The server stops."),
            },
            Some(_) = socket.tasks.join_next() => true,
            _ = ping.tick() => {
                // Another program may have ended the session.
                if !socket.renew().await {
                    break LOGGED_OUT;
                }
                unanswered += 1;
                unanswered <= 2 && socket.write(Message::Ping(Default::default())).await
            }
            () = sleep_until(expiry) => break (close_code::POLICY, "The login has expired."),
            () = stop.cancelled() => break (close_code::AWAY, "The server stops."),
        };
        if !sent {
            return;
        }
    };
    let (code, reason) = end;
    socket.write(Message::Close(Some(CloseFrame { code, reason: reason.into() }))).await;
    // The operating system cuts a connection that is closed with something unread, and the client would not learn why.
    let rest = async { while let Some(Ok(_)) = incoming.next().await {} };
    let _ = timeout(CLOSING, rest).await;
}

struct Socket {
    app: App,
    user: CurrentUser,
    sink: SplitSink<WebSocket, Message>,
    outbox: mpsc::Sender<ServerMessage>,
    follows: HashMap<String, AbortHandle>,
    tasks: JoinSet<()>,
}

impl Socket {
    /// Reads anew who the user is; false when the session is over, or the account has another role: what it follows was
    /// allowed to the former one.
    async fn renew(&mut self) -> bool {
        let user = CurrentUser::of_session_still(&self.app, &self.user.session);
        match self.app.db.unless_gone(user).await.unwrap_or_else(|| Err(ApiError::database_gone())) {
            Ok(user) => {
                let same = user.role == self.user.role;
                self.user = user;
                same
            }
            // A database that does not answer ends no session.
            Err(error) => error.status != StatusCode::UNAUTHORIZED,
        }
    }

    /// Does what a message asks, where it was understood; false when the client is gone.
    async fn handle(&mut self, asked: Option<ClientMessage>) -> bool {
        match asked {
            Some(ClientMessage::Subscribe(job)) => self.subscribe(job.job_id).await,
            Some(ClientMessage::Unsubscribe(job)) => {
                if let Some(follow) = self.follows.remove(&job.job_id) {
                    follow.abort();
                }
                true
            }
            Some(ClientMessage::Chat(letter)) => {
                let answer = chat::deliver(&self.app, &self.user, letter).await;
                self.send(&answer).await
            }
            Some(ClientMessage::Ping(_)) => self.send(&ServerMessage::Pong(Empty {})).await,
            None => {
                let message = "The message is not of a known type or lacks a field.";
                self.send(&ServerMessage::error("invalid_message", message, None)).await
            }
        }
    }

    async fn subscribe(&mut self, id: String) -> bool {
        self.follows.retain(|_, follow| !follow.is_finished());
        if self.follows.len() >= SUBSCRIPTIONS && !self.follows.contains_key(&id) {
            let message = "This connection follows too many jobs.";
            return self.send(&ServerMessage::error("too_many_subscriptions", message, Some(id))).await;
        }
        let row = self.app.db.unless_gone(self.app.jobs.find(&self.user, &id)).await;
        let row = match row.unwrap_or_else(|| Err(ApiError::database_gone())) {
            Ok(row) => row,
            Err(error) => return self.send(&ServerMessage::error(&error.code, &error.msg, Some(id))).await,
        };
        let view = self.app.jobs.view(&row).await;
        let handle = self.app.jobs.handle(&id);
        let mut sent = self.send(&ServerMessage::Progress(Box::new(view.clone()))).await;
        let mut batch = handle.as_ref().and_then(|handle| Batch::of(handle, &row));
        for message in batch.iter_mut().flat_map(|batch| batch.news(&view)) {
            sent = sent && self.send(&message).await;
        }
        let handle = handle.filter(|_| !view.state.is_final());
        if let Some(handle) = handle {
            let follow =
                self.tasks.spawn(follow(self.app.clone(), handle, row, view.version, batch, self.outbox.clone()));
            if let Some(former) = self.follows.insert(id, follow) {
                former.abort();
            }
        }
        sent
    }

    async fn send(&mut self, message: &ServerMessage) -> bool {
        match serde_json::to_string(message) {
            Ok(text) => self.write(Message::Text(text.into())).await,
            Err(error) => {
                tracing::error!(%error, "a websocket message could not be written");
                true
            }
        }
    }

    async fn write(&mut self, message: Message) -> bool {
        matches!(timeout(SEND_LIMIT, self.sink.send(message)).await, Ok(Ok(())))
    }
}

/// Sends what is newer than `seen` until the job has ended.
async fn follow(
    app: App,
    handle: JobHandle,
    row: JobRow,
    mut seen: u64,
    mut batch: Option<Batch>,
    outbox: mpsc::Sender<ServerMessage>,
) {
    let mut changes = handle.watch();
    let mut pause_until = Instant::now() + PROGRESS_EVERY;
    loop {
        if changes.wait_for(|snapshot| snapshot.version > seen).await.is_err() {
            return;
        }
        tokio::select! {
            () = sleep_until(pause_until) => {}
            () = ended(&mut changes) => {}
        }
        let snapshot = changes.borrow_and_update().clone();
        seen = snapshot.version;
        pause_until = Instant::now() + PROGRESS_EVERY;
        if snapshot.state.is_final() {
            app.jobs.recorded(&row.id).await;
        }
        let view = JobView::new(&row, Some(&snapshot));
        let news: Vec<ServerMessage> = batch.iter_mut().flat_map(|batch| batch.news(&view)).collect();
        for message in news.into_iter().chain([ServerMessage::Progress(Box::new(view))]) {
            if outbox.send(message).await.is_err() {
                return;
            }
        }
        if snapshot.state.is_final() {
            return;
        }
    }
}

async fn ended(changes: &mut watch::Receiver<JobSnapshot>) {
    // An error means that the job is gone, so nothing more comes of it.
    let _ = changes.wait_for(|snapshot| snapshot.state.is_final()).await;
}

/// How many messages a client may still send.
struct Allowance {
    left: f64,
    counted: Instant,
}

impl Allowance {
    fn new() -> Allowance {
        Allowance { left: BURST, counted: Instant::now() }
    }

    fn take(&mut self) -> bool {
        let now = Instant::now();
        self.left = (self.left + now.duration_since(self.counted).as_secs_f64() * PER_SECOND).min(BURST);
        self.counted = now;
        self.left -= 1.0;
        self.left >= 0.0
    }
}
