//! How easily a password is guessed: the one place that judges it, for people who type one and for operators who refuse such.

use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;
use zxcvbn::Score;
use zxcvbn::feedback::Warning;

use super::rules;
use crate::http::ApiError;

/// What the sentence of a refusal and its documentation say; the web has it in both languages.
const WEAK: &str = "This password is among those that are guessed first. Choose another one.";

/// Why a password is easily guessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Weakness {
    /// It is among the passwords that most people choose, or close to one.
    Common,
    /// A word alone.
    Word,
    /// A name.
    Name,
    /// Keys beside each other.
    Keys,
    /// Repeats.
    Repeat,
    /// Letters or digits in their order.
    Sequence,
    /// A date or a year.
    Date,
    /// It contains the user name or the email address.
    Own,
    /// Nothing of these alone, yet too few guesses find it.
    Short,
}

/// What is thought of a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct Strength {
    /// From 0, guessed at once, to 4.
    pub score: u8,
    /// Whether fewer than a million guesses find it; a server may refuse such passwords.
    pub weak: bool,
    /// Why, where it is weak.
    pub reason: Option<Weakness>,
}

/// Judges a password; `own` is what else is known of the person, such as the user name.
pub fn judge(password: &str, own: &[&str]) -> Strength {
    // Longer ones are no passwords, and take long to look through.
    let password: String = password.chars().take(20).collect();
    let name = |text: &&str| text.split('@').next().unwrap_or_default().to_lowercase();
    let own: Vec<String> = own.iter().map(name).filter(|text| text.len() >= 3).collect();
    let mut words: Vec<&str> = own.iter().map(String::as_str).collect();
    words.push("quarry");
    let found = zxcvbn::zxcvbn(&password, &words);
    let weak = found.score() <= Score::One;
    let lower = password.to_lowercase();
    let reason = || match found.feedback().and_then(zxcvbn::feedback::Feedback::warning) {
        _ if own.iter().any(|word| lower.contains(word.as_str())) => Weakness::Own,
        Some(Warning::StraightRowsOfKeysAreEasyToGuess | Warning::ShortKeyboardPatternsAreEasyToGuess) => {
            Weakness::Keys
        }
        Some(Warning::RepeatsLikeAaaAreEasyToGuess | Warning::RepeatsLikeAbcAbcAreOnlySlightlyHarderToGuess) => {
            Weakness::Repeat
        }
        Some(
            Warning::ThisIsATop10Password
            | Warning::ThisIsATop100Password
            | Warning::ThisIsACommonPassword
            | Warning::ThisIsSimilarToACommonlyUsedPassword,
        ) => Weakness::Common,
        Some(Warning::SequencesLikeAbcAreEasyToGuess) => Weakness::Sequence,
        Some(Warning::RecentYearsAreEasyToGuess | Warning::DatesAreOftenEasyToGuess) => Weakness::Date,
        Some(Warning::AWordByItselfIsEasyToGuess) => Weakness::Word,
        Some(Warning::NamesAndSurnamesByThemselvesAreEasyToGuess | Warning::CommonNamesAndSurnamesAreEasyToGuess) => {
            Weakness::Name
        }
        None => Weakness::Short,
    };
    Strength { score: u8::from(found.score()), weak, reason: weak.then(reason) }
}

/// Refuses a weak password where the operator wishes that.
pub fn check(refuse: bool, password: &str, own: &[&str]) -> Result<(), ApiError> {
    if refuse && rules::password(password) && judge(password, own).weak {
        return Err(ApiError::new(StatusCode::BAD_REQUEST, "weak_password", WEAK).param("password"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trivial_passwords_are_named_with_their_reason() {
        for (password, reason) in [
            ("123456", Weakness::Common),
            ("password", Weakness::Common),
            ("P@ssw0rd", Weakness::Common),
            ("aaaaaaaa", Weakness::Repeat),
            ("abcdefgh", Weakness::Sequence),
            ("ada_lovelace1", Weakness::Own),
            ("20011231", Weakness::Date),
        ] {
            let found = judge(password, &["ada_lovelace", "ada_lovelace@example.org"]);
            assert!(found.weak, "{password}: {found:?}");
            assert_eq!(found.reason, Some(reason), "{password}");
        }
    }

    #[test]
    fn what_nobody_guesses_has_no_reason() {
        for password in ["vK8#qz!2Lw_m", "orbit kettle maple", "泥中之莲不染尘"] {
            let found = judge(password, &["ada"]);
            assert!(!found.weak && found.reason.is_none(), "{password}: {found:?}");
        }
    }

    #[test]
    fn weak_passwords_are_refused_only_where_the_operator_wishes() {
        assert!(check(false, "123456", &[]).is_ok());
        assert!(check(true, "123456", &[]).is_err());
        assert!(check(true, "vK8#qz!2Lw_m", &[]).is_ok());
    }
}
