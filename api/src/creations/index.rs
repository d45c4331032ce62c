//! What of a creation can be searched, and how a person's words become terms of the index.
//!
//! Texts are cut into words of letters, digits and underscores in small letters. Chinese, Japanese and Korean have no
//! spaces, so a run of them is cut into all its pairs of neighbours (and its last letter): a word of two characters is one
//! pair, a longer one is all its pairs. Terms with a colon are facts: `t:defi` a tag, `a:ada` an author. Two words side by
//! side are the term `gas::fee`, so that few texts have to be read for words in quotes. Words that nearly every query has are
//! left out, since they tell nothing apart.
//!
//! In the index every term says which kind of creation it is of, and only public ones have any: `q:gas` is the word in a
//! query, `qt:defi` its tag, `q:` any query. So a search of one word is one list of the index, with no other to merge.

use std::collections::BTreeSet;

use sqlx::{AnyConnection, Row};

use super::model::{CreationKind, Visibility};
use crate::db::Db;
use crate::db::search::{Term, Terms};

/// Longest word that is told apart from others: a transaction hash.
const LONGEST_WORD: usize = 66;
/// Words of SQL that nearly every query has.
const EVERYWHERE: [&str; 20] = [
    "select", "from", "where", "group", "by", "order", "and", "or", "as", "on", "join", "left", "limit", "case",
    "when", "then", "else", "end", "desc", "asc",
];
/// Different words that are kept of one creation.
const MOST_WORDS: usize = 3_000;
/// Words of one search.
const MOST_TERMS: usize = 20;

/// Reads a creation anew and indexes what it is now.
pub async fn refresh(db: &Db, at: &mut AnyConnection, id: &str) -> Result<(), sqlx::Error> {
    let row = sqlx::query(
        "select c.number, c.kind, c.visibility, c.title, c.notes, c.title_zh, c.notes_zh, u.user_name, q.text
         from creations c join users u on u.id = c.owner_id left join queries q on q.id = c.id where c.id = $1",
    )
    .bind(id)
    .fetch_optional(&mut *at)
    .await?;
    let Some(row) = row else { return Ok(()) };
    let number: i64 = row.try_get("number")?;
    let (kind, visibility): (String, String) = (row.try_get("kind")?, row.try_get("visibility")?);
    let (title, notes): (String, String) = (row.try_get("title")?, row.try_get("notes")?);
    let author: String = row.try_get("user_name")?;
    let text: Option<String> = row.try_get("text")?;
    let tags: Vec<String> = sqlx::query_scalar("select tag from tags where entity_kind = $1 and entity_id = $2")
        .bind(&kind)
        .bind(id)
        .fetch_all(&mut *at)
        .await?;
    let (title_zh, notes_zh): (Option<String>, Option<String>) = (row.try_get("title_zh")?, row.try_get("notes_zh")?);
    let parts = [Some(title), Some(notes), title_zh, notes_zh, Some(author.clone()), Some(tags.join(" ")), text];
    let content = parts.into_iter().flatten().collect::<Vec<_>>().join("\n");
    let content = content.to_lowercase();
    let mut terms = BTreeSet::new();
    if visibility == Visibility::Public.name()
        && let Some(kind) = CreationKind::parse(&kind)
    {
        terms.insert(String::new());
        terms.extend(words(&content).into_iter().take(MOST_WORDS));
        terms.extend(neighbours(&content).into_iter().take(MOST_WORDS));
        terms.insert(fact('a', &author));
        terms.extend(tags.iter().map(|tag| fact('t', tag)));
        terms = terms.iter().map(|term| of_kind(kind, term)).collect();
    }
    let terms = terms.into_iter().collect::<Vec<_>>().join(" ");
    db.search().index(&mut *at, number, &terms).await?;
    db.counted().changed();
    sqlx::query(
        "insert into search_texts (number, content) values ($1, $2) on conflict (number) do update set content = $2",
    )
    .bind(number)
    .bind(content)
    .execute(at)
    .await?;
    Ok(())
}

/// Takes a creation out of the index.
pub async fn forget(db: &Db, at: &mut AnyConnection, id: &str) -> Result<(), sqlx::Error> {
    let number: Option<i64> =
        sqlx::query_scalar("select number from creations where id = $1").bind(id).fetch_optional(&mut *at).await?;
    let Some(number) = number else { return Ok(()) };
    db.search().forget(&mut *at, number).await?;
    db.counted().changed();
    sqlx::query("delete from search_texts where number = $1").bind(number).execute(at).await?;
    Ok(())
}

/// What somebody typed, read: terms for the index, and texts that must stand somewhere as they are.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Wish {
    pub terms: Terms,
    /// Small letters; what was in quotes, and words of three and more Chinese characters.
    pub texts: Vec<String>,
    /// Neighbours in `texts`, as terms of the index.
    pub neighbours: Vec<Term>,
}

impl Wish {
    /// Reads `gas "base fee" tag:defi author:ada -mev`.
    pub fn read(typed: &str) -> Wish {
        let mut wish = Wish::default();
        let parts = parts(&typed.to_lowercase());
        for (place, part) in parts.iter().enumerate() {
            if wish.terms.wanted.len() + wish.terms.unwanted.len() >= MOST_TERMS {
                break;
            }
            // The last word may still be being typed, so it finds what starts with it.
            wish.take(part, place + 1 == parts.len());
        }
        wish
    }

    /// Whether nothing was asked for.
    pub fn is_empty(&self) -> bool {
        *self == Wish::default()
    }

    /// Terms that find what was asked for among the public creations of one kind.
    pub fn public_terms(&self, kind: CreationKind) -> Terms {
        let of_kind = |term: &Term| match term {
            Term::Word(word) => Term::Word(of_kind(kind, word)),
            Term::Prefix(start) => Term::Prefix(of_kind(kind, start)),
            Term::Any(words) => Term::Any(words.iter().map(|word| of_kind(kind, word)).collect()),
        };
        let mut wanted: Vec<Term> = self.terms.wanted.iter().chain(&self.neighbours).map(of_kind).collect();
        if wanted.is_empty() {
            wanted.push(of_kind(&Term::Word(String::new())));
        }
        let unwanted = self.terms.unwanted.iter().map(|group| group.iter().map(of_kind).collect()).collect();
        Terms { wanted, unwanted }
    }

    fn take(&mut self, part: &Part, last: bool) {
        let terms: Vec<Term> = match part.field {
            Some(field) if !part.text.is_empty() => vec![Term::Word(fact(field, &part.text))],
            _ => {
                let words = cut(&part.text, false);
                let open = if last && !part.quoted && !part.unwanted { words.len() } else { 0 };
                words.into_iter().enumerate().map(|(place, word)| term(word, place + 1 != open)).collect()
            }
        };
        if terms.is_empty() {
            return;
        }
        if part.unwanted {
            self.terms.unwanted.push(terms);
            return;
        }
        if part.field.is_none() && terms.len() > 1 {
            self.texts.push(part.text.clone());
            self.neighbours.extend(terms.windows(2).filter_map(pair));
        }
        self.terms.wanted.extend(terms);
    }
}

/// Two neighbours as one term; nothing where one of them is a single Chinese letter, which may be cut otherwise in a text.
fn pair(terms: &[Term]) -> Option<Term> {
    match terms {
        [Term::Word(first), Term::Word(second)] => neighbour(first, second).map(Term::Word),
        [Term::Word(first), Term::Prefix(second)] => neighbour(first, second).map(Term::Prefix),
        _ => None,
    }
}

fn neighbour(first: &str, second: &str) -> Option<String> {
    let single = |word: &str| word.chars().all(is_cjk) && word.chars().nth(1).is_none();
    (!single(first) && !single(second)).then(|| format!("{first}::{second}"))
}

/// The neighbours in a text in small letters.
fn neighbours(text: &str) -> Vec<String> {
    cut(text, false).windows(2).filter_map(|two| neighbour(&two[0], &two[1])).collect()
}

/// A pair of Chinese letters is whole in any case; a single one may begin a pair.
fn term(word: String, whole: bool) -> Term {
    let cjk = word.chars().next().is_some_and(is_cjk);
    let whole = whole && !cjk || word.chars().filter(|letter| is_cjk(*letter)).count() > 1;
    if whole { Term::Word(word) } else { Term::Prefix(word) }
}

#[derive(Debug)]
struct Part {
    text: String,
    field: Option<char>,
    quoted: bool,
    unwanted: bool,
}

/// Cuts what was typed at spaces outside of quotes.
fn parts(typed: &str) -> Vec<Part> {
    let mut found = Vec::new();
    let mut rest = typed.trim_start();
    while !rest.is_empty() {
        let unwanted = rest.len() > 1 && rest.starts_with('-');
        rest = rest.strip_prefix('-').filter(|_| unwanted).unwrap_or(rest);
        let (field, after) = match rest {
            _ if rest.starts_with("tag:") => (Some('t'), &rest[4..]),
            _ if rest.starts_with("author:") => (Some('a'), &rest[7..]),
            _ => (None, rest),
        };
        let (text, quoted, after) = match after.strip_prefix('"') {
            Some(inner) => {
                let end = inner.find('"').unwrap_or(inner.len());
                (&inner[..end], true, inner[end..].strip_prefix('"').unwrap_or_default())
            }
            None => {
                let end = after.find(char::is_whitespace).unwrap_or(after.len());
                (&after[..end], false, &after[end..])
            }
        };
        found.push(Part { text: text.trim().to_string(), field, quoted, unwanted });
        rest = after.trim_start();
    }
    found
}

/// The words of a text in small letters.
fn words(text: &str) -> Vec<String> {
    cut(text, true)
}

/// Cuts a text into words. A run of Chinese letters ends with its last letter alone where texts are indexed, so that one
/// letter is found wherever it stands; who searches for a run means its pairs.
fn cut(text: &str, last_letters: bool) -> Vec<String> {
    let mut found = Vec::new();
    let mut word = String::new();
    let mut run: Vec<char> = Vec::new();
    for letter in text.chars() {
        if is_cjk(letter) {
            flush(&mut word, &mut found);
            run.push(letter);
            continue;
        }
        flush_run(&mut run, &mut found, last_letters);
        if letter.is_alphanumeric() || letter == '_' {
            word.push(letter);
        } else {
            flush(&mut word, &mut found);
        }
    }
    flush_run(&mut run, &mut found, last_letters);
    flush(&mut word, &mut found);
    found
}

fn flush_run(run: &mut Vec<char>, found: &mut Vec<String>, last_letter: bool) {
    found.extend(run.windows(2).map(|pair| pair.iter().collect::<String>()));
    if let Some(last) = run.last().filter(|_| last_letter || run.len() == 1) {
        found.push(last.to_string());
    }
    run.clear();
}

fn flush(word: &mut String, found: &mut Vec<String>) {
    let word = std::mem::take(word);
    if !word.is_empty() && !EVERYWHERE.contains(&word.as_str()) {
        found.push(word.chars().take(LONGEST_WORD).collect());
    }
}

/// A term as the index has it: behind the first letter of the kind, and a colon where it has none.
fn of_kind(kind: CreationKind, term: &str) -> String {
    let letter = &kind.name()[..1];
    if term.contains(':') { format!("{letter}{term}") } else { format!("{letter}:{term}") }
}

/// A tag or an author as one term.
fn fact(field: char, value: &str) -> String {
    let mut term = format!("{field}:");
    for letter in value.to_lowercase().chars() {
        if letter.is_alphanumeric() {
            term.push(letter);
        } else {
            term.push_str(&format!("_{:x}", u32::from(letter)));
        }
    }
    term
}

fn is_cjk(letter: char) -> bool {
    matches!(u32::from(letter),
        0x3040..=0x30ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xac00..=0xd7af | 0xf900..=0xfaff | 0x20000..=0x323af)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str) -> Term {
        Term::Word(text.to_string())
    }

    fn prefix(text: &str) -> Term {
        Term::Prefix(text.to_string())
    }

    #[test]
    fn chinese_is_cut_into_pairs() {
        assert_eq!(words("gas费用分析 of 2024_q1"), ["gas", "费用", "用分", "分析", "析", "of", "2024_q1"]);
        assert_eq!(words("链"), ["链"]);
        assert_eq!(words(" ,. "), [""; 0]);
    }

    #[test]
    fn what_is_typed_becomes_terms() {
        let wish = Wish::read("Gas \"base fee\" tag:DeFi author:ada -mev");
        assert_eq!(wish.terms.wanted, [word("gas"), word("base"), word("fee"), word("t:defi"), word("a:ada")]);
        assert_eq!(wish.terms.unwanted, [[word("mev")]]);
        assert_eq!((wish.texts, wish.neighbours), (vec!["base fee".to_string()], vec![word("base::fee")]));
        let wish = Wish::read("费用 交易费用 -\"a b\"");
        assert_eq!(wish.terms.wanted, ["费用", "交易", "易费", "费用"].map(word));
        assert_eq!(wish.texts, ["交易费用"]);
        assert_eq!(wish.neighbours, ["交易::易费", "易费::费用"].map(word));
        assert_eq!(Wish::read("gas-fe").neighbours, [prefix("gas::fe")]);
        assert_eq!(neighbours("gas 费用分 select fee 链 x"), ["gas::费用", "费用::用分", "用分::fee"]);
        assert_eq!(wish.terms.unwanted, [[word("a"), word("b")]]);
        assert_eq!(Wish::read("链").terms.wanted, [prefix("链")]);
        assert_eq!(Wish::read("gas pri").terms.wanted, [word("gas"), prefix("pri")]);
        assert!(Wish::read("select from").is_empty());
    }

    #[test]
    fn terms_say_what_they_are_of() {
        let terms = |typed| Wish::read(typed).public_terms(CreationKind::Query);
        let found = terms("\"gas fee\" tag:DeFi -mev pri");
        let wanted = [word("q:gas"), word("q:fee"), word("qt:defi"), prefix("q:pri"), word("qgas::fee")];
        assert_eq!((found.wanted, found.unwanted), (wanted.to_vec(), vec![vec![word("q:mev")]]));
        assert_eq!(terms("-mev").wanted, [word("q:")], "any public query");
    }

    #[test]
    fn odd_input_asks_for_nothing() {
        for odd in ["", "   ", "-", "\"", "\"\"", "tag:", "***", "-\"\""] {
            assert!(Wish::read(odd).is_empty(), "{odd:?}");
        }
        assert!(!Wish::read("\"open").is_empty());
    }
}
