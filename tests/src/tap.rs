//! A pipe between `quarry` and a node that stops after so many bytes: an interruption at a known place, not at a time.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Forwards to the node until `limit` bytes of answers have passed, then holds everything back.
pub struct Tap {
    pub port: u16,
    dry: Receiver<()>,
}

impl Tap {
    pub fn start(node: u16, limit: u64) -> Tap {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("the listener has an address").port();
        let (tell, dry) = sync_channel(1);
        let left = Arc::new(Mutex::new(limit));
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let server = TcpStream::connect(("127.0.0.1", node)).expect("the node listens");
                let (asks, answers) = (client.try_clone().unwrap(), server.try_clone().unwrap());
                std::thread::spawn(move || copy(asks, server, |_| true));
                let (left, tell) = (left.clone(), tell.clone());
                std::thread::spawn(move || copy(answers, client, |bytes| spend(&left, &tell, bytes)));
            }
        });
        Tap { port, dry }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Waits until the limit is reached.
    pub fn wait_until_dry(&self) {
        self.dry.recv_timeout(Duration::from_secs(60)).expect("more answers than the limit come within a minute");
    }
}

/// Whether `bytes` may still pass. Once they may not, nothing passes any more, and the test is told.
fn spend(left: &Mutex<u64>, tell: &SyncSender<()>, bytes: u64) -> bool {
    let mut left = left.lock().unwrap();
    *left = left.saturating_sub(bytes);
    if *left == 0 {
        // The channel holds one message: a second connection that runs dry has nothing new to tell.
        let _ = tell.try_send(());
    }
    *left > 0
}

fn copy(mut from: TcpStream, mut to: TcpStream, mut may_pass: impl FnMut(u64) -> bool) {
    let mut buffer = [0; 16 * 1024];
    while let Ok(read) = from.read(&mut buffer) {
        if read == 0 || !may_pass(read as u64) {
            if read > 0 {
                // Held back: the connection stays open without an answer until the other side gives up.
                let _ = to.read(&mut buffer);
            }
            break;
        }
        if to.write_all(&buffer[..read]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
    let _ = from.shutdown(Shutdown::Both);
}
