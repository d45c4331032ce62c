use std::net::IpAddr;

use super::*;

const OFTEN: u32 = ADDRESS.free;

fn place(last: u8) -> Network {
    IpAddr::from([192, 0, 2, last]).into()
}

/// Somewhere else each time.
fn elsewhere(number: u32) -> Network {
    IpAddr::from((0x0a00_0000 + number).to_be_bytes()).into()
}

async fn try_at(throttle: &Throttle, name: &str, place: Network, now: Instant) -> Result<Attempt, Wait> {
    throttle.begin_at(name, place, Pass::None, now).await
}

async fn guess(throttle: &Throttle, name: &str, times: u32, now: Instant) {
    for _ in 0..times {
        try_at(throttle, name, place(1), now).await.unwrap().wrong_at(now);
    }
}

/// Guesses from a new address each time, until the name is slowed.
async fn attack(throttle: &Throttle, name: &str, now: Instant) -> u32 {
    for number in 0.. {
        match try_at(throttle, name, elsewhere(number), now).await {
            Ok(attempt) => attempt.wrong_at(now),
            Err(Wait::Account(_)) => return number,
            Err(Wait::Own(_)) => panic!("each address is new"),
        }
    }
    unreachable!()
}

#[tokio::test]
async fn the_sixth_try_waits_and_only_there() {
    let throttle = Throttle::default();
    let now = Instant::now();
    guess(&throttle, "alice", 5, now).await;
    assert_eq!(try_at(&throttle, "alice", place(1), now).await.unwrap_err(), Wait::Own(MINUTE));
    assert!(try_at(&throttle, "alice", place(2), now).await.is_ok());
    assert!(try_at(&throttle, "bob", place(1), now).await.is_ok());
}

#[tokio::test]
async fn the_wait_ends_doubles_and_is_bounded() {
    let throttle = Throttle::default();
    let mut now = Instant::now();
    guess(&throttle, "alice", 5, now).await;
    for expected in [60, 120, 240, 480, 900, 900] {
        let Err(Wait::Own(wait)) = try_at(&throttle, "alice", place(1), now).await else { panic!("no wait") };
        assert_eq!(wait.as_secs(), expected);
        now += wait;
        guess(&throttle, "alice", 1, now).await;
    }
    now += FORGIVEN;
    guess(&throttle, "alice", 5, now).await;
    assert!(try_at(&throttle, "alice", place(1), now).await.is_err());
}

#[tokio::test]
async fn the_right_password_starts_at_zero_again() {
    let throttle = Throttle::default();
    let now = Instant::now();
    guess(&throttle, "alice", 4, now).await;
    try_at(&throttle, "alice", place(1), now).await.unwrap().right().await;
    guess(&throttle, "alice", 4, now).await;
    assert!(try_at(&throttle, "alice", place(1), now).await.is_ok());
}

#[tokio::test]
async fn one_address_cannot_try_everybody() {
    let throttle = Throttle::default();
    let now = Instant::now();
    for number in 0..OFTEN {
        guess(&throttle, &format!("user{number}"), 1, now).await;
    }
    assert!(try_at(&throttle, "somebody", place(1), now).await.is_err());
    assert!(try_at(&throttle, "somebody", place(2), now).await.is_ok());
}

#[tokio::test]
async fn many_at_once_are_no_more_than_one_after_the_other() {
    let throttle = Throttle::default();
    let now = Instant::now();
    let mut open = Vec::new();
    for number in 0..OFTEN {
        open.push(try_at(&throttle, &format!("user{number}"), place(1), now).await.unwrap());
    }
    assert!(try_at(&throttle, "somebody", place(1), now).await.is_err(), "no password was looked at yet");
    // Right ones are not counted, so a room full of people logs in.
    for attempt in open {
        attempt.right().await;
    }
    assert!(try_at(&throttle, "somebody", place(1), now).await.is_ok());
}

#[tokio::test]
async fn thousands_of_addresses_get_few_guesses_at_one_name() {
    let throttle = Throttle::default();
    let start = Instant::now();
    let mut guesses = attack(&throttle, "alice", start).await;
    assert_eq!(guesses, EVERYWHERE.free);
    // A day of 1,000 new addresses a minute.
    let mut number = guesses;
    for minute in 0..24 * 60 {
        let now = start + MINUTE * minute;
        for _ in 0..1_000 {
            number += 1;
            if let Ok(attempt) = try_at(&throttle, "alice", elsewhere(number), now).await {
                guesses += 1;
                attempt.wrong_at(now);
            }
        }
    }
    assert!(guesses <= 50 + 24 * 12 + 5, "{guesses}");
    assert!(try_at(&throttle, "bob", place(1), start).await.is_ok());
}

#[tokio::test]
async fn tries_at_once_from_everywhere_are_no_more_than_one_after_the_other() {
    let throttle = Throttle::default();
    let now = Instant::now();
    let mut open = Vec::new();
    for number in 0..EVERYWHERE.free {
        open.push(try_at(&throttle, "alice", elsewhere(number), now).await.unwrap());
    }
    assert!(matches!(try_at(&throttle, "alice", place(1), now).await, Err(Wait::Account(_))));
    drop(open);
}

#[tokio::test]
async fn a_known_browser_and_a_code_pass_what_others_guessed() {
    let throttle = Throttle::default();
    let now = Instant::now();
    attack(&throttle, "alice", now).await;
    let known = |device| throttle.begin_at("alice", place(1), Pass::Known(device), now);
    known("laptop").await.unwrap().right().await;
    throttle.begin_at("alice", place(1), Pass::Code, now).await.unwrap().right().await;
    assert!(matches!(try_at(&throttle, "alice", place(1), now).await, Err(Wait::Account(_))));
    // A stolen browser guesses no more than anybody else, and slows no other one.
    for _ in 0..ONE.free {
        known("stolen").await.unwrap().wrong_at(now);
    }
    assert!(matches!(known("stolen").await, Err(Wait::Own(_))));
    assert!(known("laptop").await.is_ok());
}

#[tokio::test]
async fn a_refused_try_does_not_count_against_its_address() {
    let throttle = Throttle::default();
    let now = Instant::now();
    attack(&throttle, "alice", now).await;
    for _ in 0..2 * OFTEN {
        assert!(matches!(try_at(&throttle, "alice", place(1), now).await, Err(Wait::Account(_))));
    }
    assert!(try_at(&throttle, "bob", place(1), now).await.is_ok());
}

#[tokio::test]
async fn a_second_factor_has_few_guesses_wherever_they_come_from() {
    let throttle = Throttle::default();
    let now = Instant::now();
    for _ in 0..ONE.free {
        throttle.begin_code_at(1, false, now).await.unwrap().wrong_at(now);
    }
    assert_eq!(throttle.begin_code_at(1, false, now).await.unwrap_err(), MINUTE);
    assert!(throttle.begin_code_at(1, true, now).await.is_ok(), "the owner's browser");
    assert!(throttle.begin_code_at(2, false, now).await.is_ok());
}

#[tokio::test]
async fn names_without_end_neither_fill_the_memory_nor_free_a_name_that_waits() {
    let throttle = Throttle::default();
    let now = Instant::now();
    attack(&throttle, "alice", now).await;
    for number in 0..u32::try_from(MOST_KEYS).unwrap() {
        let attempt = try_at(&throttle, &format!("n{number}"), elsewhere(1_000 + number), now).await;
        attempt.unwrap().wrong_at(now);
    }
    assert!(throttle.keys.lock().unwrap().len() <= MOST_KEYS);
    assert!(matches!(try_at(&throttle, "alice", place(1), now).await, Err(Wait::Account(_))));
}
