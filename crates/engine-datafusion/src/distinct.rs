//! The distinct cells of each person, as an aggregate that DataFusion can merge and spill.
//!
//! A set does not depend on the order of rows, files or partitions; it must never drop a cell, because only `choose.rs` may,
//! when it has seen them all. It is separate because it is the only state that grows with the number of persons. Read
//! `choose.rs` next.

use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_array::{Array, ArrayRef, BooleanArray, ListArray, UInt64Array};
use arrow_schema::{DataType, Field, FieldRef};
use datafusion::arrow::buffer::{OffsetBuffer, ScalarBuffer};
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, EmitTo, GroupsAccumulator, Signature, Volatility,
};
use std::collections::{HashMap, HashSet};
use std::mem::size_of;
use std::sync::Arc;

/// Returns the aggregate that collects the distinct cells of a group.
pub(crate) fn distinct_cells() -> AggregateUDF {
    AggregateUDF::new_from_impl(DistinctCells {
        signature: Signature::exact(vec![DataType::UInt64], Volatility::Immutable),
    })
}

fn list_type() -> DataType {
    DataType::List(item())
}

fn item() -> FieldRef {
    Arc::new(Field::new("item", DataType::UInt64, false))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct DistinctCells {
    signature: Signature,
}

impl AggregateUDFImpl for DistinctCells {
    fn name(&self) -> &str {
        "distinct_cells"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _arguments: &[DataType]) -> Result<DataType> {
        Ok(list_type())
    }

    fn state_fields(&self, _arguments: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        Ok(vec![Arc::new(Field::new("cells", list_type(), false))])
    }

    fn accumulator(&self, _arguments: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(OneSet(Sets::default())))
    }

    fn groups_accumulator_supported(&self, _arguments: AccumulatorArgs) -> bool {
        true
    }

    fn create_groups_accumulator(&self, _arguments: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        Ok(Box::new(Sets::default()))
    }
}

/// No cell has this number.
const NO_CELL: u64 = u64::MAX;
/// The end of a chain.
const END: u32 = u32::MAX;
/// Chains longer than this become hash sets.
const LONGEST_CHAIN: u32 = 24;

/// One set of cells for each group: the first cell in place, more of them in a chain, many of them in a hash set.
#[derive(Default)]
struct Sets {
    first: Vec<u64>,
    chain: Vec<u32>,
    links: Vec<(u64, u32)>,
    large: HashMap<usize, HashSet<u64>>,
    large_cells: usize,
}

impl Sets {
    fn grow(&mut self, groups: usize) {
        if self.first.len() < groups {
            self.first.resize(groups, NO_CELL);
            self.chain.resize(groups, END);
        }
    }

    #[inline]
    fn insert(&mut self, group: usize, cell: u64) {
        let first = self.first[group];
        if first == cell {
            return;
        }
        if first == NO_CELL {
            self.first[group] = cell;
            return;
        }
        self.insert_further(group, cell);
    }

    fn insert_further(&mut self, group: usize, cell: u64) {
        if !self.large.is_empty()
            && let Some(set) = self.large.get_mut(&group)
        {
            self.large_cells += usize::from(set.insert(cell));
            return;
        }
        let mut link = self.chain[group];
        let mut length = 0;
        while link != END {
            let (known, next) = self.links[link as usize];
            if known == cell {
                return;
            }
            length += 1;
            link = next;
        }
        // Links are numbered with 32 bits; beyond them, and in long chains, cells go to hash sets.
        match u32::try_from(self.links.len()) {
            Ok(next) if next < END && length < LONGEST_CHAIN => {
                self.links.push((cell, self.chain[group]));
                self.chain[group] = next;
            }
            Ok(_) | Err(_) => {
                let mut set: HashSet<u64> = self.chained(group).collect();
                set.insert(cell);
                self.large_cells += set.len();
                self.chain[group] = END;
                self.large.insert(group, set);
            }
        }
    }

    fn chained(&self, group: usize) -> impl Iterator<Item = u64> + '_ {
        let mut link = self.chain[group];
        std::iter::from_fn(move || {
            if link == END {
                return None;
            }
            let (cell, next) = self.links[link as usize];
            link = next;
            Some(cell)
        })
    }

    fn emit(&mut self, emit_to: EmitTo) -> Result<ListArray> {
        let groups = match emit_to {
            EmitTo::All => self.first.len(),
            EmitTo::First(groups) => groups.min(self.first.len()),
        };
        let mut offsets = Vec::with_capacity(groups + 1);
        let mut cells = Vec::with_capacity(groups + self.links.len());
        offsets.push(0i32);
        for group in 0..groups {
            if self.first[group] != NO_CELL {
                cells.push(self.first[group]);
            }
            cells.extend(self.chained(group));
            if let Some(set) = self.large.get(&group) {
                cells.extend(set);
            }
            match i32::try_from(cells.len()) {
                Ok(offset) => offsets.push(offset),
                Err(_) => return exec_err!("too many cells"),
            }
        }
        self.forget(groups);
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        Ok(ListArray::try_new(item(), offsets, Arc::new(UInt64Array::from(cells)), None)?)
    }

    /// Drops the first groups; the others move down.
    fn forget(&mut self, groups: usize) {
        if groups == self.first.len() {
            *self = Sets::default();
            return;
        }
        self.first.drain(..groups);
        self.chain.drain(..groups);
        let large = std::mem::take(&mut self.large);
        self.large = large
            .into_iter()
            .filter_map(|(group, set)| group.checked_sub(groups).map(|moved| (moved, set)))
            .collect();
    }

    fn bytes(&self) -> usize {
        self.first.capacity() * size_of::<u64>()
            + self.chain.capacity() * size_of::<u32>()
            + self.links.capacity() * size_of::<(u64, u32)>()
            + self.large_cells * 2 * size_of::<u64>()
            + self.large.len() * 128
    }
}

fn lists(values: &[ArrayRef]) -> Result<&ListArray> {
    match values.first().and_then(|array| array.as_list_opt::<i32>()) {
        Some(lists) => Ok(lists),
        None => exec_err!("no list of cells"),
    }
}

fn cells(values: &[ArrayRef]) -> Result<&UInt64Array> {
    match values.first().and_then(|array| array.as_primitive_opt::<UInt64Type>()) {
        Some(cells) => Ok(cells),
        None => exec_err!("no cells"),
    }
}

impl GroupsAccumulator for Sets {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        group_indices: &[usize],
        filter: Option<&BooleanArray>,
        groups: usize,
    ) -> Result<()> {
        self.grow(groups);
        let cells = cells(values)?;
        for (row, group) in group_indices.iter().enumerate() {
            let passes = filter.is_none_or(|filter| filter.is_valid(row) && filter.value(row));
            if passes && cells.is_valid(row) {
                self.insert(*group, cells.value(row));
            }
        }
        Ok(())
    }

    fn merge_batch(&mut self, values: &[ArrayRef], group_indices: &[usize], groups: usize) -> Result<()> {
        self.grow(groups);
        let lists = lists(values)?;
        let Some(cells) = lists.values().as_primitive_opt::<UInt64Type>() else { return exec_err!("no cells") };
        for (row, group) in group_indices.iter().enumerate() {
            let (from, to) = (lists.value_offsets()[row] as usize, lists.value_offsets()[row + 1] as usize);
            for cell in &cells.values()[from..to] {
                self.insert(*group, *cell);
            }
        }
        Ok(())
    }

    fn evaluate(&mut self, emit_to: EmitTo) -> Result<ArrayRef> {
        Ok(Arc::new(self.emit(emit_to)?))
    }

    fn state(&mut self, emit_to: EmitTo) -> Result<Vec<ArrayRef>> {
        Ok(vec![Arc::new(self.emit(emit_to)?)])
    }

    fn convert_to_state(&self, values: &[ArrayRef], filter: Option<&BooleanArray>) -> Result<Vec<ArrayRef>> {
        let cells = cells(values)?;
        let mut sets = Sets::default();
        let groups: Vec<usize> = (0..cells.len()).collect();
        sets.update_batch(values, &groups, filter, cells.len())?;
        sets.state(EmitTo::All)
    }

    fn size(&self) -> usize {
        self.bytes()
    }
}

/// The same for a single group, where DataFusion does not group at all.
struct OneSet(Sets);

impl std::fmt::Debug for OneSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("OneSet")
    }
}

impl Accumulator for OneSet {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let groups = vec![0; values.first().map_or(0, |array| array.len())];
        self.0.update_batch(values, &groups, None, 1)
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let groups = vec![0; states.first().map_or(0, |array| array.len())];
        self.0.merge_batch(states, &groups, 1)
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        self.0.grow(1);
        Ok(ScalarValue::List(Arc::new(self.0.emit(EmitTo::All)?)))
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![Accumulator::evaluate(self)?])
    }

    fn size(&self) -> usize {
        self.0.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn sets_of(lists: &ListArray) -> Vec<Vec<u64>> {
        (0..lists.len())
            .map(|row| {
                let mut cells = lists.value(row).as_primitive::<UInt64Type>().values().to_vec();
                cells.sort_unstable();
                cells
            })
            .collect()
    }

    proptest! {
        #[test]
        fn each_group_has_its_distinct_cells_however_rows_are_split(
            rows in prop::collection::vec((0usize..6, 0u64..60), 0..400),
            cut in 0usize..400,
        ) {
            let mut expected: BTreeMap<usize, HashSet<u64>> = BTreeMap::new();
            for (group, cell) in &rows {
                expected.entry(*group).or_default().insert(*cell);
            }
            let cut = cut.min(rows.len());
            let mut whole = Sets::default();
            for part in [&rows[..cut], &rows[cut..]] {
                let mut sets = Sets::default();
                let groups: Vec<usize> = part.iter().map(|(group, _)| *group).collect();
                let cells: ArrayRef = Arc::new(UInt64Array::from_iter_values(part.iter().map(|(_, cell)| *cell)));
                sets.update_batch(&[cells], &groups, None, 6).expect("update");
                let early = sets.state(EmitTo::First(2)).expect("state");
                whole.merge_batch(&early, &[0, 1], 6).expect("merge");
                let late = sets.state(EmitTo::All).expect("state");
                whole.merge_batch(&late, &[2, 3, 4, 5], 6).expect("merge");
            }
            let found = sets_of(&whole.emit(EmitTo::All).expect("emit"));
            for (group, cells) in found.iter().enumerate() {
                let mut wanted: Vec<u64> = expected.get(&group).map(|set| set.iter().copied().collect()).unwrap_or_default();
                wanted.sort_unstable();
                prop_assert_eq!(cells, &wanted);
            }
        }
    }
}
