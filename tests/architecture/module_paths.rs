//! Reads the module paths that the source of a crate names: its modules, what each defines and imports, and what it refers to.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The names from the root of a crate to a module.
pub(crate) type ModulePath = Vec<String>;

/// A path that a module names, from the root of its crate.
pub(crate) struct Reference {
    pub path: ModulePath,
    pub line: usize,
    /// Whether it only passes the name on: `pub use`.
    pub exported: bool,
}

/// What the text of a module says. Code that only tests see is left out.
#[derive(Default)]
pub(crate) struct Module {
    pub file: PathBuf,
    /// The names of the items that it defines.
    items: BTreeSet<String>,
    /// Names that `use` brings in, with what they stand for.
    imports: BTreeMap<String, ModulePath>,
    /// Modules whose names it all brings in.
    globs: Vec<ModulePath>,
    pub references: Vec<Reference>,
    /// Modules that only tests see.
    tests: Vec<String>,
}

pub(crate) struct Modules(pub BTreeMap<ModulePath, Module>);

impl Modules {
    /// The modules of the crate in `folder`.
    pub fn of(folder: &str, sources: &[(PathBuf, String)]) -> Modules {
        let src = Path::new(folder).join("src");
        let files: Vec<(ModulePath, &PathBuf, &String)> = sources
            .iter()
            .filter_map(|(file, text)| Some((module_of(file.strip_prefix(&src).ok()?), file, text)))
            .collect();
        let known: BTreeSet<ModulePath> = files.iter().map(|(path, ..)| path.clone()).collect();
        let mut modules = BTreeMap::new();
        for (path, file, text) in files {
            Reader { tokens: tokens(text), at: 0, known: &known, file, modules: &mut modules }.module(path, false);
        }
        let tests: Vec<ModulePath> = modules
            .iter()
            .flat_map(|(path, module): (&ModulePath, &Module)| module.tests.iter().map(|name| joined(path, name)))
            .collect();
        modules.retain(|path, _| !tests.iter().any(|test| path.starts_with(test)));
        Modules(modules)
    }

    /// The module that defines what a path names; nothing for a path out of the crate.
    pub fn owner(&self, path: &[String]) -> Option<ModulePath> {
        self.resolve(path, 0)
    }

    fn resolve(&self, path: &[String], depth: usize) -> Option<ModulePath> {
        let mut owner = ModulePath::new();
        for (at, name) in path.iter().enumerate() {
            let module = self.0.get(&owner)?;
            let child = joined(&owner, name);
            if self.0.contains_key(&child) {
                owner = child;
                continue;
            }
            if module.items.contains(name) || depth > 8 {
                return Some(owner);
            }
            let rest = &path[at + 1..];
            if let Some(import) = module.imports.get(name) {
                return self.resolve(&[import, rest].concat(), depth + 1);
            }
            // Of several globs the one that has the name.
            let named = module.globs.iter().map(|glob| joined(glob, name));
            let found = named.filter_map(|path| self.resolve(&path, depth + 1).map(|owner| (path, owner)));
            let found = found.filter(|(path, owner)| {
                self.0.get(owner).is_some_and(|module| module.items.contains(path.last().map_or("", String::as_str)))
            });
            return Some(found.map(|(_, owner)| owner).next().unwrap_or(owner));
        }
        Some(owner)
    }
}

fn module_of(file: &Path) -> ModulePath {
    let mut path: ModulePath =
        file.with_extension("").components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    if path.last().is_some_and(|last| ["lib", "main", "mod"].contains(&last.as_str())) {
        path.pop();
    }
    path
}

fn joined(path: &[String], name: &str) -> ModulePath {
    path.iter().cloned().chain([name.to_string()]).collect()
}

/// Names and signs of a Rust text with their lines: without comments, and one empty string for every literal.
fn tokens(text: &str) -> Vec<(usize, String)> {
    let chars: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let (mut at, mut line) = (0, 1);
    let starts = |at: usize, what: &str| what.chars().enumerate().all(|(n, c)| chars.get(at + n) == Some(&c));
    while at < chars.len() {
        let c = chars[at];
        let from = at;
        let mut token = String::new();
        if c.is_whitespace() {
            at += 1;
        } else if starts(at, "//") {
            while at < chars.len() && chars[at] != '\n' {
                at += 1;
            }
        } else if starts(at, "/*") {
            while at < chars.len() && !starts(at, "*/") {
                at += 1;
            }
            at += 2;
        } else if let Some(end) = raw_string(&chars, at) {
            (at, token) = (end, "\"".to_string());
        } else if c == '"' {
            at += 1;
            while at < chars.len() && chars[at] != '"' {
                at += if chars[at] == '\\' { 2 } else { 1 };
            }
            at += 1;
            token.push('"');
        } else if c == '\'' {
            // A letter ends with another quote, a lifetime does not.
            let end = if chars.get(at + 1) == Some(&'\\') {
                (at + 3..chars.len()).find(|end| chars[*end] == '\'')
            } else {
                Some(at + 2).filter(|end| chars.get(*end) == Some(&'\''))
            };
            at = end.unwrap_or(at) + 1;
            while end.is_none() && chars.get(at).is_some_and(|c| c.is_alphanumeric() || *c == '_') {
                at += 1;
            }
        } else if c.is_alphanumeric() || c == '_' {
            while at < chars.len() && (chars[at].is_alphanumeric() || chars[at] == '_') {
                at += 1;
            }
            token = chars[from..at].iter().collect();
        } else if starts(at, "::") {
            at += 2;
            token = "::".to_string();
        } else {
            at += 1;
            token.push(c);
        }
        if !token.is_empty() {
            found.push((line, token));
        }
        line += chars[from..at.min(chars.len())].iter().filter(|c| **c == '\n').count();
    }
    found
}

/// The end of the raw string that begins here.
fn raw_string(chars: &[char], at: usize) -> Option<usize> {
    let mut from = at + usize::from(chars.get(at) == Some(&'b'));
    if chars.get(from) != Some(&'r') {
        return None;
    }
    from += 1;
    let hashes = chars[from..].iter().take_while(|c| **c == '#').count();
    if chars.get(from + hashes) != Some(&'"') {
        return None;
    }
    let closes =
        |end: &usize| chars[*end] == '"' && chars[end + 1..].iter().take_while(|c| **c == '#').count() >= hashes;
    (from + hashes + 1..chars.len()).find(closes).map(|end| end + 1 + hashes)
}

struct Reader<'a> {
    tokens: Vec<(usize, String)>,
    at: usize,
    known: &'a BTreeSet<ModulePath>,
    file: &'a Path,
    modules: &'a mut BTreeMap<ModulePath, Module>,
}

impl Reader<'_> {
    fn token(&self, ahead: usize) -> &str {
        self.tokens.get(self.at + ahead).map_or("", |(_, token)| token)
    }

    fn line(&self) -> usize {
        self.tokens.get(self.at).map_or(0, |(line, _)| *line)
    }

    fn sees(&self, what: &[&str]) -> bool {
        what.iter().enumerate().all(|(ahead, token)| self.token(ahead) == *token)
    }

    /// Reads a module to its closing brace, or the file to its end.
    fn module(&mut self, path: ModulePath, inline: bool) {
        let mut module = Module { file: self.file.to_path_buf(), ..Module::default() };
        let (mut depth, mut exported) = (0, false);
        while self.at < self.tokens.len() {
            let token = self.token(0).to_string();
            if self.sees(&["#", "[", "cfg", "(", "test", ")", "]"]) {
                self.at += 7;
                self.skip_item(&mut module);
                continue;
            }
            match token.as_str() {
                "{" => depth += 1,
                "}" if depth == 0 && inline => break,
                "}" => depth -= 1,
                "pub" => {
                    // `pub(in crate::a)` needs nothing.
                    if self.token(1) == "(" {
                        while self.token(0) != ")" {
                            self.at += 1;
                        }
                    }
                    exported = self.token(1) == "use";
                }
                "use" => {
                    self.import(&path, &mut module, std::mem::take(&mut exported));
                    continue;
                }
                "mod" if self.token(2) == "{" => {
                    let name = self.token(1).to_string();
                    self.at += 3;
                    self.module(joined(&path, &name), true);
                }
                "fn" | "struct" | "enum" | "union" | "trait" | "type" | "const" | "static" if depth == 0 => {
                    let name = if ["fn", "mut"].contains(&self.token(1)) { 2 } else { 1 };
                    module.items.insert(self.token(name).to_string());
                }
                "macro_rules" => {
                    module.items.insert(self.token(2).to_string());
                }
                _ if self.token(1) == "::"
                    && self.at.checked_sub(1).is_none_or(|before| self.tokens[before].1 != "::") =>
                {
                    self.inline_path(&path, &mut module);
                    continue;
                }
                _ => {}
            }
            self.at += 1;
        }
        self.modules.insert(path, module);
    }

    /// Passes over an item that only tests see.
    fn skip_item(&mut self, module: &mut Module) {
        let mut depth = 0;
        let mut named = None;
        while self.at < self.tokens.len() {
            match self.token(0) {
                "mod" if depth == 0 => named = Some(self.token(1).to_string()),
                "{" | "(" | "[" => depth += 1,
                ")" | "]" => depth -= 1,
                "}" if depth == 1 => break,
                "}" => depth -= 1,
                ";" | "," if depth == 0 => break,
                _ => {}
            }
            self.at += 1;
        }
        self.at += 1;
        module.tests.extend(named);
    }

    /// A path within code that begins in this crate.
    fn inline_path(&mut self, module_path: &[String], module: &mut Module) {
        let line = self.line();
        let mut names = vec![self.token(0).to_string()];
        while self.token(1) == "::" && self.token(2).starts_with(|c: char| c.is_alphabetic() || c == '_') {
            names.push(self.token(2).to_string());
            self.at += 2;
        }
        self.at += 1;
        if let Some(path) = self.absolute(module_path, &names).filter(|_| names.len() > 1) {
            module.references.push(Reference { path, line, exported: false });
        }
    }

    /// A `use` with all the names it brings in.
    fn import(&mut self, module_path: &[String], module: &mut Module, exported: bool) {
        self.at += 1;
        // The names before each brace that is open, and those of the item that is read.
        let (mut open, mut names) = (Vec::<Vec<String>>::new(), Vec::<String>::new());
        loop {
            let token = self.token(0).to_string();
            match token.as_str() {
                "::" => {}
                "{" => open.push(names.clone()),
                "as" => {
                    self.at += 1;
                    self.imported(module_path, module, &names, exported);
                    names.clear();
                }
                "," | "}" | ";" | "" => {
                    if !names.is_empty() && open.last() != Some(&names) {
                        self.imported(module_path, module, &names, exported);
                    }
                    names = if token == "," { open.last().cloned().unwrap_or_default() } else { Vec::new() };
                    match token.as_str() {
                        "}" => drop(open.pop()),
                        "," => {}
                        _ => {
                            self.at += 1;
                            return;
                        }
                    }
                }
                _ => names.push(token),
            }
            self.at += 1;
        }
    }

    /// One name that `use` brings in: the last of `names`, unless the reader stands at another one behind `as`.
    fn imported(&self, module_path: &[String], module: &mut Module, names: &[String], exported: bool) {
        let names: Vec<String> = names
            .iter()
            .enumerate()
            .filter(|(at, name)| *at == 0 || *name != "self")
            .map(|(_, name)| name.clone())
            .collect();
        let Some(mut path) = self.absolute(module_path, &names) else { return };
        match names.last().map_or("", String::as_str) {
            "*" => {
                path.pop();
                module.globs.push(path.clone());
            }
            name => {
                let behind = self.at.checked_sub(1).is_some_and(|before| self.tokens[before].1 == "as");
                let alias = if behind { self.token(0) } else { name };
                module.imports.insert(alias.to_string(), path.clone());
            }
        }
        module.references.push(Reference { path, line: self.line(), exported });
    }

    /// A path from the root of the crate; nothing when it begins in another crate.
    fn absolute(&self, module: &[String], names: &[String]) -> Option<ModulePath> {
        let mut base = match names.first()?.as_str() {
            "crate" => ModulePath::new(),
            "self" => module.to_vec(),
            "super" => module[..module.len().checked_sub(1)?].to_vec(),
            name if self.known.contains(&joined(module, name)) => joined(module, name),
            _ => return None,
        };
        for name in &names[1..] {
            match name.as_str() {
                "super" => drop(base.pop()),
                _ => base.push(name.clone()),
            }
        }
        Some(base)
    }
}
