//! Parses expressions of XPath 1.0.

const MAX_DEPTH: usize = 60;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expr {
    Number(f64),
    Text(String),
    Call(String, Vec<Expr>),
    Negative(Box<Expr>),
    /// `or`, `and`, a comparison, arithmetic, or `|`.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// Some of the nodes of an expression.
    Filter(Box<Expr>, Vec<Expr>),
    Path(Start, Vec<Step>),
}

/// Where a path begins.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Start {
    Root,
    Here,
    At(Box<Expr>),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Step {
    pub axis: Axis,
    pub test: Test,
    pub predicates: Vec<Expr>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    Ancestor,
    AncestorOrSelf,
    Attribute,
    Child,
    Descendant,
    DescendantOrSelf,
    Following,
    FollowingSibling,
    Parent,
    Preceding,
    PrecedingSibling,
    This,
}

/// Which nodes of an axis are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Test {
    /// Elements (attributes on their axis) of any name.
    Any,
    Name(String),
    Node,
    Text,
    Comment,
    Instruction,
}

const AXES: [(&str, Axis); 12] = [
    ("ancestor", Axis::Ancestor),
    ("ancestor-or-self", Axis::AncestorOrSelf),
    ("attribute", Axis::Attribute),
    ("child", Axis::Child),
    ("descendant", Axis::Descendant),
    ("descendant-or-self", Axis::DescendantOrSelf),
    ("following", Axis::Following),
    ("following-sibling", Axis::FollowingSibling),
    ("parent", Axis::Parent),
    ("preceding", Axis::Preceding),
    ("preceding-sibling", Axis::PrecedingSibling),
    ("self", Axis::This),
];

/// The words for kinds of nodes, which are no functions.
const KINDS: [(&str, Test); 4] = [
    ("node", Test::Node),
    ("text", Test::Text),
    ("comment", Test::Comment),
    ("processing-instruction", Test::Instruction),
];

/// Operators from the loosest to the tightest; `|` and the minus sign bind tighter.
const LEVELS: [&[&str]; 6] =
    [&["or"], &["and"], &["=", "!="], &["<=", ">=", "<", ">"], &["+", "-"], &["*", "div", "mod"]];

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Name(String),
    Number(f64),
    Text(String),
    Sign(&'static str),
}

/// Signs, the longer ones before those that they begin with.
const SIGNS: [&str; 21] =
    ["//", "/", "::", "..", ".", "!=", "<=", ">=", "<", ">", "=", "(", ")", "[", "]", "@", ",", "|", "+", "-", "*"];

fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let digits = rest.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
        let is_number =
            first.is_ascii_digit() || (first == '.' && rest[1..].starts_with(|next: char| next.is_ascii_digit()));
        let after = if is_number {
            tokens.push(Token::Number(rest[..rest.len() - digits.len()].parse().ok()?));
            digits
        } else if first == '\'' || first == '"' {
            let (inner, after) = rest[1..].split_once(first)?;
            tokens.push(Token::Text(inner.to_string()));
            after
        } else if first.is_alphabetic() || first == '_' {
            let is_part = |letter: char| letter.is_alphanumeric() || "_-.".contains(letter);
            let mut after = rest.trim_start_matches(is_part);
            // A name with a prefix; `::` is the end of an axis.
            if let Some(local) = after.strip_prefix(':')
                && local.starts_with(|next: char| next.is_alphabetic() || next == '_')
            {
                after = local.trim_start_matches(is_part);
            }
            tokens.push(Token::Name(rest[..rest.len() - after.len()].to_string()));
            after
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign))?;
            tokens.push(Token::Sign(sign));
            &rest[sign.len()..]
        };
        rest = after.trim_start();
    }
    Some(tokens)
}

/// `None` for an invalid expression.
pub(super) fn parse(text: &str) -> Option<Expr> {
    let mut reader = Reader { tokens: tokens(text)?, at: 0, depth: 0 };
    let expr = reader.binary(0)?;
    (reader.at == reader.tokens.len()).then_some(expr)
}

struct Reader {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

impl Reader {
    fn peek(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.at + ahead)
    }

    fn is_sign(&self, ahead: usize, sign: &str) -> bool {
        matches!(self.peek(ahead), Some(Token::Sign(held)) if *held == sign)
    }

    fn take(&mut self, sign: &str) -> bool {
        let is_next = self.is_sign(0, sign);
        self.at += usize::from(is_next);
        is_next
    }

    fn binary(&mut self, level: usize) -> Option<Expr> {
        let Some(operators) = LEVELS.get(level) else { return self.union() };
        if level == 0 {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return None;
            }
        }
        let mut left = self.binary(level + 1)?;
        let mut chain = 0;
        while let Some(operator) = self.operator(operators) {
            // A chain of operators nests to the left, as deep as it is long.
            chain += 1;
            if chain > MAX_DEPTH {
                return None;
            }
            left = Expr::Binary(operator, Box::new(left), Box::new(self.binary(level + 1)?));
        }
        if level == 0 {
            self.depth -= 1;
        }
        Some(left)
    }

    fn operator(&mut self, operators: &[&'static str]) -> Option<&'static str> {
        let word = match self.peek(0)? {
            Token::Name(name) => name.as_str(),
            Token::Sign(sign) => sign,
            _ => return None,
        };
        let operator = operators.iter().copied().find(|operator| *operator == word)?;
        self.at += 1;
        Some(operator)
    }

    fn union(&mut self) -> Option<Expr> {
        let mut signs = 0;
        while self.take("-") {
            signs += 1;
        }
        let mut whole = self.path()?;
        let mut chain = 0;
        while self.take("|") {
            chain += 1;
            if chain > MAX_DEPTH {
                return None;
            }
            whole = Expr::Binary("|", Box::new(whole), Box::new(self.path()?));
        }
        // An even number of minus signs still converts to a number.
        Some(match signs {
            0 => whole,
            odd if odd % 2 == 1 => Expr::Negative(Box::new(whole)),
            _ => Expr::Negative(Box::new(Expr::Negative(Box::new(whole)))),
        })
    }

    fn path(&mut self) -> Option<Expr> {
        if self.is_sign(0, "/") || self.is_sign(0, "//") {
            let mut steps = Vec::new();
            if self.take("/") {
                if !self.begins_step() {
                    return Some(Expr::Path(Start::Root, steps));
                }
                steps.push(self.step()?);
            }
            self.more_steps(&mut steps)?;
            return Some(Expr::Path(Start::Root, steps));
        }
        let Some(primary) = self.primary()? else {
            let mut steps = vec![self.step()?];
            self.more_steps(&mut steps)?;
            return Some(Expr::Path(Start::Here, steps));
        };
        let predicates = self.predicates()?;
        let filtered = match predicates.is_empty() {
            true => primary,
            false => Expr::Filter(Box::new(primary), predicates),
        };
        let mut steps = Vec::new();
        self.more_steps(&mut steps)?;
        Some(if steps.is_empty() { filtered } else { Expr::Path(Start::At(Box::new(filtered)), steps) })
    }

    fn more_steps(&mut self, steps: &mut Vec<Step>) -> Option<()> {
        loop {
            if self.take("//") {
                steps.push(Step { axis: Axis::DescendantOrSelf, test: Test::Node, predicates: Vec::new() });
            } else if !self.take("/") {
                return Some(());
            }
            steps.push(self.step()?);
        }
    }

    fn begins_step(&self) -> bool {
        matches!(self.peek(0), Some(Token::Name(_))) || ["*", "@", ".", ".."].iter().any(|sign| self.is_sign(0, sign))
    }

    /// What is no path: a number, a text, a call, parentheses.
    fn primary(&mut self) -> Option<Option<Expr>> {
        let expr = match self.peek(0)? {
            Token::Number(number) => Expr::Number(*number),
            Token::Text(text) => Expr::Text(text.clone()),
            Token::Sign("(") => {
                self.at += 1;
                let inner = self.binary(0)?;
                return self.take(")").then_some(Some(inner));
            }
            Token::Name(name) if self.is_sign(1, "(") && !KINDS.iter().any(|(kind, _)| kind == name) => {
                let name = name.clone();
                self.at += 2;
                let mut args = Vec::new();
                while !self.take(")") {
                    if !args.is_empty() && !self.take(",") {
                        return None;
                    }
                    args.push(self.binary(0)?);
                }
                return Some(Some(Expr::Call(name, args)));
            }
            _ => return Some(None),
        };
        self.at += 1;
        Some(Some(expr))
    }

    fn step(&mut self) -> Option<Step> {
        let short = |axis| Some(Step { axis, test: Test::Node, predicates: Vec::new() });
        if self.take(".") {
            return short(Axis::This);
        }
        if self.take("..") {
            return short(Axis::Parent);
        }
        let mut axis = Axis::Child;
        if self.take("@") {
            axis = Axis::Attribute;
        } else if let Some(Token::Name(name)) = self.peek(0)
            && self.is_sign(1, "::")
        {
            axis = AXES.iter().find(|(known, _)| known == name)?.1;
            self.at += 2;
        }
        let test = match self.peek(0)?.clone() {
            Token::Sign("*") => Test::Any,
            Token::Name(name) if self.is_sign(1, "(") => {
                self.at += 2;
                if matches!(self.peek(0), Some(Token::Text(_))) {
                    self.at += 1;
                }
                if !self.is_sign(0, ")") {
                    return None;
                }
                KINDS.iter().find(|(kind, _)| *kind == name)?.1.clone()
            }
            Token::Name(name) => Test::Name(name),
            _ => return None,
        };
        self.at += 1;
        Some(Step { axis, test, predicates: self.predicates()? })
    }

    fn predicates(&mut self) -> Option<Vec<Expr>> {
        let mut predicates = Vec::new();
        while self.take("[") {
            predicates.push(self.binary(0)?);
            if !self.take("]") {
                return None;
            }
        }
        Some(predicates)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_read_or_refused() {
        for good in [
            "a/b/text()",
            "//@id",
            "/",
            "a[@x='1'][2]/..",
            "sum(a/*) * 2 - -1",
            "a/b | c//d",
            "a[position() < last()]",
            "(a/b)[1]/c",
            "ancestor-or-self::node()",
            "a-b/c.d",
            "4 div 2 mod 3",
            "count(*) * count(*)",
        ] {
            assert!(parse(good).is_some(), "{good}");
        }
        for bad in ["", "a/", "a[", "a b", "nobody::a", "f(", "1 +", "'x", "#", "a//", "()"] {
            assert!(parse(bad).is_none(), "{bad}");
        }
        assert!(parse(&"(".repeat(100_000)).is_none());
        assert!(parse(&format!("1{}", "+1".repeat(100_000))).is_none());
    }
}
