//! The columns of a Parquet file. A column is stated once: its name, its type, its meaning and what a row has in it;
//! the schema, the writing, the reading and the documentation follow.

use std::{borrow::Cow, sync::Arc};

use arrow_array::{
    Array, ArrayRef, RecordBatch,
    builder::{
        BinaryBuilder, BooleanBuilder, Float32Builder, Float64Builder, Int8Builder, ListBuilder, StringBuilder,
        UInt8Builder, UInt16Builder, UInt32Builder, UInt64Builder,
    },
};
use arrow_schema::{DataType, Field, Schema};

/// A kind of file, known by its columns.
pub trait Table: Sized + 'static {
    /// What a row is made from.
    type Row<'a>;

    /// Every column, in the order of the file.
    fn columns() -> impl Iterator<Item = &'static Column<Self>>;
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Bool,
    Int8,
    UInt16,
    UInt32,
    UInt64,
    Float,
    Double,
    Text,
    /// A text that many rows share.
    Word,
    Bytes,
    ListUInt8,
    ListUInt32,
    ListFloat,
}

impl Type {
    /// The Arrow type.
    pub fn arrow(self) -> DataType {
        let list = |item: DataType| DataType::List(Arc::new(Field::new_list_field(item, true)));
        match self {
            Type::Bool => DataType::Boolean,
            Type::Int8 => DataType::Int8,
            Type::UInt16 => DataType::UInt16,
            Type::UInt32 => DataType::UInt32,
            Type::UInt64 => DataType::UInt64,
            Type::Float => DataType::Float32,
            Type::Double => DataType::Float64,
            Type::Text | Type::Word => DataType::Utf8,
            Type::Bytes => DataType::Binary,
            Type::ListUInt8 => list(DataType::UInt8),
            Type::ListUInt32 => list(DataType::UInt32),
            Type::ListFloat => list(DataType::Float32),
        }
    }

    /// The type's name in documentation.
    pub fn name(self) -> &'static str {
        match self {
            Type::Bool => "bool",
            Type::Int8 => "int8",
            Type::UInt16 => "uint16",
            Type::UInt32 => "uint32",
            Type::UInt64 => "uint64",
            Type::Float => "float32",
            Type::Double => "double",
            Type::Text | Type::Word => "string",
            Type::Bytes => "binary",
            Type::ListUInt8 => "list<uint8>",
            Type::ListUInt32 => "list<uint32>",
            Type::ListFloat => "list<float32>",
        }
    }
}

/// What a row has in a column of the type of the same name.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    Null,
    Bool(bool),
    Int8(i8),
    UInt16(u16),
    UInt32(u32),
    UInt64(u64),
    Float(f32),
    Double(f64),
    /// Of a text or a word.
    Text(Cow<'a, str>),
    Bytes(Vec<u8>),
    ListUInt8(&'a [u8]),
    ListUInt32(&'a [u32]),
    ListFloat(&'a [f32]),
    /// Of a list of floats, some of which may be missing.
    ListOptionalFloat(&'a [Option<f32>]),
}

impl<'a> Value<'a> {
    /// A text or a word.
    pub fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Value::Text(text.into())
    }

    /// The value, or null where there is none.
    pub fn optional<T>(value: Option<T>, of: impl FnOnce(T) -> Value<'a>) -> Self {
        value.map_or(Value::Null, of)
    }
}

/// Whose point of view a column's numbers have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// That of the side to move in the row.
    Mover,
    /// None: they are the same for both sides.
    Neutral,
}

/// One column.
pub struct Column<T: Table> {
    pub name: &'static str,
    pub ty: Type,
    /// Whether a row may lack it.
    pub nullable: bool,
    pub view: View,
    pub unit: &'static str,
    pub meaning: &'static str,
    pub value: for<'a> fn(&'a T::Row<'a>) -> Value<'a>,
}

impl<T: Table> Column<T> {
    /// The Arrow field.
    pub fn field(&self) -> Field {
        Field::new(self.name, self.ty.arrow(), self.nullable)
    }
}

/// The Arrow schema of a table.
pub fn schema<T: Table>() -> Arc<Schema> {
    Arc::new(Schema::new(T::columns().map(Column::field).collect::<Vec<_>>()))
}

/// The column `name` of some rows that were read, as an array of the type that the column has.
///
/// # Panics
/// When the column was not asked for or holds something else.
pub fn array<'a, A: Array + 'static>(rows: &'a RecordBatch, name: &str) -> &'a A {
    let column = rows.column_by_name(name).unwrap_or_else(|| panic!("column `{name}` was not asked for"));
    column.as_any().downcast_ref().unwrap_or_else(|| panic!("column `{name}` holds {}", column.data_type()))
}

/// Rows under way to a file.
pub struct TableBuilder<T: Table> {
    columns: Vec<(&'static Column<T>, Builder)>,
    len: usize,
}

impl<T: Table> Default for TableBuilder<T> {
    fn default() -> Self {
        TableBuilder::<T> { columns: T::columns().map(|column| (column, Builder::new(column.ty))).collect(), len: 0 }
    }
}

impl<T: Table> TableBuilder<T> {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a row.
    ///
    /// # Panics
    /// When a column gives a value of another type than its own, or none though it is not nullable.
    pub fn push<'a>(&mut self, row: &'a T::Row<'a>) {
        for (column, builder) in &mut self.columns {
            let value = (column.value)(row);
            assert!(column.nullable || !matches!(value, Value::Null), "column `{}` is never null", column.name);
            builder.push(column.name, value);
        }
        self.len += 1;
    }

    /// Takes the rows out, under `schema`, which has the columns of the table.
    ///
    /// # Panics
    /// When `schema` has other columns.
    pub fn take(&mut self, schema: Arc<Schema>) -> RecordBatch {
        self.len = 0;
        let arrays = self.columns.iter_mut().map(|(_, builder)| builder.finish()).collect();
        RecordBatch::try_new(schema, arrays).expect("columns of the schema")
    }
}

/// A column under way.
enum Builder {
    Bool(BooleanBuilder),
    Int8(Int8Builder),
    UInt16(UInt16Builder),
    UInt32(UInt32Builder),
    UInt64(UInt64Builder),
    Float(Float32Builder),
    Double(Float64Builder),
    Text(StringBuilder),
    Bytes(BinaryBuilder),
    ListUInt8(ListBuilder<UInt8Builder>),
    ListUInt32(ListBuilder<UInt32Builder>),
    ListFloat(ListBuilder<Float32Builder>),
}

/// Runs an expression with the Arrow builder that a [`Builder`] holds.
macro_rules! with_builder {
    ($builder:expr, $inner:ident => $run:expr) => {
        match $builder {
            Builder::Bool($inner) => $run,
            Builder::Int8($inner) => $run,
            Builder::UInt16($inner) => $run,
            Builder::UInt32($inner) => $run,
            Builder::UInt64($inner) => $run,
            Builder::Float($inner) => $run,
            Builder::Double($inner) => $run,
            Builder::Text($inner) => $run,
            Builder::Bytes($inner) => $run,
            Builder::ListUInt8($inner) => $run,
            Builder::ListUInt32($inner) => $run,
            Builder::ListFloat($inner) => $run,
        }
    };
}

impl Builder {
    fn new(ty: Type) -> Builder {
        match ty {
            Type::Bool => Builder::Bool(BooleanBuilder::new()),
            Type::Int8 => Builder::Int8(Int8Builder::new()),
            Type::UInt16 => Builder::UInt16(UInt16Builder::new()),
            Type::UInt32 => Builder::UInt32(UInt32Builder::new()),
            Type::UInt64 => Builder::UInt64(UInt64Builder::new()),
            Type::Float => Builder::Float(Float32Builder::new()),
            Type::Double => Builder::Double(Float64Builder::new()),
            Type::Text | Type::Word => Builder::Text(StringBuilder::new()),
            Type::Bytes => Builder::Bytes(BinaryBuilder::new()),
            Type::ListUInt8 => Builder::ListUInt8(ListBuilder::new(UInt8Builder::new())),
            Type::ListUInt32 => Builder::ListUInt32(ListBuilder::new(UInt32Builder::new())),
            Type::ListFloat => Builder::ListFloat(ListBuilder::new(Float32Builder::new())),
        }
    }

    fn push(&mut self, name: &str, value: Value<'_>) {
        match (self, value) {
            (Builder::Bool(builder), Value::Bool(value)) => builder.append_value(value),
            (Builder::Int8(builder), Value::Int8(value)) => builder.append_value(value),
            (Builder::UInt16(builder), Value::UInt16(value)) => builder.append_value(value),
            (Builder::UInt32(builder), Value::UInt32(value)) => builder.append_value(value),
            (Builder::UInt64(builder), Value::UInt64(value)) => builder.append_value(value),
            (Builder::Float(builder), Value::Float(value)) => builder.append_value(value),
            (Builder::Double(builder), Value::Double(value)) => builder.append_value(value),
            (Builder::Text(builder), Value::Text(value)) => builder.append_value(value),
            (Builder::Bytes(builder), Value::Bytes(value)) => builder.append_value(value),
            (Builder::ListUInt8(builder), Value::ListUInt8(values)) => {
                builder.values().append_slice(values);
                builder.append(true);
            }
            (Builder::ListUInt32(builder), Value::ListUInt32(values)) => {
                builder.values().append_slice(values);
                builder.append(true);
            }
            (Builder::ListFloat(builder), Value::ListFloat(values)) => {
                builder.values().append_slice(values);
                builder.append(true);
            }
            (Builder::ListFloat(builder), Value::ListOptionalFloat(values)) => {
                builder.append_value(values.iter().copied());
            }
            (builder, Value::Null) => with_builder!(builder, inner => inner.append_null()),
            (_, value) => panic!("column `{name}` cannot hold {value:?}"),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        with_builder!(self, builder => Arc::new(builder.finish()))
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::{ListArray, StringArray, UInt32Array};

    use super::*;

    enum Toy {}

    static TOY: [Column<Toy>; 3] = [
        toy("name", Type::Text, false, |row| Value::text(row.0)),
        toy("length", Type::UInt32, true, |row| {
            Value::optional(Some(row.0.len()).filter(|&length| length > 0), |length| Value::UInt32(length as u32))
        }),
        toy("bytes", Type::ListUInt8, false, |row| Value::ListUInt8(row.0.as_bytes())),
    ];

    const fn toy(
        name: &'static str,
        ty: Type,
        nullable: bool,
        value: for<'a> fn(&'a (&'a str,)) -> Value<'a>,
    ) -> Column<Toy> {
        Column { name, ty, nullable, view: View::Neutral, unit: "", meaning: "", value }
    }

    impl Table for Toy {
        type Row<'a> = (&'a str,);

        fn columns() -> impl Iterator<Item = &'static Column<Toy>> {
            TOY.iter()
        }
    }

    #[test]
    fn what_is_pushed_is_read() {
        let mut builder = TableBuilder::<Toy>::default();
        for round in 0..2 {
            for name in ["ab", "", "c"] {
                builder.push(&(name,));
            }
            assert_eq!(builder.len(), 3);
            let rows = builder.take(schema::<Toy>());
            assert!(builder.is_empty(), "round {round}");
            let lengths: Vec<Option<u32>> = array::<UInt32Array>(&rows, "length").iter().collect();
            assert_eq!(lengths, [Some(2), None, Some(1)]);
            assert_eq!(array::<StringArray>(&rows, "name").value(2), "c");
            assert_eq!(array::<ListArray>(&rows, "bytes").value_length(0), 2);
        }
    }

    #[test]
    #[should_panic(expected = "column `length` holds UInt32")]
    fn a_column_is_read_as_what_it_is() {
        let mut builder = TableBuilder::<Toy>::default();
        builder.push(&("a",));
        array::<StringArray>(&builder.take(schema::<Toy>()), "length");
    }
}
