//! `sentences(text)`: the words of each sentence of a text. Sentences end where Unicode says they do, words where Java does:
//! a single dash, point or apostrophe between letters belongs to a word. The language and the country that Hive also takes are
//! ignored.

use arrow::array::{ListBuilder, StringBuilder};
use unicode_segmentation::UnicodeSegmentation;

use crate::lists::build::list_field;
use crate::prelude::*;

pub(super) fn udf() -> ScalarUDF {
    scalar_udf("sentences", 1..=3, field, |args, _| split(&args[0]))
}

fn field(_: &ReturnFieldArgs) -> Result<FieldRef> {
    Ok(list_field("sentences", DataType::new_list(DataType::Utf8, true)))
}

fn split(texts: &ArrayRef) -> Result<ArrayRef> {
    let mut out = ListBuilder::new(ListBuilder::new(StringBuilder::new()));
    for text in text_of(texts)? {
        for sentence in text.into_iter().flat_map(|text| text.unicode_sentences()) {
            let words = out.values();
            self::words(sentence).for_each(|word| words.values().append_value(word));
            words.append(true);
        }
        out.append(text.is_some());
    }
    Ok(Arc::new(out.finish()))
}

/// The words and numbers of a sentence.
fn words(sentence: &str) -> impl Iterator<Item = &str> {
    let mut rest = sentence;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|letter: char| !letter.is_alphanumeric());
        let mut letters = rest.char_indices().peekable();
        let mut end = 0;
        while let Some((at, letter)) = letters.next() {
            let next = letters.peek().map(|(_, next)| *next);
            let before = rest[..at].chars().next_back();
            let inside = |between: &str, is: fn(char) -> bool| {
                between.contains(letter) && before.is_some_and(is) && next.is_some_and(is)
            };
            let holds = letter.is_alphanumeric()
                || inside("-_.'\"\u{ad}\u{2010}\u{2011}\u{2027}", char::is_alphabetic)
                || inside(".,'\"\u{66b}", char::is_numeric);
            if !holds {
                break;
            }
            end = at + letter.len_utf8();
        }
        let (word, after) = rest.split_at(end);
        rest = after;
        (!word.is_empty()).then_some(word)
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn words_end_where_java_ends_them() {
        let words = |text| super::words(text).collect::<Vec<_>>().join("|");
        assert_eq!(
            words("It's machine-learning, isn't it? 1,234.5 -- a.b."),
            "It's|machine-learning|isn't|it|1,234.5|a.b"
        );
        assert_eq!(words("  "), "");
    }
}
