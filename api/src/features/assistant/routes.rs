//! Calls of the assistant. An answer is a stream of server-sent events, so that it can be read while it is made.

use std::convert::Infallible;

use axum::extract::State;
use axum::response::sse::{Event, Sse};
use futures::{Stream, StreamExt};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{AnswerEvent, AssistantStatus, Question};
use crate::app::App;
use crate::assistant::{Assistant, Found, answer};
use crate::auth::CurrentUser;
use crate::http::{Answer, ApiError, Failure, Json, Reply, Success};

const LONGEST_QUESTION: usize = 1_000;
const MOST_TURNS: usize = 10;
const LONGEST_TURN: usize = 4_000;
/// Pieces that wait for a slow reader.
const WAITING: usize = 64;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(status)).routes(routes!(ask))
}

/// Whether a language model writes the answers.
#[utoipa::path(get, path = "/api/assistant/status", tag = "assistant", operation_id = "assistantStatus",
    security(("bearer" = [])),
    responses((status = 200, body = Success<AssistantStatus>), (status = "default", body = Failure)))]
async fn status(state: State<App>, _user: CurrentUser) -> Answer<AssistantStatus> {
    Ok(Reply(AssistantStatus { model: state.assistant.model.is_some() }))
}

/// Answers a question from the documentation, the tables, the functions and the example queries; each event is an
/// `AnswerEvent`.
#[utoipa::path(post, path = "/api/assistant/ask", tag = "assistant", operation_id = "askAssistant",
    request_body = Question, security(("bearer" = [])),
    responses((status = 200, body = AnswerEvent, content_type = "text/event-stream"),
        (status = "default", body = Failure)))]
async fn ask(
    state: State<App>,
    user: CurrentUser,
    body: Json<Question>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>> + use<>>, ApiError> {
    let question = checked(body.0)?;
    state.limits.questions.take(user.budget).map_err(ApiError::too_many)?;
    let found = state.assistant.find(&state.engine, &question.text).await?;
    let (to_reader, events) = mpsc::channel(WAITING);
    let (app, stop) = (state.0.clone(), state.stop.clone());
    state.tasks.spawn(async move { tell(&app, &question, &found, &to_reader, stop).await });
    let events = futures::stream::unfold(events, |mut events| async { Some((events.recv().await?, events)) });
    let event = |event: AnswerEvent| Ok(Event::default().data(serde_json::to_string(&event).unwrap_or_default()));
    Ok(Sse::new(events.map(event)))
}

fn checked(mut question: Question) -> Result<Question, ApiError> {
    question.text = question.text.trim().to_string();
    if !(1..=LONGEST_QUESTION).contains(&question.text.chars().count()) {
        return Err(ApiError::invalid("text", "A question has 1 to 1,000 characters."));
    }
    let long = question.before.iter().any(|turn| turn.text.chars().count() > LONGEST_TURN);
    if long || question.before.len() > MOST_TURNS {
        return Err(ApiError::invalid("before", "At most 10 turns of 4,000 characters come before a question."));
    }
    Ok(question)
}

/// Sends an answer piece by piece, until it is whole, its reader is gone, or the server stops.
async fn tell(app: &App, question: &Question, found: &Found, to: &mpsc::Sender<AnswerEvent>, stop: CancellationToken) {
    tokio::select! {
        () = stop.cancelled() => (),
        // The only failure is that nobody reads any more.
        _ = pieces(app, question, found, to) => (),
    }
}

async fn pieces(
    app: &App,
    question: &Question,
    found: &Found,
    to: &mpsc::Sender<AnswerEvent>,
) -> Result<(), mpsc::error::SendError<AnswerEvent>> {
    let language = Assistant::language_of(&question.text);
    let sources = found.passages().map(Into::into).collect();
    to.send(AnswerEvent::Found { language, sources, query: answer::query(found) }).await?;
    let told = match &app.assistant.model {
        Some(model) => match model.answer(&question.text, &question.before, found, language).await {
            Ok(text) => {
                let mut text = std::pin::pin!(text);
                loop {
                    match text.next().await {
                        Some(Ok(text)) => to.send(AnswerEvent::Text { text }).await?,
                        Some(Err(error)) => break Err(error),
                        None => break Ok(true),
                    }
                }
            }
            Err(error) => Err(error),
        },
        None => Ok(false),
    };
    if let Err(error) = &told {
        tracing::warn!(%error, "the assistant's model did not answer");
        to.send(AnswerEvent::Failed).await?;
    }
    if !matches!(told, Ok(true)) {
        to.send(AnswerEvent::Text { text: answer::from_passages(found, language) }).await?;
    }
    to.send(AnswerEvent::Done).await
}
