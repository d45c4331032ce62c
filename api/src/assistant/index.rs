//! Full-text index over the corpus, ranked by BM25 (Robertson and Zaragoza, 2009).

use std::collections::HashMap;

use super::words::words;

const K1: f64 = 1.2;
const B: f64 = 0.75;
/// How often a word of the title counts beside one of the text.
const TITLE: usize = 3;

#[derive(Debug)]
pub struct Index {
    /// Word → documents with it and how often.
    postings: HashMap<String, Vec<(usize, u32)>>,
    lengths: Vec<f64>,
    mean: f64,
}

/// A document and how well it answers: the share of the question's weight that it covers, and its rank.
#[derive(Debug, Clone, Copy)]
pub struct Hit {
    pub document: usize,
    pub score: f64,
    /// 0 to 1: how much of what was asked, by how rare its words are, the document has.
    pub coverage: f64,
}

impl Index {
    /// Indexes documents given as title and text.
    pub fn new<'a>(documents: impl Iterator<Item = (&'a str, &'a str)>) -> Index {
        let mut postings: HashMap<String, Vec<(usize, u32)>> = HashMap::new();
        let mut lengths = Vec::new();
        for (document, (title, text)) in documents.enumerate() {
            let mut counts: HashMap<String, u32> = HashMap::new();
            let title = words(title);
            let all = title.iter().cycle().take(title.len() * TITLE).cloned().chain(words(text));
            let mut length = 0_u32;
            for word in all {
                *counts.entry(word).or_default() += 1;
                length += 1;
            }
            lengths.push(f64::from(length));
            for (word, count) in counts {
                postings.entry(word).or_default().push((document, count));
            }
        }
        let mean = lengths.iter().sum::<f64>() / (lengths.len().max(1) as f64);
        Index { postings, lengths, mean }
    }

    /// The documents that answer a question, best first.
    pub fn search(&self, question: &str, most: usize) -> Vec<Hit> {
        let mut asked = words(question);
        asked.sort();
        asked.dedup();
        let mut hits: HashMap<usize, (f64, f64)> = HashMap::new();
        let mut whole = 0.0;
        for word in &asked {
            let found = self.postings.get(word).map_or(&[][..], Vec::as_slice);
            // A pair of characters that stands nowhere is no word; a word that stands nowhere is something not told here.
            if found.is_empty() && !word.is_ascii() {
                continue;
            }
            let rarity = self.rarity(found.len()) * weight(word);
            whole += rarity;
            for (document, count) in found {
                let count = f64::from(*count);
                let long = 1.0 - B + B * self.lengths.get(*document).copied().unwrap_or(0.0) / self.mean.max(1.0);
                let hit = hits.entry(*document).or_default();
                hit.0 += rarity * count * (K1 + 1.0) / (count + K1 * long);
                hit.1 += rarity;
            }
        }
        let hits = hits.into_iter().map(|(document, (score, covered))| Hit {
            document,
            // What covers more of the question comes before what repeats a part of it.
            score: score * (covered / whole),
            coverage: covered / whole,
        });
        let mut hits: Vec<Hit> = hits.collect();
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.document.cmp(&b.document)));
        hits.truncate(most);
        hits
    }

    fn rarity(&self, with: usize) -> f64 {
        let (all, with) = (self.lengths.len() as f64, with as f64);
        (1.0 + (all - with + 0.5) / (with + 0.5)).ln()
    }
}

/// A pair of Chinese characters is a piece of a word and often none at all, such as the end of one and the start of the
/// next: it says half as much as a word.
fn weight(word: &str) -> f64 {
    if word.is_ascii() { 1.0 } else { 0.5 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_best_comes_first() {
        let documents = [
            ("Gas", "What a unit of gas costs: the base fee and the tip."),
            ("Token holders", "Who holds a token: what came in minus what went out."),
            ("区块时间", "区块的时间是 UTC。"),
        ];
        let index = Index::new(documents.into_iter());
        let first = |question: &str| index.search(question, 3).first().map(|hit| hit.document);
        assert_eq!(first("Who are the holders of a token?"), Some(1));
        assert_eq!(first("base fee"), Some(0));
        assert_eq!(first("区块时间是什么"), Some(2));
        assert_eq!(first("weather"), None);
        assert!(index.search("base fee", 1)[0].coverage > 0.99);
    }
}
