//! Carries what concerns a user to all of that user's sockets, and to nobody else's.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::broadcast;

use super::message::ServerMessage;
use crate::jobs::model::JobView;

/// Messages that wait for a slow socket before it is told to load everything again.
const BACKLOG: usize = 256;

/// What a user's sockets are told.
#[derive(Debug, Clone)]
pub enum Notice {
    Message(ServerMessage),
    /// This session was ended, or with `None` every session of the user: its sockets close.
    Ended(Option<String>),
}

/// One channel per user with an open socket.
#[derive(Debug, Default)]
pub struct Hub {
    users: Mutex<HashMap<i64, broadcast::Sender<Notice>>>,
}

impl Hub {
    /// What is announced to this user from now on; nothing where the user has `most` sockets already.
    pub fn listen(&self, user: i64, most: usize) -> Option<broadcast::Receiver<Notice>> {
        let mut users = self.users();
        let sender = users.entry(user).or_insert_with(|| broadcast::channel(BACKLOG).0);
        (sender.receiver_count() < most).then(|| sender.subscribe())
    }

    /// Tells every socket of the user that a job has another state.
    pub fn announce(&self, user: i64, job: JobView) {
        self.tell(user, Notice::Message(ServerMessage::State(Box::new(job))));
    }

    /// Closes the sockets of a session of the user.
    pub fn end(&self, user: i64, session: &str) {
        self.tell(user, Notice::Ended(Some(session.to_string())));
    }

    /// Closes every socket of the user.
    pub fn end_all(&self, user: i64) {
        self.tell(user, Notice::Ended(None));
    }

    /// Sends a message to every socket of the user.
    pub fn send(&self, user: i64, message: ServerMessage) {
        self.tell(user, Notice::Message(message));
    }

    /// Sends a message to every socket of everybody.
    pub fn send_all(&self, message: &ServerMessage) {
        // Nobody listening is no failure; the channel goes with the next message to that user.
        self.users().values().for_each(|sender| drop(sender.send(Notice::Message(message.clone()))));
    }

    fn tell(&self, user: i64, notice: Notice) {
        let mut users = self.users();
        let Some(sender) = users.get(&user) else { return };
        // Nobody listens any more: the channel goes with the last socket.
        if sender.send(notice).is_err() {
            users.remove(&user);
        }
    }

    /// Open sockets of the user.
    pub fn sockets(&self, user: i64) -> usize {
        self.users().get(&user).map_or(0, broadcast::Sender::receiver_count)
    }

    /// Open sockets of everybody.
    pub fn all_sockets(&self) -> usize {
        self.users().values().map(broadcast::Sender::receiver_count).sum()
    }

    fn users(&self) -> MutexGuard<'_, HashMap<i64, broadcast::Sender<Notice>>> {
        // A panic between two statements here leaves a whole map behind, so a poisoned lock is still good.
        self.users.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_has_so_many_sockets_and_others_have_theirs() {
        let hub = Hub::default();
        let mut open: Vec<_> = (0..3).filter_map(|_| hub.listen(1, 2)).collect();
        assert_eq!((open.len(), hub.sockets(1)), (2, 2));
        assert!(hub.listen(2, 2).is_some());
        open.pop();
        assert!(hub.listen(1, 2).is_some(), "a closed one makes room");
    }
}
