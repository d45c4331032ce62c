//! The files of `data/mapreduce/`, in the order of their names.

use quarry_mapreduce::{JobFile, job_file};
use rust_embed::RustEmbed;

use super::model::TemplateView;
use crate::http::ApiError;
use crate::jobs::model::Kind;

#[derive(RustEmbed)]
#[folder = "../data/mapreduce/"]
struct Files;

/// The templates of a kind.
pub fn of(kind: Kind) -> Result<Vec<TemplateView>, ApiError> {
    if kind != Kind::MapReduce {
        return Ok(Vec::new());
    }
    let mut names: Vec<_> = Files::iter().filter(|name| name.ends_with(".js")).collect();
    names.sort();
    names.iter().map(|name| template(name)).collect()
}

fn template(name: &str) -> Result<TemplateView, ApiError> {
    let file = Files::get(name).ok_or_else(|| ApiError::not_found("template"))?;
    let text = std::str::from_utf8(&file.data).map_err(ApiError::internal)?;
    let JobFile { spec, mut notes } = job_file(text)?;
    let mut note = |note: &str| notes.remove(note).unwrap_or_default();
    Ok(TemplateView {
        // The number before it is for the order only.
        key: name.trim_end_matches(".js").split_once('-').map_or(name, |(_, key)| key).to_string(),
        title_en: note("titleEn"),
        title_zh: note("titleZh"),
        description_en: note("descriptionEn"),
        description_zh: note("descriptionZh"),
        spec,
    })
}
