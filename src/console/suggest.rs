//! What a user may have meant by a word that is none of those expected.

/// Similarity (Jaro-Winkler, 0 to 1) from which on a word is worth asking about.
const ALIKE: f64 = 0.8;

/// Which of `words` is most like `found`; none where none is like it.
pub fn nearest<'a>(found: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let likeness = |word: &'a str| (strsim::jaro_winkler(found, word), word);
    let best = words.into_iter().map(likeness).max_by(|(one, _), (other, _)| one.total_cmp(other));
    best.filter(|&(alike, _)| alike >= ALIKE).map(|(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_asked_about_and_no_stranger() {
        let words = ["random", "greedy", "alphabeta:2"];
        assert_eq!(nearest("randon", words), Some("random"));
        assert_eq!(nearest("alphabta:2", words), Some("alphabeta:2"));
        assert_eq!(nearest("stockfish", words), None);
        assert_eq!(nearest("random", []), None);
    }
}
