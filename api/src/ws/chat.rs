//! Private letters over the websocket: kept first, then acknowledged and carried to the receiver.

use super::message::{ChatAck, ChatMessage, ChatSend, ServerMessage};
use crate::app::App;
use crate::auth::{CurrentUser, rules};
use crate::http::ApiError;
use crate::http::error::NO_SUCH_USER;
use crate::letters::{self, Kept, NewLetter};

/// Stands between the receiver's name and the text; no name contains it.
const SEPARATOR: &str = "@@@";

/// Keeps and carries a letter; answers what its sender is told.
pub async fn deliver(app: &App, user: &CurrentUser, letter: ChatSend) -> ServerMessage {
    let kept = app.db.unless_gone(keep(app, user, &letter)).await;
    match kept.unwrap_or_else(|| Err(ApiError::database_gone().into())) {
        Ok(()) => ServerMessage::ChatAck(ChatAck { kind: "ack".to_string(), time: letter.time }),
        Err(Refused(code, message)) => ServerMessage::unsent(&code, &message, cut(letter.time)),
    }
}

/// Code and sentence.
struct Refused(String, String);

impl Refused {
    fn new(code: &str, message: &str) -> Refused {
        Refused(code.to_string(), message.to_string())
    }
}

impl From<ApiError> for Refused {
    fn from(error: ApiError) -> Refused {
        error.log();
        Refused(error.code.into_owned(), error.msg)
    }
}

impl From<sqlx::Error> for Refused {
    fn from(error: sqlx::Error) -> Refused {
        ApiError::from(error).into()
    }
}

async fn keep(app: &App, user: &CurrentUser, letter: &ChatSend) -> Result<(), Refused> {
    let Some((to, text)) = letter.msg.split_once(SEPARATOR) else {
        return Err(Refused::new("invalid_message", "A letter is the receiver's name, @@@, and the text."));
    };
    if !rules::visible(text) {
        return Err(Refused::new("empty_letter", "A letter without a text is not sent."));
    }
    if text.chars().count() > letters::LONGEST {
        return Err(Refused::new("letter_too_long", "A letter has at most 2,000 characters."));
    }
    if letter.msg.contains('\0') || letter.time.contains('\0') {
        return Err(ApiError::zero_byte().into());
    }
    if letter.time.is_empty() || letter.time.chars().count() > letters::LONGEST_TIME {
        return Err(Refused::new("invalid_message", "The time of a letter is id@@@timestamp."));
    }
    if app.limits.letters.take(user.budget).is_err() {
        return Err(Refused::new("too_many_letters", "You write too fast; wait a moment."));
    }
    let receiver = letters::receiver(&app.db, to).await?.filter(|id| *id != user.id);
    let receiver = receiver.ok_or_else(|| Refused::new("no_such_user", NO_SUCH_USER))?;
    let new = NewLetter { from: user.id, to: receiver, content: text, client_time: &letter.time };
    match letters::keep(&app.db, &new).await? {
        Kept::New(time) => {
            let message = ChatMessage { msg: text.to_string(), time, from: user.name.clone(), to: to.to_string() };
            app.hub.send(receiver, ServerMessage::Chat(message.clone()));
            app.hub.send(user.id, ServerMessage::ChatSent(message));
            Ok(())
        }
        Kept::Again => Ok(()),
        Kept::Other => Err(Refused::new("invalid_message", "Another letter of yours has this time already.")),
    }
}

/// An answer does not repeat more than a letter's time may be long.
fn cut(time: String) -> String {
    time.chars().take(letters::LONGEST_TIME).collect()
}
