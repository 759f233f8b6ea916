//! Mean advantages as a table and a figure.

use std::collections::BTreeMap;

use super::measure::{Advantage, PLIES, Price};
use crate::{
    page::{Block, Cell, Figure, Kind, Lines, Phrase, Plot, Scale, Series, Style, Table},
    stats::{
        reserves::{
            observed::{ALL, Scope},
            page::{FEW, Question, sentence},
        },
        words::{band_column, count_column, interval_cells, interval_columns, kind_column, point},
    },
};

impl Question for Price {
    fn answer(&self, scope: &Scope) -> Vec<Block> {
        if self.advantages().next().is_none() {
            return Vec::new();
        }
        let title = Phrase::new("What a use is worth to the search", "ما يساويه الاستعمال في نظر البحث");
        let columns = |ply: bool| {
            let mut columns = vec![band_column(), kind_column()];
            if ply {
                columns.push(count_column("from_ply", Phrase::new("from ply", "من نصف النقلة")));
            }
            columns.push(count_column("decisions", Phrase::new("decisions (n)", "قرارات (n)")));
            let number = Kind::Number { decimals: 4 };
            columns.extend(interval_columns("real", Phrase::new("real", "الحقيقي"), number));
            columns.extend(interval_columns("placebo", Phrase::new("placebo", "الوهمي"), number));
            columns.extend(interval_columns(
                "advantage",
                Phrase::new("real less placebo", "الحقيقي ناقص الوهمي"),
                number,
            ));
            columns
        };
        let note = sentence(&[
            &Phrase::new(
                "Full searches that visited an action of the kind and one of no reserve kind. Real: the best value of the kind less the best of the others, for the mover, -1 to 1; which action was played does not matter. \
                 The best of many noisy values is too high by chance, and there are more of the others; placebo is the same difference with the labels put on the same values at random (exact mean over all ways). \
                 Real less placebo is 0 where the kind is as good as any other action. It does not take away that values of little visited actions are noisier. 95% by bootstrap over games.",
                "الأبحاث الكاملة التي زارت نقلة من النوع ونقلة لا تمسّ الاحتياطي. الحقيقي: أفضل قيمة للنوع ناقص أفضل قيمة لغيره، لصاحب الدور، من -1 إلى 1؛ ولا أثر لما لُعب فعلًا. \
                 أفضل قيمة بين قيم كثيرة مشوّشة عالية بالصدفة، وغير النوع أكثر؛ والوهمي هو الفرق نفسه حين توزَّع الأسماء على القيم نفسها عشوائيًا (المتوسط الدقيق لكل التوزيعات). \
                 والحقيقي ناقص الوهمي صفر حيث النوع كسائر النقلات. ولا يزيل ذلك أن قيم النقلات القليلة الزيارة أكثر تشويشًا. 95% بإعادة المعاينة على المباريات.",
            ),
            &scope.filter(),
        ]);
        let mut summary = Table::new("advantage", title.clone(), note.clone(), columns(false));
        let mut data = Table::new("advantage_by_ply", title.clone(), Phrase::default(), columns(true));
        let mut series: BTreeMap<u8, Series> = BTreeMap::new();
        for Advantage { group, kind, bin, decisions, real, placebo, advantage } in self.advantages() {
            let mut row: Vec<Cell> = vec![scope.group_cell(group), scope.kind_cell(kind)];
            row.extend(bin.map(|bin| Cell::Count((bin * PLIES) as u64)));
            row.push(decisions.into());
            row.extend([real, placebo, advantage].iter().flat_map(|interval| interval_cells(interval.as_ref())));
            if bin.is_some() {
                data.push(row)
            } else {
                summary.push(row)
            }
            if let (ALL, Some(bin), Some(advantage), FEW..) = (group, bin, advantage, decisions) {
                let line = series.entry(kind).or_insert_with(|| Series {
                    name: scope.kind_name(kind),
                    style: Style::Line,
                    points: Vec::new(),
                });
                line.points.push(point(bin as f64 * PLIES as f64 + (PLIES - 1) as f64 / 2.0, &advantage));
            }
        }
        let words = |pick: fn(&Phrase) -> &str, comma: &str| {
            let kinds = series.iter().map(|(kind, line)| format!("{} {}", pick(&line.name), self.decisions(*kind)));
            kinds.collect::<Vec<_>>().join(comma)
        };
        let caption = sentence(&[
            &Phrase::new(
                format!(
                    "Real less placebo in bins of {PLIES} plies; bins of less than {FEW} decisions are not drawn. By default self-play draws its first {PLIES} actions by chance and then takes the search's choice: no bin holds both. n (decisions): {}.",
                    words(|name| &name.en, ", ")
                ),
                format!(
                    "الحقيقي ناقص الوهمي لكل {PLIES} نصف نقلة؛ ولا يُرسم ما قلّت قراراته عن {FEW}. في الإعداد المعتاد يسحب اللعب الذاتي نقلاته الأولى ({PLIES}) بالصدفة ثم يأخذ اختيار البحث: ولا تجمع فئة بينهما. n (قرارات): {}.",
                    words(|name| &name.ar, "، ")
                ),
            ),
            &scope.filter(),
        ]);
        let plot = Plot::Lines(Lines {
            x: Phrase::new("ply", "نصف النقلة"),
            y: Phrase::new("real less placebo", "الحقيقي ناقص الوهمي"),
            x_range: None,
            y_range: None,
            series: series.into_values().collect(),
            scale: Scale::Number,
        });
        vec![Block::Table(summary), Block::Figure(Figure { title, caption, plot, data })]
    }
}
