//! How many people a group has, as an aggregate that DataFusion can merge and spill.
//!
//! A sum of weights that stays at the end of 64 bits once it is there; it must never wrap. It is separate from
//! DataFusion's own sums, which do. Read `grouped.rs` for who asks.

use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_array::{Array, ArrayRef, BooleanArray, UInt64Array};
use arrow_schema::{DataType, Field, FieldRef};
use datafusion_common::{Result, ScalarValue, exec_err};
use datafusion_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion_expr::{Accumulator, AggregateUDF, AggregateUDFImpl, EmitTo, GroupsAccumulator, Signature, Volatility};
use std::mem::size_of;
use std::sync::Arc;

/// Returns the aggregate that adds up weights.
pub(crate) fn people() -> AggregateUDF {
    AggregateUDF::new_from_impl(People { signature: Signature::exact(vec![DataType::UInt64], Volatility::Immutable) })
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct People {
    signature: Signature,
}

impl AggregateUDFImpl for People {
    fn name(&self) -> &str {
        "people"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _arguments: &[DataType]) -> Result<DataType> {
        Ok(DataType::UInt64)
    }

    fn is_nullable(&self) -> bool {
        false
    }

    fn state_fields(&self, _arguments: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        Ok(vec![Arc::new(Field::new("people", DataType::UInt64, false))])
    }

    fn accumulator(&self, _arguments: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(OneSum(0)))
    }

    fn groups_accumulator_supported(&self, _arguments: AccumulatorArgs) -> bool {
        true
    }

    fn create_groups_accumulator(&self, _arguments: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        Ok(Box::new(Sums(Vec::new())))
    }
}

fn weights(values: &[ArrayRef]) -> Result<&UInt64Array> {
    match values.first().and_then(|array| array.as_primitive_opt::<UInt64Type>()) {
        Some(weights) => Ok(weights),
        None => exec_err!("no weights"),
    }
}

/// A missing weight is none.
fn weight(weights: &UInt64Array, row: usize) -> u64 {
    if weights.is_valid(row) { weights.value(row) } else { 0 }
}

/// One sum for each group.
struct Sums(Vec<u64>);

impl GroupsAccumulator for Sums {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        group_indices: &[usize],
        filter: Option<&BooleanArray>,
        groups: usize,
    ) -> Result<()> {
        let weights = weights(values)?;
        self.0.resize(groups, 0);
        if filter.is_none() && weights.null_count() == 0 {
            for (group, weight) in group_indices.iter().zip(weights.values()) {
                let sum = &mut self.0[*group];
                *sum = sum.saturating_add(*weight);
            }
            return Ok(());
        }
        for (row, group) in group_indices.iter().enumerate() {
            if filter.is_none_or(|filter| filter.is_valid(row) && filter.value(row)) {
                let sum = &mut self.0[*group];
                *sum = sum.saturating_add(weight(weights, row));
            }
        }
        Ok(())
    }

    fn merge_batch(&mut self, values: &[ArrayRef], group_indices: &[usize], groups: usize) -> Result<()> {
        self.update_batch(values, group_indices, None, groups)
    }

    fn evaluate(&mut self, emit_to: EmitTo) -> Result<ArrayRef> {
        let sums = match emit_to {
            EmitTo::All => std::mem::take(&mut self.0),
            EmitTo::First(groups) => {
                let later = self.0.split_off(groups.min(self.0.len()));
                std::mem::replace(&mut self.0, later)
            }
        };
        Ok(Arc::new(UInt64Array::from(sums)))
    }

    fn state(&mut self, emit_to: EmitTo) -> Result<Vec<ArrayRef>> {
        Ok(vec![self.evaluate(emit_to)?])
    }

    fn convert_to_state(&self, values: &[ArrayRef], filter: Option<&BooleanArray>) -> Result<Vec<ArrayRef>> {
        let weights = weights(values)?;
        let passes = |row: usize| filter.is_none_or(|filter| filter.is_valid(row) && filter.value(row));
        let state = (0..weights.len()).map(|row| if passes(row) { weight(weights, row) } else { 0 });
        Ok(vec![Arc::new(UInt64Array::from_iter_values(state))])
    }

    fn size(&self) -> usize {
        self.0.capacity() * size_of::<u64>()
    }
}

/// The same for a single group, where DataFusion does not group at all.
#[derive(Debug)]
struct OneSum(u64);

impl Accumulator for OneSum {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let weights = weights(values)?;
        self.0 = (0..weights.len()).fold(self.0, |sum, row| sum.saturating_add(weight(weights, row)));
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.update_batch(states)
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        Ok(ScalarValue::UInt64(Some(self.0)))
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![Accumulator::evaluate(self)?])
    }

    fn size(&self) -> usize {
        size_of::<Self>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_stays_at_the_end_of_its_bits_and_a_missing_weight_is_none() {
        let mut sums = Sums(Vec::new());
        let weights: ArrayRef = Arc::new(UInt64Array::from(vec![Some(u64::MAX), Some(2), None, Some(3), Some(1)]));
        sums.update_batch(&[weights], &[0, 0, 1, 1, 2], None, 3).expect("added");
        let early = sums.evaluate(EmitTo::First(2)).expect("sums");
        assert_eq!(early.as_primitive::<UInt64Type>().values().to_vec(), [u64::MAX, 3]);
        // The group that stays moves down.
        let one: ArrayRef = Arc::new(UInt64Array::from(vec![4]));
        sums.merge_batch(&[one], &[0], 1).expect("merged");
        let rest = sums.evaluate(EmitTo::All).expect("sums");
        assert_eq!(rest.as_primitive::<UInt64Type>().values().to_vec(), [5]);
    }
}
