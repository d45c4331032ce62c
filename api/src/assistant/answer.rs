//! Answers without a language model: what the best passages say, in their own words, and what this can't do.

use std::fmt::Write;

use super::{About, Found, Language, Runnable};

/// Most characters of one passage in an answer.
const LONGEST: usize = 700;

/// The answer to a question from what was found.
pub fn from_passages(found: &Found, language: Language) -> String {
    let mut passages = found.passages();
    let Some(first) = passages.next() else { return nothing(language).to_string() };
    let mut text = String::new();
    // Writing to a text never fails.
    let _ = write!(text, "**{}**\n\n{}", first.title, cut(&first.text));
    for more in passages.take(2).filter(|passage| passage.about != About::Page) {
        let _ = write!(text, "\n\n**{}** {}", more.title, cut(&more.text));
    }
    text
}

/// The query that goes with an answer: that of the best passage that has one.
pub fn query(found: &Found) -> Option<Runnable> {
    found.passages().find_map(|passage| passage.query.clone())
}

fn nothing(language: Language) -> &'static str {
    match language {
        Language::En => {
            "I found nothing about this. I know the documentation, the tables and their columns, the functions and the \
             example queries of Quarry, and quote what they say; I can't look at your data, write new queries or answer \
             questions about anything else. Try the name of a table, a function or a page."
        }
        Language::Zh => {
            "没有找到相关内容。我了解 Quarry 的文档、数据表与列、函数和示例查询，并引用其中的原文；我不能查看你的数据、\
             编写新的查询，也不能回答其他问题。可以试试数据表、函数或页面的名字。"
        }
    }
}

fn cut(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_string();
    }
    let kept: String = text.chars().take(LONGEST).collect();
    let end = kept.rfind(['.', '。', '\n', ';', '；', ' ']).unwrap_or(kept.len());
    format!("{} …", kept.get(..end).unwrap_or(&kept))
}
