//! A graph under construction, one operation after another. Every operation is called after the value that it makes.

use super::messages::{Attribute, Dimension, Graph, Node, Shape, Size, Tensor, TensorType, Type, Value};

#[derive(Debug, Default)]
pub(super) struct Builder(Graph);

impl Builder {
    /// The value `output` that the operator called `operator` makes of `inputs`.
    pub fn node(&mut self, operator: &str, output: &str, inputs: &[&str], attributes: Vec<Attribute>) -> String {
        self.0.node.push(Node {
            input: inputs.iter().map(|&input| input.to_owned()).collect(),
            output: vec![output.to_owned()],
            // Some runtimes look operations and values up in one table of names.
            name: format!("{output}/{operator}"),
            op_type: operator.to_owned(),
            attribute: attributes,
        });
        output.to_owned()
    }

    /// A constant of 32-bit floats.
    pub fn floats(&mut self, name: &str, shape: &[usize], values: &[f32]) -> String {
        let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.constant(name, shape, Tensor::FLOAT, bytes)
    }

    /// A constant vector of 64-bit integers.
    pub fn integers(&mut self, name: &str, values: &[i64]) -> String {
        let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.constant(name, &[values.len()], Tensor::INT64, bytes)
    }

    fn constant(&mut self, name: &str, shape: &[usize], data_type: i32, raw_data: Vec<u8>) -> String {
        let dims = shape.iter().map(|&size| size as i64).collect();
        self.0.initializer.push(Tensor { dims, data_type, name: name.to_owned(), raw_data });
        name.to_owned()
    }

    /// The graph from `input` to `outputs`.
    pub fn finish(self, name: &str, input: Value, outputs: Vec<Value>) -> Graph {
        Graph { name: name.to_owned(), input: vec![input], output: outputs, ..self.0 }
    }
}

/// An input or output of 32-bit floats, `[batch, sizes]`.
pub(super) fn batched(name: &str, sizes: &[usize], meaning: &str) -> Value {
    let batch = Dimension { size: Some(Size::Free("batch".to_owned())) };
    let fixed = sizes.iter().map(|&size| Dimension { size: Some(Size::Fixed(size as i64)) });
    let shape = Shape { dim: std::iter::once(batch).chain(fixed).collect() };
    let tensor = TensorType { elem_type: Tensor::FLOAT, shape: Some(shape) };
    Value { name: name.to_owned(), kind: Some(Type { tensor: Some(tensor) }), doc_string: meaning.to_owned() }
}

pub(super) fn integer(name: &str, value: i64) -> Attribute {
    Attribute { name: name.to_owned(), i: Some(value), ints: Vec::new(), kind: Attribute::INT }
}

pub(super) fn integers(name: &str, values: &[i64]) -> Attribute {
    Attribute { name: name.to_owned(), i: None, ints: values.to_vec(), kind: Attribute::INTS }
}
