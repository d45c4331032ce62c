//! User names derived from the names that a provider knows.

use crate::auth::rules::USER_NAME_LENGTH;

/// The user name if no name has an allowed character.
const NAMELESS: &str = "user";

/// A user name from the first usable name: lowercase letters and digits, everything else becomes an underscore.
pub fn made_of<'a>(mut names: impl Iterator<Item = &'a str>) -> String {
    names.find_map(user_name_from).unwrap_or_else(|| NAMELESS.to_string())
}

/// The user name with a number appended, for a name that is taken.
pub fn numbered(name: &str, number: u32) -> String {
    let end = format!("_{number}");
    let kept = USER_NAME_LENGTH.saturating_sub(end.len()).min(name.len());
    // Made of ASCII, so that every place is between two letters.
    format!("{}{end}", &name[..kept])
}

/// `None` if the name has no character that is allowed in a user name.
fn user_name_from(name: &str) -> Option<String> {
    // The domain of an email address is the same for everybody.
    let name = name.split('@').next().unwrap_or_default();
    let letters = name.chars().flat_map(char::to_lowercase).map(|letter| match letter {
        'a'..='z' | '0'..='9' => letter,
        _ => ' ',
    });
    let spaced: String = letters.collect();
    let joined = spaced.split_whitespace().collect::<Vec<_>>().join("_");
    let cut = joined[..joined.len().min(USER_NAME_LENGTH)].trim_end_matches('_');
    (!cut.is_empty()).then(|| cut.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::rules;

    #[test]
    fn a_name_becomes_a_user_name() {
        for (name, made) in [
            ("ada", "ada"),
            ("Ada.Lovelace", "ada_lovelace"),
            ("ada@example.org", "ada"),
            ("Ada  King, Countess of Lovelace", "ada_king_countes"),
            ("Zoë", "zo"),
            ("0123456789abcde_f", "0123456789abcde"),
        ] {
            assert_eq!(made_of([name].into_iter()), made);
            assert!(rules::user_name(made));
        }
        assert_eq!(made_of(["张伟", "@", "wei.zhang"].into_iter()), "wei_zhang");
        assert_eq!(made_of(["张伟"].into_iter()), "user");
    }

    #[test]
    fn a_taken_name_gets_a_number() {
        assert_eq!(numbered("ada", 2), "ada_2");
        assert_eq!(numbered("0123456789abcdef", 4_294_967_295), "01234_4294967295");
        assert!(rules::user_name(&numbered("0123456789abcdef", 12)));
    }
}
