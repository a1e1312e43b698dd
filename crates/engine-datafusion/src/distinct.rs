//! The distinct cells of each person, as an aggregate that DataFusion can merge and spill.
//!
//! A set does not depend on the order of rows, files or partitions; it must never drop a cell, because only
//! `engine::bounding` may, when it has seen them all. It is separate because it is the only state that grows with the
//! number of persons. Read `engine::bounding` next.

use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_array::{Array, ArrayRef, BooleanArray, ListArray, UInt64Array};
use arrow_buffer::{OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field, FieldRef};
use datafusion_common::{Result, ScalarValue, exec_err};
use datafusion_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion_expr::{Accumulator, AggregateUDF, AggregateUDFImpl, EmitTo, GroupsAccumulator, Signature, Volatility};
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

/// So many rows are written down before they are sorted out for the first time.
const FIRST_SORTING: usize = 1 << 22;

/// One set of cells for each group, as a list of who was seen where.
///
/// Writing a row down touches only the end of the list, wherever its group is in memory; the list is sorted out, and
/// what is there twice dropped, whenever it has doubled.
#[derive(Default)]
struct Sets {
    groups: usize,
    seen_group: Vec<u32>,
    seen_cell: Vec<u64>,
    sorted_at: usize,
}

impl Sets {
    #[inline]
    fn insert(&mut self, group: usize, cell: u64) {
        // Neighbouring rows are often about the same person in the same bin.
        if self.seen_cell.last() == Some(&cell) && self.seen_group.last() == Some(&(group as u32)) {
            return;
        }
        self.seen_group.push(group as u32);
        self.seen_cell.push(cell);
    }

    /// Must be called before rows of so many groups are written down.
    fn grow(&mut self, groups: usize) -> Result<()> {
        if u32::try_from(groups).is_err() {
            return exec_err!("too many persons");
        }
        self.groups = self.groups.max(groups);
        if self.seen_cell.len() >= (2 * self.sorted_at).max(FIRST_SORTING) {
            let (offsets, cells) = self.sorted_out();
            self.seen_group = offsets
                .windows(2)
                .zip(0u32..)
                .flat_map(|(ends, group)| (ends[0]..ends[1]).map(move |_| group))
                .collect();
            self.seen_cell = cells;
            self.sorted_at = self.seen_cell.len();
        }
        Ok(())
    }

    /// Returns the distinct cells of all groups, one group after the other, and where each begins.
    fn sorted_out(&self) -> (Vec<usize>, Vec<u64>) {
        let mut ends = vec![0usize; self.groups + 1];
        for group in &self.seen_group {
            ends[*group as usize + 1] += 1;
        }
        for group in 0..self.groups {
            ends[group + 1] += ends[group];
        }
        let mut next = ends.clone();
        let mut cells = vec![0u64; self.seen_cell.len()];
        for (group, cell) in self.seen_group.iter().zip(&self.seen_cell) {
            let place = &mut next[*group as usize];
            cells[*place] = *cell;
            *place += 1;
        }
        let mut kept = 0;
        for group in 0..self.groups {
            let (from, to) = (ends[group], ends[group + 1]);
            cells[from..to].sort_unstable();
            ends[group] = kept;
            for place in from..to {
                let cell = cells[place];
                if kept == ends[group] || cells[kept - 1] != cell {
                    cells[kept] = cell;
                    kept += 1;
                }
            }
        }
        ends[self.groups] = kept;
        cells.truncate(kept);
        (ends, cells)
    }

    fn emit(&mut self, emit_to: EmitTo) -> Result<ListArray> {
        let groups = match emit_to {
            EmitTo::All => self.groups,
            EmitTo::First(groups) => groups.min(self.groups),
        };
        let (ends, mut cells) = self.sorted_out();
        let later = cells.split_off(ends[groups]);
        let offsets: std::result::Result<Vec<i32>, _> = ends[..=groups].iter().map(|end| i32::try_from(*end)).collect();
        let Ok(offsets) = offsets else { return exec_err!("too many cells") };
        // The groups that stay move down.
        let rest = ends[groups..].windows(2).zip(0u32..);
        self.seen_group = rest.flat_map(|(ends, group)| (ends[0]..ends[1]).map(move |_| group)).collect();
        self.seen_cell = later;
        self.sorted_at = self.seen_cell.len();
        self.groups -= groups;
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        Ok(ListArray::try_new(item(), offsets, Arc::new(UInt64Array::from(cells)), None)?)
    }

    fn bytes(&self) -> usize {
        self.seen_group.capacity() * size_of::<u32>() + self.seen_cell.capacity() * size_of::<u64>()
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
        self.grow(groups)?;
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
        self.grow(groups)?;
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
        self.0.grow(1)?;
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
    use std::collections::{BTreeMap, HashSet};

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
                // Sorted out in between, as large lists are.
                sets.sorted_at = 1;
                sets.grow(6).expect("few groups");
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
