//! Calls for feedback.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{FeedbackForm, FeedbackParams, FeedbackState, FeedbackView, Handling};
use super::store::{self, Answered};
use crate::app::App;
use crate::auth::deeds::Deed;
use crate::auth::rights::FeedbackDesk;
use crate::auth::{Allowed, CurrentUser, rules};
use crate::db::list::{Page, Paged};
use crate::http::{Answer, ApiError, Failure, Json, Path, Query, Reply, Said, Success, csv};
use crate::letters::{self, Kept, NewLetter};
use crate::time::now_ms;
use crate::uploads::{self, Scene};
use crate::ws::message::{ChatMessage, ServerMessage};

/// Pictures of one feedback.
const PHOTOS: usize = 10;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(upload)).routes(routes!(list)).routes(routes!(file)).routes(routes!(handle))
}

/// Sends feedback.
#[utoipa::path(post, path = "/api/feedback/upload", tag = "feedback", operation_id = "uploadFeedback",
    request_body = FeedbackForm, security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn upload(state: State<App>, user: CurrentUser, body: Json<FeedbackForm>) -> Result<Said<bool>, ApiError> {
    let mut form = body.0;
    form.feedback_title = form.feedback_title.trim().to_string();
    form.feedback_content = form.feedback_content.trim().to_string();
    check(&form)?;
    for path in photos(&form) {
        let row = uploads::find(&state.db, path).await?;
        let own = row.is_some_and(|row| row.owner_id == user.id && row.scene == Scene::Feedback.name());
        if !own {
            return Err(ApiError::invalid("feedbackPhoto", "One of the pictures was not uploaded."));
        }
    }
    state.limits.feedback.take(user.budget).map_err(ApiError::too_many)?;
    store::insert(&state.db, user.id, &form).await?;
    Ok(Said("Send successfully!", true))
}

/// Feedback of everybody, newest first.
#[utoipa::path(get, path = "/api/system/feedback/list", tag = "system", operation_id = "feedbackList",
    params(FeedbackParams), security(("bearer" = [])),
    responses((status = 200, body = Success<Paged<FeedbackView>>), (status = "default", body = Failure)))]
async fn list(
    state: State<App>,
    _by: Allowed<FeedbackDesk>,
    query: Query<FeedbackParams>,
) -> Answer<Paged<FeedbackView>> {
    let page = Page { page: query.0.page, size: query.0.size };
    Ok(Reply(store::list(&query.0).page(&state.db, page).await?))
}

/// The same list as a CSV file.
#[utoipa::path(get, path = "/api/system/feedback/export", tag = "system", operation_id = "exportFeedback",
    params(FeedbackParams), security(("bearer" = [])),
    responses((status = 200, description = "The file.", content_type = "text/csv"),
        (status = "default", body = Failure)))]
async fn file(
    state: State<App>,
    by: Allowed<FeedbackDesk>,
    query: Query<FeedbackParams>,
) -> Result<Response, ApiError> {
    by.note(Deed::Exported, &[]);
    let views: Vec<FeedbackView> = store::list(&query.0).all(&state.db).await?;
    csv("feedback", &views)
}

/// Writes down what was done about feedback. A new answer also goes to its sender as a private letter.
#[utoipa::path(put, path = "/api/system/feedback/{id}", tag = "system", operation_id = "handleFeedback",
    params(("id" = i64, Path)), request_body = Handling, security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn handle(state: State<App>, by: Allowed<FeedbackDesk>, id: Path<i64>, body: Json<Handling>) -> Answer<bool> {
    if body.0.answer.chars().count() > 2_000 {
        return Err(ApiError::invalid("answer", "An answer has at most 2,000 characters."));
    }
    let feedback = store::find(&state.db, id.0).await?.ok_or_else(|| ApiError::not_found("feedback"))?;
    if !store::handle(&state.db, id.0, &by.user.name, &body.0).await? {
        return Err(ApiError::not_found("feedback"));
    }
    let answer = body.0.answer.trim();
    if !answer.is_empty() && answer != feedback.answer.trim() && feedback.user_id != by.user.id {
        answer_by_letter(&state, &by.user, &feedback, answer).await?;
    }
    let deed = match body.0.state {
        FeedbackState::Open => Deed::FeedbackOpened,
        FeedbackState::Handled => Deed::FeedbackHandled,
        FeedbackState::Rejected => Deed::FeedbackRejected,
    };
    by.note(deed, &[("id", &id.0)]);
    Ok(Reply(true))
}

/// Writes the answer to who sent the feedback; saving the same answer again sends nothing.
async fn answer_by_letter(app: &App, by: &CurrentUser, to: &Answered, answer: &str) -> Result<(), ApiError> {
    // The title says which feedback is meant, in whatever language it is.
    let content = format!("“{}”\n\n{answer}", to.title);
    let client_time = format!("feedback-{}@@@{}", to.id, now_ms());
    let letter = NewLetter { from: by.id, to: to.user_id, content: &content, client_time: &client_time };
    if let Kept::New(time) = letters::keep(&app.db, &letter).await? {
        let message = ChatMessage { msg: content, time, from: by.name.clone(), to: to.user_name.clone() };
        app.hub.send(to.user_id, ServerMessage::Chat(message.clone()));
        app.hub.send(by.id, ServerMessage::ChatSent(message));
    }
    Ok(())
}

fn photos(form: &FeedbackForm) -> impl Iterator<Item = &str> {
    form.feedback_photo.split('@').filter(|path| !path.is_empty())
}

fn check(form: &FeedbackForm) -> Result<(), ApiError> {
    let required = |code, msg, param| Err(ApiError::new(StatusCode::BAD_REQUEST, code, msg).param(param));
    if !rules::visible(&form.feedback_title) {
        return required("title_required", "Title is required!", "feedbackTitle");
    }
    if !rules::visible(&form.feedback_content) {
        return required("suggestion_required", "Suggestion is required!", "feedbackContent");
    }
    if form.feedback_title.chars().count() > 100 || !rules::one_line(&form.feedback_title) {
        return Err(ApiError::invalid("feedbackTitle", "A title has at most 100 characters on one line."));
    }
    if form.feedback_content.chars().count() > 5_000 {
        return Err(ApiError::invalid("feedbackContent", "A suggestion has at most 5,000 characters."));
    }
    let url = &form.feedback_url;
    // A page of ours, or a whole address; `//` would be an address of somebody else, which browsers also read in `/\`, and
    // they pass over tabs and ends of lines.
    let page = url.is_empty() || url.starts_with('/') && !url.starts_with("//") && !url.starts_with("/\\");
    let address = url.starts_with("http://") || url.starts_with("https://");
    if !(page || address) || url.chars().count() > 2_000 || !rules::plain(url) {
        return Err(ApiError::invalid("feedbackUrl", "The address of a page starts with http://, https:// or /."));
    }
    if photos(form).count() > PHOTOS {
        return Err(ApiError::invalid("feedbackPhoto", format!("Feedback has at most {PHOTOS} pictures.")));
    }
    Ok(())
}
