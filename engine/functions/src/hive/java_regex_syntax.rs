//! Translates regular expressions of Java to those of the `regex` crate.

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Translated {
    pub text: String,
    /// Whether it has lookaround, backreferences or possessive quantifiers.
    pub backtracks: bool,
}

const DIGIT: &str = "0-9";
const WORD: &str = "a-zA-Z0-9_";
const SPACE: &str = r" \t\n\x0B\f\r";
const HORIZONTAL_SPACE: &str = r" \t\u00A0\u1680\u180E\u2000-\u200A\u202F\u205F\u3000";
const VERTICAL_SPACE: &str = r"\n\x0B\f\r\u0085\u2028\u2029";
const NO_LINE_END: &str = r"[^\n\r\u0085\u2028\u2029]";

/// The ASCII classes of Java, and their names in `regex`.
const CLASSES: [(&str, &str); 13] = [
    ("Lower", "lower"),
    ("Upper", "upper"),
    ("ASCII", "ascii"),
    ("Alpha", "alpha"),
    ("Digit", "digit"),
    ("Alnum", "alnum"),
    ("Punct", "punct"),
    ("Graph", "graph"),
    ("Print", "print"),
    ("Blank", "blank"),
    ("Cntrl", "cntrl"),
    ("XDigit", "xdigit"),
    ("Space", "space"),
];

/// `None` for an invalid pattern, or one with an unknown escape.
pub(super) fn translate(java: &str) -> Option<Translated> {
    let mut reader = Reader { letters: java.chars().collect(), at: 0, out: String::new(), depth: 0, backtracks: false };
    reader.read()?;
    Some(Translated { text: reader.out, backtracks: reader.backtracks })
}

struct Reader {
    letters: Vec<char>,
    at: usize,
    out: String,
    /// The depth of nested character classes.
    depth: usize,
    backtracks: bool,
}

impl Reader {
    fn next(&mut self) -> Option<char> {
        let letter = self.letters.get(self.at).copied();
        self.at += 1;
        letter
    }

    fn peek(&self) -> Option<char> {
        self.letters.get(self.at).copied()
    }

    fn take(&mut self, letter: char) -> bool {
        let is_next = self.peek() == Some(letter);
        self.at += usize::from(is_next);
        is_next
    }

    fn read(&mut self) -> Option<()> {
        let (mut repeated, mut matches_line_ends) = (false, false);
        while let Some(letter) = self.next() {
            let was_repeated = std::mem::take(&mut repeated);
            match letter {
                '\\' => self.escape()?,
                '[' => self.class(),
                ']' if self.depth > 0 => {
                    self.depth -= 1;
                    self.out.push(']');
                }
                // `--` and `~~` are operators of `regex`.
                '~' if self.depth > 0 => self.out.push_str(r"\~"),
                '-' if self.depth > 0 && self.out.ends_with('-') => self.out.push_str(r"\-"),
                _ if self.depth > 0 => self.out.push(letter),
                '.' => self.out.push_str(if matches_line_ends { "." } else { NO_LINE_END }),
                '(' if self.take('?') => matches_line_ends |= self.group()?,
                '*' | '+' | '?' | '{' => {
                    // A possessive quantifier: `a*+`.
                    self.backtracks |= was_repeated && letter == '+';
                    repeated = !was_repeated;
                    self.out.push(letter);
                    if letter == '{' {
                        self.until('}')?;
                    }
                }
                other => self.out.push(other),
            }
        }
        (self.depth == 0).then_some(())
    }

    /// Copies the pattern up to a character.
    fn until(&mut self, end: char) -> Option<()> {
        loop {
            let letter = self.next()?;
            self.out.push(letter);
            if letter == end {
                return Some(());
            }
        }
    }

    /// The start of a class; a `]` right after it does not end it.
    fn class(&mut self) {
        self.depth += 1;
        self.out.push('[');
        if self.take('^') {
            self.out.push('^');
        }
        if self.take(']') {
            self.out.push_str(r"\]");
        }
    }

    /// The pattern after `(?`; answers whether `.` matches line ends from here on.
    fn group(&mut self) -> Option<bool> {
        match self.peek()? {
            '=' | '!' | '>' => {
                self.backtracks = true;
                self.out.push_str("(?");
                Some(false)
            }
            '<' => {
                self.at += 1;
                self.backtracks |= matches!(self.peek(), Some('=' | '!'));
                self.out.push_str("(?<");
                Some(false)
            }
            _ => {
                let (mut flags, mut on, mut matches_line_ends) = (String::new(), true, false);
                loop {
                    match self.next()? {
                        '-' => {
                            flags.push('-');
                            on = false;
                        }
                        // `regex` has no such variants of letter case and of line ends.
                        'u' | 'U' | 'd' => {}
                        flag @ ('i' | 'm' | 's' | 'x') => {
                            matches_line_ends |= on && flag == 's';
                            flags.push(flag);
                        }
                        ')' if flags.is_empty() => return Some(false),
                        end @ (')' | ':') => {
                            self.out.push_str(&format!("(?{flags}{end}"));
                            return Some(matches_line_ends);
                        }
                        _ => return None,
                    }
                }
            }
        }
    }

    /// A predefined class of characters, within a class or on its own.
    fn predefined_class(&mut self, inner: &str, negated: bool) {
        let text = match (self.depth > 0, negated) {
            (true, false) => inner.to_string(),
            (false, false) => format!("[{inner}]"),
            (_, true) => format!("[^{inner}]"),
        };
        self.out.push_str(&text);
    }

    /// The pattern after a backslash.
    fn escape(&mut self) -> Option<()> {
        let letter = self.next()?;
        match letter {
            'Q' => {
                while let Some(quoted) = self.next() {
                    if quoted == '\\' && self.take('E') {
                        break;
                    }
                    self.out.push_str(&regex::escape(&quoted.to_string()));
                }
            }
            'E' => {}
            'd' | 'D' => self.predefined_class(DIGIT, letter == 'D'),
            'w' | 'W' => self.predefined_class(WORD, letter == 'W'),
            's' | 'S' => self.predefined_class(SPACE, letter == 'S'),
            'h' | 'H' => self.predefined_class(HORIZONTAL_SPACE, letter == 'H'),
            'v' | 'V' => self.predefined_class(VERTICAL_SPACE, letter == 'V'),
            'R' => self.out.push_str(&format!("(?:\\r\\n|[{VERTICAL_SPACE}])")),
            'Z' => {
                self.backtracks = true;
                self.out.push_str(r"(?=\n?\z)");
            }
            '0' => {
                let digits: String = std::iter::from_fn(|| {
                    self.peek().filter(|next| ('0'..='7').contains(next)).inspect(|_| self.at += 1)
                })
                .take(3)
                .collect();
                self.code(u32::from_str_radix(&digits, 8).ok()?);
            }
            'c' => {
                let control = self.next()? as u32 ^ 64;
                self.code(control);
            }
            'e' => self.code(0x1b),
            'p' | 'P' => return self.property(letter == 'P'),
            '1'..='9' | 'k' => {
                self.backtracks = true;
                self.out.extend(['\\', letter]);
            }
            'b' | 'B' | 'A' | 'z' | 'x' | 'u' | 'a' | 'f' | 'n' | 'r' | 't' => self.out.extend(['\\', letter]),
            other if other.is_ascii_alphabetic() => return None,
            other => self.out.push_str(&regex::escape(&other.to_string())),
        }
        Some(())
    }

    fn code(&mut self, code: u32) {
        self.out.push_str(&format!("\\x{{{code:x}}}"));
    }

    /// `\p{Alpha}`, `\p{L}`, `\pL`, `\p{IsGreek}`.
    fn property(&mut self, but: bool) -> Option<()> {
        let mut name = String::new();
        if self.take('{') {
            loop {
                match self.next()? {
                    '}' => break,
                    letter => name.push(letter),
                }
            }
        } else {
            name.push(self.next()?);
        }
        if let Some((_, class)) = CLASSES.iter().find(|(java, _)| *java == name) {
            self.predefined_class(&format!("[:{class}:]"), but);
            return Some(());
        }
        let name = match name.as_str() {
            "javaLowerCase" => "Lowercase",
            "javaUpperCase" => "Uppercase",
            "javaWhitespace" => "White_Space",
            other => other.strip_prefix("Is").unwrap_or(other),
        };
        self.out.push_str(&format!("\\{}{{{name}}}", if but { 'P' } else { 'p' }));
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_translated() {
        let translated = |java: &str| translate(java).map(|it| (it.text, it.backtracks));
        for (java, expected, backtracks) in [
            (r"\d+[\w.]", "[0-9]+[a-zA-Z0-9_.]", false),
            (r"\Qa.b\E+", r"a\.b+", false),
            (r"[^\]a--z~]", r"[^\]a-\-z\~]", false),
            (r"\p{Punct}[\p{Alpha}\P{Lu}]", r"[[:punct:]][[:alpha:]\P{Lu}]", false),
            (r"(?i)ab(?u)", "(?i)ab", false),
            ("foo(?=bar)", "foo(?=bar)", true),
            ("(a)?+b", "(a)?+b", true),
            ("a{2,3}?", "a{2,3}?", false),
            (r"(a)\1", r"(a)\1", true),
            (r"\<\/\07", r"</\x{7}", false),
        ] {
            assert_eq!(translated(java), Some((expected.to_string(), backtracks)), "{java}");
        }
        for none in [r"\", r"\y", "[a", "(?"] {
            assert_eq!(translated(none), None, "{none}");
        }
    }
}
