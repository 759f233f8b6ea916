//! One position as lines of text and a table.

use super::Explore;
use crate::{
    page::{Column, Kind, Phrase, Table},
    stats::openings::{
        record::{Decisions, Results},
        tables::{record_cells, record_columns},
    },
};

impl Explore {
    /// A few lines about the position: games, plies, results, what was never played.
    pub fn summary(&self) -> String {
        let Results { wins, draws, losses, cut_off } = self.results;
        let (through, of, runs) = (self.results.games(), self.games, self.runs.join(", "));
        if !self.is_known() {
            return format!("none of {of} games of {runs} comes to\n{}\n", self.position);
        }
        let never: Vec<&str> =
            self.legal.iter().map(String::as_str).filter(|action| !self.records.contains_key(*action)).collect();
        let times: u64 = self.plies.values().sum();
        let (first, last) = (self.plies.keys().next(), self.plies.keys().next_back());
        let share = 100.0 * through as f64 / of as f64;
        let mut text = format!("{}\n{through} of {of} games of {runs} ({share:.1}%), {times} times", self.position);
        match (first, last) {
            (Some(first), Some(last)) if first < last => {
                text += &format!(", at plies {first} to {last} (median {})", self.median_ply());
            }
            (Some(only), _) => text += &format!(", at ply {only}"),
            _ => {}
        }
        text +=
            &format!("\nWhite won {wins}, drew {draws}, lost {losses}; {cut_off} cut off by self-play's own limit\n");
        let Decisions { searched, drawn, forced } = self.choices;
        text += &format!(
            "moves chosen by a search {searched}, drawn from the network's policy without one {drawn}, forced {forced}\n"
        );
        text += &format!("{} legal actions, {} of them never played", self.legal.len(), never.len());
        if !never.is_empty() {
            text += &format!(": {}", never.join(" "));
        }
        text.push('\n');
        text
    }

    /// The actions played, the most frequent first.
    pub fn table(&self) -> Table {
        let mut columns = vec![Column::new("action", Phrase::new("move", "النقلة"), Kind::Text)];
        columns.extend(record_columns());
        let note = Phrase::new(
            "Shares are of the choices that a search made here, and of those drawn from the network's policy without one. Scores are of games with a result, for \
             the side to move; Wilson-type 95% intervals. Visits and root value are means over at least 10 searches.",
            "النسب مما اختاره البحث هنا، ومما سُحب من سياسة الشبكة دون بحث. معدّل النقاط للمباريات ذات النتيجة، لصاحب الدور؛ فترات ثقة 95% على طريقة ويلسون. الزيارات وقيمة الجذر \
             متوسّطات على 10 عمليات بحث على الأقل.",
        );
        let title = Phrase::new("What was played", "ما لُعب");
        let mut table = Table::new("explore", title, note, columns);
        let mut records: Vec<_> = self.records.iter().collect();
        // The sort is stable: actions of as many games stay in the order of their strings.
        records.sort_by_key(|(_, record)| std::cmp::Reverse(record.games()));
        for (action, record) in records {
            let mut row = vec![action.as_str().into()];
            row.extend(record_cells(record, Some((self.results.games(), self.choices))));
            table.push(row);
        }
        table
    }
}
