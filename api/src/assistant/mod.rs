//! The assistant: finds what the manuals, tables, functions and shipped queries say about a question, and tells it as it
//! stands there; or hands it to a language model of an OpenAI-compatible server, when one is named in the settings.

pub mod answer;
mod corpus;
mod index;
pub mod remote;
mod words;

use std::sync::Arc;

use quarry_engine::Engine;
use tokio::sync::OnceCell;

pub use corpus::{About, Language, Passage, Runnable};
pub use remote::{AssistantOptions, Model};

use crate::http::ApiError;
use index::Index;

/// Passages that an answer is made of.
const PASSAGES: usize = 5;
/// Below this share of the question a passage is about something else.
const LEAST_COVERAGE: f64 = 0.34;

#[derive(Debug)]
pub struct Assistant {
    pub model: Option<Model>,
    english: OnceCell<Arc<Knowledge>>,
    chinese: OnceCell<Arc<Knowledge>>,
}

/// What is known in one language, and the index over it.
#[derive(Debug)]
struct Knowledge {
    passages: Vec<Passage>,
    index: Index,
}

/// What was found for a question, the best first; empty when nothing fits.
#[derive(Debug, Clone)]
pub struct Found {
    knowledge: Arc<Knowledge>,
    places: Vec<usize>,
}

impl Found {
    pub fn passages(&self) -> impl Iterator<Item = &Passage> {
        self.places.iter().filter_map(|place| self.knowledge.passages.get(*place))
    }
}

impl Assistant {
    pub fn new(options: &AssistantOptions) -> anyhow::Result<Assistant> {
        let model = options.url.as_deref().map(|url| Model::new(url, options)).transpose()?;
        Ok(Assistant { model, english: OnceCell::new(), chinese: OnceCell::new() })
    }

    /// The language that a question is asked in.
    pub fn language_of(question: &str) -> Language {
        if question.chars().any(words::is_han) { Language::Zh } else { Language::En }
    }

    /// Finds what there is about a question.
    pub async fn find(&self, engine: &Engine, question: &str) -> Result<Found, ApiError> {
        let knowledge = self.knowledge(engine, Assistant::language_of(question)).await?;
        let hits = knowledge.index.search(question, PASSAGES);
        let places = hits.iter().filter(|hit| hit.coverage >= LEAST_COVERAGE).map(|hit| hit.document).collect();
        Ok(Found { knowledge, places })
    }

    async fn knowledge(&self, engine: &Engine, language: Language) -> Result<Arc<Knowledge>, ApiError> {
        let cell = match language {
            Language::En => &self.english,
            Language::Zh => &self.chinese,
        };
        let made = cell.get_or_try_init(|| async {
            let passages = corpus::passages(language, &engine.catalog().await?);
            let index = Index::new(passages.iter().map(|passage| (passage.title.as_str(), passage.text.as_str())));
            Ok::<_, ApiError>(Arc::new(Knowledge { passages, index }))
        });
        Ok(made.await?.clone())
    }
}
