//! Shapes of the assistant's calls.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::assistant::remote::Turn;
use crate::assistant::{About, Language, Passage, Runnable};

/// A question.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Question {
    /// 1 to 1,000 characters.
    pub text: String,
    /// What was said before, oldest first: at most 10 turns of 4,000 characters.
    #[serde(default)]
    pub before: Vec<Turn>,
}

/// What the assistant can do here.
#[derive(Debug, Serialize, ToSchema)]
pub struct AssistantStatus {
    /// Whether a language model writes the answers; without one they quote the documentation.
    pub model: bool,
}

/// Where an answer comes from.
#[derive(Debug, Serialize, ToSchema)]
pub struct Source {
    pub about: About,
    pub title: String,
    /// Address of the page with its anchor.
    pub path: String,
}

impl From<&Passage> for Source {
    fn from(from: &Passage) -> Source {
        Source { about: from.about, title: from.title.clone(), path: from.path.clone() }
    }
}

/// A piece of an answer; the first is `found`, the last `done`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum AnswerEvent {
    /// What the answer is made from.
    Found {
        language: Language,
        sources: Vec<Source>,
        query: Option<Runnable>,
    },
    /// More of its text, in Markdown.
    Text {
        text: String,
    },
    /// The model did not answer to the end; what follows quotes the documentation.
    Failed,
    Done,
}
