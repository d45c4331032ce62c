//! Bounds how much one account does at once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

/// At most `most` at once for each account.
#[derive(Debug)]
pub struct AtOnce {
    most: usize,
    begun: Mutex<HashMap<i64, Arc<AsyncMutex<()>>>>,
}

/// One that goes on, until it is dropped.
#[derive(Debug)]
pub struct Begun {
    turn: Arc<AsyncMutex<()>>,
}

impl AtOnce {
    pub fn new(most: usize) -> AtOnce {
        AtOnce { most, begun: Mutex::default() }
    }

    /// Lets one more of this account begin; `None` when as many go on as there may be.
    pub fn begin(&self, account: i64) -> Option<Begun> {
        // A panic between two statements here leaves a whole map behind, so a poisoned lock is still good.
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        // Each that goes on holds its account's turn, beside the map.
        begun.retain(|_, turn| Arc::strong_count(turn) > 1);
        let turn = begun.entry(account).or_default();
        (Arc::strong_count(turn) <= self.most).then(|| Begun { turn: Arc::clone(turn) })
    }
}

/// The one of an account whose turn it is, until it is dropped.
#[derive(Debug)]
pub struct Turn {
    _held: OwnedMutexGuard<()>,
}

impl Begun {
    /// Waits until no other of the account has its turn; goes on until the turn is dropped.
    pub async fn turn(self) -> Turn {
        Turn { _held: self.turn.lock_owned().await }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[test]
    fn each_account_has_its_own_count() {
        let uploads = AtOnce::new(2);
        let (first, second) = (uploads.begin(1), uploads.begin(1));
        assert!(first.is_some() && second.is_some() && uploads.begin(1).is_none());
        assert!(uploads.begin(2).is_some());
        drop(first);
        assert!(uploads.begin(1).is_some(), "one that ended makes room");
        drop(second);
        uploads.begin(3);
        assert_eq!(uploads.begun.lock().unwrap().len(), 1, "who has ended is forgotten");
    }

    #[test]
    fn those_of_one_account_take_turns() {
        let uploads = AtOnce::new(2);
        let (first, second, other) = (uploads.begin(1).unwrap(), uploads.begin(1).unwrap(), uploads.begin(2).unwrap());
        let turn = first.turn().now_or_never().unwrap();
        let mut second = Box::pin(second.turn());
        assert!(second.as_mut().now_or_never().is_none());
        assert!(other.turn().now_or_never().is_some());
        assert!(uploads.begin(1).is_none(), "who has a turn or waits for one goes on");
        drop(turn);
        assert!(second.now_or_never().is_some());
    }
}
