//! Numbers inside of Arabic, which keep their direction.

/// Opens and closes a run that is read from left to right whatever surrounds it (Unicode Standard Annex 9).
const ISOLATE: [char; 2] = ['\u{2066}', '\u{2069}'];

/// `text`, set to be read from left to right inside of Arabic.
pub fn isolated(text: &str) -> String {
    format!("{}{text}{}", ISOLATE[0], ISOLATE[1])
}

/// An Arabic text whose numbers, with sign and percent, ranges (`0.1-0.2`), intervals (`[-3, 5]`) and equations (`n =
/// 12`) are read from left to right. Without that, their signs change sides and their ends places. A number after Latin
/// words belongs to them; what is isolated already, or stands between backticks, is left alone.
pub fn with_numbers_isolated(text: &str) -> String {
    let mut isolated_text = String::with_capacity(text.len());
    let (mut rest, mut after_latin, mut isolates, mut in_code) = (text, false, 0_usize, false);
    while let Some(next) = rest.chars().next() {
        let plain = isolates == 0 && !in_code;
        let before = isolated_text.chars().next_back();
        let begins = before.is_none_or(|before| {
            let is_arabic = before.is_alphabetic() && !before.is_ascii();
            before.is_whitespace() || is_arabic || "([=≈±<>≤≥«،؛".contains(before)
        });
        if plain
            && begins
            && (!after_latin || next.is_ascii_alphabetic())
            && let Some(length) = number_length(rest)
        {
            isolated_text += &isolated(&rest[..length]);
            rest = &rest[length..];
            continue;
        }
        match next {
            '`' => in_code = !in_code,
            _ if next == ISOLATE[0] => isolates += 1,
            _ if next == ISOLATE[1] => isolates = isolates.saturating_sub(1),
            _ if plain && next.is_alphabetic() => after_latin = next.is_ascii(),
            _ => {}
        }
        isolated_text.push(next);
        rest = &rest[next.len_utf8()..];
    }
    isolated_text
}

/// Bytes of the number, range, interval or equation that a text begins with.
fn number_length(text: &str) -> Option<usize> {
    let part = |c: char| c.is_ascii_digit() || "+-−–.,:/%∞".contains(c);
    let has_digit = |text: &str| text.contains(|c: char| c.is_ascii_digit());
    if let Some((name, value)) = text.split_once(" = ")
        && !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphabetic())
    {
        return Some(name.len() + 3 + number_length(value)?);
    }
    if text.starts_with('[') {
        let length = text.find(']')? + 1;
        let inside = &text[1..length - 1];
        return (has_digit(inside) && inside.chars().all(|c| part(c) || c == ' ')).then_some(length);
    }
    let run = &text[..text.find(|c| !part(c)).unwrap_or(text.len())];
    // Punctuation at its end belongs to the sentence.
    let run = run.trim_end_matches(['.', ',', ':', '/', '-', '–']);
    let ends = text[run.len()..].chars().next().is_none_or(|after| !after.is_alphanumeric());
    (has_digit(run) && ends).then_some(run.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_set_apart_and_words_are_not() {
        for (text, isolated_text) in [
            ("الفرق -0.3.", "الفرق ⦅-0.3⦆."),
            ("العدد 1200، و(95%)", "العدد ⦅1200⦆، و(⦅95%⦆)"),
            ("بين [-3.5, +2] نقطة", "بين ⦅[-3.5, +2]⦆ نقطة"),
            ("من 0.1–0.2 إلى r1 و gen-000084", "من ⦅0.1–0.2⦆ إلى r1 و gen-000084"),
            ("في r1: n = 1200 مباراة، x = y", "في r1: ⦅n = 1200⦆ مباراة، x = y"),
            ("بـ95%، و«95%»", "بـ⦅95%⦆، و«⦅95%⦆»"),
            ("[رقم 3]", "[رقم ⦅3⦆]"),
            ("3x [", "3x ["),
            ("- و + و ،", "- و + و ،"),
            ("ويلسون، Biometrika 39 (1952)، ثم 3", "ويلسون، Biometrika 39 (1952)، ثم ⦅3⦆"),
            ("في `r 1` ثم -3", "في `r 1` ثم ⦅-3⦆"),
            ("في ⦅b 2⦆ 3", "في ⦅b 2⦆ ⦅3⦆"),
        ] {
            let marked = text.replace('⦅', "\u{2066}").replace('⦆', "\u{2069}");
            assert_eq!(with_numbers_isolated(&marked).replace(ISOLATE[0], "⦅").replace(ISOLATE[1], "⦆"), isolated_text);
        }
    }
}
