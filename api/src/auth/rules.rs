//! What a user name, a password, an email address, a phone number and a text of one line must look like.

/// Most characters of a user name.
pub const USER_NAME_LENGTH: usize = 16;

/// 1 to 16 lower-case letters, digits or underscores.
pub fn user_name(text: &str) -> bool {
    (1..=USER_NAME_LENGTH).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// 6 to 20 characters.
pub fn password(text: &str) -> bool {
    (6..=20).contains(&text.chars().count())
}

/// 6 to 20 letters, digits and `!@#$%&*_`: what a password may be changed to.
pub fn new_password(text: &str) -> bool {
    password(text) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!@#$%&*_".contains(&byte))
}

/// Tags separated by commas: each of 1 to 15 characters, at most 20, none twice; put in order as the person wrote them.
pub fn tags(text: &str) -> Option<Vec<String>> {
    let mut tags: Vec<String> = Vec::new();
    for tag in text.split([',', '，']).map(str::trim).filter(|tag| !tag.is_empty()) {
        let fits = tag.chars().count() <= 15 && one_line(tag);
        if !fits || tags.len() >= 20 {
            return None;
        }
        if !tags.iter().any(|known| known == tag) {
            tags.push(tag.to_string());
        }
    }
    Some(tags)
}

/// Something, one `@`, and a name with a dot; no spaces or control characters.
pub fn email(text: &str) -> bool {
    let Some((name, domain)) = text.split_once('@') else { return false };
    text.len() <= 254
        && !name.is_empty()
        && !domain.contains('@')
        && domain.contains('.')
        && domain.split('.').all(|part| !part.is_empty() && !part.starts_with('-') && !part.ends_with('-'))
        && text.chars().all(|letter| !letter.is_whitespace() && !letter.is_control())
}

/// An optional `+`, then 6 to 15 digits, which spaces and hyphens may group.
pub fn phone(text: &str) -> bool {
    let digits = text.strip_prefix('+').unwrap_or(text);
    let count = digits.bytes().filter(u8::is_ascii_digit).count();
    (6..=15).contains(&count)
        && digits.starts_with(|first: char| first.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b' ' || byte == b'-')
}

/// Whether anything of a text can be seen.
pub fn visible(text: &str) -> bool {
    let unseen = |letter: char| {
        let empty = matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
        let filler = matches!(letter, '\u{115f}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}');
        empty || filler || turns(letter) || letter.is_whitespace() || letter.is_control()
    };
    !text.chars().all(unseen)
}

/// Whether a letter turns the direction of all that follows, beyond the text it stands in.
fn turns(letter: char) -> bool {
    matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether a text can be shown as one line among others.
pub fn one_line(text: &str) -> bool {
    visible(text) && plain(text)
}

/// Whether a text, which may be empty, ends no line and turns nothing around.
pub fn plain(text: &str) -> bool {
    !text.chars().any(|letter| letter.is_control() || turns(letter))
}

/// A name from outside without what would act on a line that it is shown in.
pub fn made_plain(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control() && !turns(*letter)).collect()
}

/// An email address in small letters, a phone number without what groups its digits: one mailbox or one number is one text,
/// so that it has one account, and codes to it are counted together.
pub fn contact(text: &str) -> String {
    match text.contains('@') {
        true => text.trim().to_ascii_lowercase(),
        false => text.chars().filter(|letter| !matches!(letter, ' ' | '-')).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_names() {
        for good in ["a", "alice_01", "0123456789abcdef"] {
            assert!(user_name(good), "{good}");
        }
        for bad in ["", "Alice", "a b", "a-b", "ä", "0123456789abcdefg", "a\n"] {
            assert!(!user_name(bad), "{bad}");
        }
    }

    #[test]
    fn a_name_turns_nothing_around() {
        assert!(plain("") && plain("שלום 链 a'b") && one_line("שלום"));
        for bad in ["a\nb", "a\u{7f}", "\u{85}", "\u{202e}gnp.exe", "a\u{2066}b", "a\0"] {
            assert!(!plain(bad) && !one_line(bad), "{bad:?}");
        }
        assert!(!one_line(" ") && !one_line("\u{200b}"));
        assert_eq!(made_plain("a\u{202e}gnp\r\n.exe"), "agnp.exe");
    }

    #[test]
    fn passwords_count_characters() {
        assert!(!password("12345"));
        assert!(password("123456"));
        assert!(password("密码密码密码"));
        assert!(password(&"x".repeat(20)));
        assert!(!password(&"x".repeat(21)));
    }

    #[test]
    fn emails() {
        for good in ["a@b.io", "first.last+tag@mail.example.org"] {
            assert!(email(good), "{good}");
        }
        for bad in ["", "a", "a@", "@b.io", "a@b", "a@b..io", "a@@b.io", "a b@c.io", "a@-b.io"] {
            assert!(!email(bad), "{bad}");
        }
    }

    #[test]
    fn phones() {
        for good in ["+86 138-0013-8000", "030123456"] {
            assert!(phone(good), "{good}");
        }
        for bad in ["", "12345", "+", "phone", "1234567890123456", "++123456"] {
            assert!(!phone(bad), "{bad}");
        }
    }

    #[test]
    fn a_mailbox_or_a_number_is_one_text() {
        assert_eq!(contact(" Ada@Mail.IO "), "ada@mail.io");
        assert_eq!(contact("+86 138-0013-8000"), "+8613800138000");
    }

    #[test]
    fn new_passwords_are_letters_digits_and_some_signs() {
        for good in ["abc123", "!@#$%&*_A1"] {
            assert!(new_password(good), "{good}");
        }
        for bad in ["", "abc 123", "密码密码密码", "abc-123", "abcde"] {
            assert!(!new_password(bad), "{bad}");
        }
    }

    #[test]
    fn tag_lists() {
        assert_eq!(tags("defi, nft，defi,,").unwrap(), ["defi", "nft"]);
        assert_eq!(tags("").unwrap().len(), 0);
        assert!(tags("sixteen letters!").is_none());
        assert!(tags("a\nb").is_none());
    }
}
