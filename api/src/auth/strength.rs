//! How easily a password is guessed: the one place that judges it, for people who type one and for operators who refuse such.

use std::collections::HashSet;
use std::sync::LazyLock;

use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::rules;
use crate::http::ApiError;

const WEAK: &str = "This password is among those that are guessed first. Choose another one.";

/// What most people choose; see `data/passwords/README.md`.
static COMMON: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("../../../data/passwords/common.txt").lines().collect());

/// Keys beside each other, by rows and by columns.
const KEYS: [&str; 9] = [
    "1234567890",
    "qwertyuiop",
    "qwertzuiop",
    "azertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "yxcvbnm",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
    "!@#$%^&*()",
];

/// Signs beyond what makes a password weak that it may have and still be weak.
const FEW: usize = 4;

/// Why a password is easily guessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Weakness {
    /// It is among the passwords that most people choose, or made of one by a few signs.
    Common,
    /// It is little more than the user name or the email address.
    Own,
    /// It repeats few signs.
    Repeat,
    /// Letters or digits in their order.
    Sequence,
    /// Keys beside each other.
    Keys,
    /// A date.
    Date,
    /// Only digits, and few of them.
    Digits,
}

/// What is thought of a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct Strength {
    /// From 0, guessed at once, to 4.
    pub score: u8,
    /// Whether it is among those that are guessed first; a server may refuse such passwords.
    pub weak: bool,
    /// Why, where it is weak.
    pub reason: Option<Weakness>,
}

/// Judges a password; `own` is what else is known of the person, such as the user name.
pub fn judge(password: &str, own: &[&str]) -> Strength {
    // Longer ones are no passwords, and take long to look through.
    let password: String = password.chars().take(20).collect();
    let lower = password.to_lowercase();
    let reason = weakness(&lower, own);
    let score = match reason {
        Some(Weakness::Digits | Weakness::Own) => 1,
        Some(_) => 0,
        None => match bits(&password) {
            ..40.0 => 2,
            40.0..60.0 => 3,
            _ => 4,
        },
    };
    Strength { score, weak: reason.is_some(), reason }
}

/// Refuses a weak password where the operator wishes that.
pub fn check(refuse: bool, password: &str, own: &[&str]) -> Result<(), ApiError> {
    if refuse && rules::password(password) && judge(password, own).weak {
        return Err(ApiError::new(StatusCode::BAD_REQUEST, "weak_password", WEAK).param("password"));
    }
    Ok(())
}

fn weakness(lower: &str, own: &[&str]) -> Option<Weakness> {
    let signs: Vec<char> = lower.chars().collect();
    if own.iter().any(|text| is_mostly(lower, text)) {
        return Some(Weakness::Own);
    }
    if repeats(&signs) {
        return Some(Weakness::Repeat);
    }
    if in_order(&signs) {
        return Some(Weakness::Sequence);
    }
    if along_keys(&signs) {
        return Some(Weakness::Keys);
    }
    if is_date(lower) {
        return Some(Weakness::Date);
    }
    if is_common(lower) {
        return Some(Weakness::Common);
    }
    let digits = signs.iter().all(char::is_ascii_digit);
    (digits && signs.len() <= 8).then_some(Weakness::Digits)
}

/// Whether a password is a name, or that before an `@`, with few signs around it.
fn is_mostly(lower: &str, own: &str) -> bool {
    let own = own.split('@').next().unwrap_or_default().to_lowercase();
    let length = own.chars().count();
    length >= 3 && lower.contains(&own) && lower.chars().count() - length <= FEW
}

/// As typed, or as read: signs in place of letters help little.
fn is_common(lower: &str) -> bool {
    let read: String = lower
        .chars()
        .map(|sign| match sign {
            '@' | '4' => 'a',
            '0' => 'o',
            '1' | '!' => 'i',
            '3' => 'e',
            '5' | '$' => 's',
            '7' => 't',
            other => other,
        })
        .collect();
    let no_letter = |sign: char| !sign.is_alphabetic();
    let core = lower.trim_matches(no_letter);
    let core_read = lower.trim_end_matches(no_letter).len();
    let read_core = read.get(..core_read).unwrap_or_default();
    let few_around = lower.chars().count() - core.chars().count() <= FEW;
    COMMON.contains(lower)
        || COMMON.contains(read.as_str())
        || (few_around && core.len() >= 4 && COMMON.contains(core))
        || (read_core.len() >= 4 && lower.len() - core_read <= FEW && COMMON.contains(read_core))
}

/// One or two signs only, or a few that come again and again.
fn repeats(signs: &[char]) -> bool {
    let different = signs.iter().collect::<HashSet<_>>().len();
    let again =
        |unit: usize| unit < signs.len() && signs.iter().skip(unit).zip(signs).all(|(one, before)| one == before);
    different <= 2 || (1..=FEW).any(again)
}

/// All but two steps lead to the next letter or digit, or all to the one before.
fn in_order(signs: &[char]) -> bool {
    let steps = signs.windows(2).map(|pair| i64::from(u32::from(pair[1])) - i64::from(u32::from(pair[0])));
    let steps: Vec<i64> = steps.collect();
    [1, -1].iter().any(|way| steps.iter().filter(|step| *step == way).count() + 2 > steps.len()) && signs.len() > 4
}

/// Runs of three or more keys beside each other, all of it.
fn along_keys(signs: &[char]) -> bool {
    let lines = KEYS.iter().flat_map(|line| [line.to_string(), line.chars().rev().collect()]);
    let lines: Vec<String> = lines.collect();
    let mut at = 0;
    while at < signs.len() {
        let run = (3..=signs.len() - at)
            .rev()
            .find(|length| lines.iter().any(|line| line.contains(&signs[at..at + length].iter().collect::<String>())));
        match run {
            Some(length) => at += length,
            // A last sign or two change little.
            None => return at > 0 && signs.len() - at <= 2,
        }
    }
    true
}

/// Digits that read as a day, whatever their order.
fn is_date(lower: &str) -> bool {
    let digits: String = lower.chars().filter(|sign| !matches!(sign, '-' | '.' | '/')).collect();
    let known = |format: &str| chrono::NaiveDate::parse_from_str(&digits, format).is_ok();
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    plain
        && match digits.len() {
            8 => ["%Y%m%d", "%d%m%Y", "%m%d%Y"].iter().any(|format| known(format)),
            6 => ["%y%m%d", "%d%m%y", "%m%d%y"].iter().any(|format| known(format)),
            _ => false,
        }
}

/// How many bits a random password of these kinds of signs and this length has.
fn bits(password: &str) -> f64 {
    let has = |kind: fn(char) -> bool| password.chars().any(kind);
    let kinds = [
        (has(|sign| sign.is_ascii_lowercase()), 26.0),
        (has(|sign| sign.is_ascii_uppercase()), 26.0),
        (has(|sign| sign.is_ascii_digit()), 10.0),
        (has(|sign| sign.is_ascii_punctuation() || sign == ' '), 33.0),
        (has(|sign| !sign.is_ascii()), 1_000.0),
    ];
    let alphabet: f64 = kinds.iter().filter(|(there, _)| *there).map(|(_, size)| size).sum();
    let length = u32::try_from(password.chars().count()).unwrap_or_default();
    f64::from(length) * alphabet.max(1.0).log2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trivial_passwords_are_named_with_their_reason() {
        let own = ["ada_lovelace", "countess@example.org"];
        for (reason, passwords) in [
            (Weakness::Common, ["Password", "P@ssw0rd!", "dragon2024", "woaini520", "iloveyou1"]),
            (Weakness::Own, ["ada_lovelace", "ADA_lovelace1", "countess", "countess2024", "1countess"]),
            (Weakness::Repeat, ["aaaaaaaa", "abcabcabc", "121212", "1231231231", "哈哈哈哈哈哈"]),
            (Weakness::Sequence, ["123456", "abcdefgh", "87654321", "1234567", "fedcba"]),
            (Weakness::Keys, ["poiuytre", "sdfghjk", "wertyuio", "lkjhgfdsa", "sdfxcv12"]),
            (Weakness::Date, ["20011231", "31121999", "1999-12-31", "991231", "12311984"]),
            (Weakness::Digits, ["849302", "93847561", "7482910", "4820193", "90817263"]),
        ] {
            for password in passwords {
                let found = judge(password, &own);
                assert_eq!(found.reason, Some(reason), "{password}: {found:?}");
                assert!(found.weak && found.score <= 1, "{password}: {found:?}");
            }
        }
    }

    #[test]
    fn what_nobody_guesses_has_no_reason() {
        for password in ["vK8#qz!2Lw_m", "orbit kettle maple", "泥中之莲不染尘", "tfrmwq", "s3cret-enough"] {
            let found = judge(password, &["ada"]);
            assert!(!found.weak && found.score >= 2 && found.reason.is_none(), "{password}: {found:?}");
        }
    }

    #[test]
    fn no_text_makes_the_judge_fail() {
        for text in ["", " ", "é", "!!!!4", "\u{1f600}@\u{1f600}", "ß1", "İ12", "1", "00-00-00"] {
            judge(text, &["", "@", "İİİ", text]);
        }
    }

    #[test]
    fn weak_passwords_are_refused_only_where_the_operator_wishes() {
        assert!(check(false, "123456", &[]).is_ok());
        assert!(check(true, "123456", &[]).is_err());
        assert!(check(true, "vK8#qz!2Lw_m", &[]).is_ok());
    }
}
