//! Pairs of numbers of which none is at least as low as another in both: a pareto_frontier that goes down. Whether some pair is lower
//! than a given one in both numbers is told by the last step before it.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, PrimitiveArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Decimal128Type};
use datafusion::common::Result;

use super::{Kept, Order};

/// Two numbers, which are kept the other way round where the greater is wanted.
type Point = [i128; 2];

/// Bytes of a point.
const WIDTH: usize = 2 * size_of::<i128>();

/// Fewest points that are looked through for those which are no steps.
const FEW: usize = 8;

/// Whether values of a type can be told by numbers of 128 bits.
pub fn has_order(kind: &DataType) -> bool {
    let short = matches!(kind, DataType::Decimal32(..) | DataType::Decimal64(..) | DataType::Decimal128(..));
    kind.is_integer() || short || matches!(kind, DataType::Timestamp(..) | DataType::Date32)
}

/// Values of such a type as numbers in their order, or against it.
fn numbers(values: &ArrayRef, greatest: bool) -> Result<PrimitiveArray<Decimal128Type>> {
    let whole = match values.data_type() {
        DataType::Decimal128(..) => Arc::clone(values),
        DataType::Decimal32(_, behind) | DataType::Decimal64(_, behind) => {
            cast(values, &DataType::Decimal128(38, *behind))?
        }
        DataType::Date32 => cast(&cast(values, &DataType::Int32)?, &DataType::Decimal128(38, 0))?,
        DataType::Timestamp(..) => cast(&cast(values, &DataType::Int64)?, &DataType::Decimal128(38, 0))?,
        _ => cast(values, &DataType::Decimal128(38, 0))?,
    };
    let numbers = whole.as_primitive::<Decimal128Type>();
    Ok(if greatest { numbers.unary(|number| !number) } else { numbers.clone() })
}

/// The steps of one group, and points that may be some.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Points {
    points: Vec<Point>,
    /// How many of them are steps of all that were there when it was last looked.
    steps: usize,
}

impl Points {
    fn keep(&mut self, point: Point) {
        if self.points.len() >= (2 * self.steps).max(FEW) {
            self.settle();
        }
        self.points.push(point);
    }

    fn settle(&mut self) {
        self.points.sort_unstable();
        let mut lowest = None;
        self.points.retain(|point| {
            let step = lowest.is_none_or(|lowest| point[1] < lowest);
            if step {
                lowest = Some(point[1]);
            }
            step
        });
        self.steps = self.points.len();
    }
}

/// Pairs as columns of numbers.
pub(super) struct Pairs([PrimitiveArray<Decimal128Type>; 2]);

impl Pairs {
    /// The pair of a row, both of whose values are known.
    fn at(&self, row: usize) -> Option<Point> {
        let Pairs([a, b]) = self;
        (a.is_valid(row) && b.is_valid(row)).then(|| [a.value(row), b.value(row)])
    }
}

impl Kept for Points {
    const NAME: &'static str = "pareto_frontier";
    const ASKED: &'static str = "pareto_frontier_reaches";
    type Order = [Order; 2];
    type Rows = Pairs;

    fn rows(values: &[ArrayRef], [a, b]: [Order; 2]) -> Result<Pairs> {
        Ok(Pairs([numbers(&values[0], a.greatest)?, numbers(&values[1], b.greatest)?]))
    }

    fn add(&mut self, rows: &Pairs, row: usize) {
        rows.at(row).into_iter().for_each(|point| self.keep(point));
    }

    fn merge(&mut self, written: &[u8]) {
        read(written).for_each(|point| self.keep(point));
    }

    /// The steps as bytes.
    fn written(mut self) -> Vec<u8> {
        self.settle();
        self.points.iter().flatten().flat_map(|number| number.to_be_bytes()).collect()
    }

    fn size(&self) -> usize {
        self.points.capacity() * size_of::<Point>()
    }

    fn reaches(written: &[u8], rows: &Pairs, row: usize, order: [Order; 2]) -> bool {
        rows.at(row).is_some_and(|point| reaches(written, point, order.map(|order| order.or_equal)))
    }
}

/// The steps of [`Kept::written`].
fn read(bytes: &[u8]) -> impl Iterator<Item = Point> {
    (0..bytes.len() / WIDTH).map(|place| at(bytes, place))
}

fn at(bytes: &[u8], place: usize) -> Point {
    let number = |from: usize| {
        let mut number = [0; size_of::<i128>()];
        number.copy_from_slice(&bytes[from..from + size_of::<i128>()]);
        i128::from_be_bytes(number)
    };
    [number(place * WIDTH), number(place * WIDTH + size_of::<i128>())]
}

/// Whether some step is lower than a point in both numbers; where `or_equal`, a number may be the same too.
fn reaches(steps: &[u8], point: Point, or_equal: [bool; 2]) -> bool {
    let lower = |number: i128, than: i128, or_equal: bool| number < than || or_equal && number == than;
    let (mut from, mut to) = (0, steps.len() / WIDTH);
    while from < to {
        let middle = from + (to - from) / 2;
        match lower(at(steps, middle)[0], point[0], or_equal[0]) {
            true => from = middle + 1,
            false => to = middle,
        }
    }
    from > 0 && lower(at(steps, from - 1)[1], point[1], or_equal[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_tell_what_all_points_would() {
        let mut state = 7u64;
        let mut number = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            i128::from((state >> 33) % below)
        };
        for count in [0, 1, 2, 9, 50, 300] {
            let all: Vec<Point> = (0..count).map(|_| [number(20), number(20)]).collect();
            let mut points = Points::default();
            all.iter().for_each(|point| points.keep(*point));
            let steps = points.written();
            assert!(steps.len() / WIDTH <= 20, "a step for each first number at most");
            for point in (0..21).flat_map(|a| (0..21).map(move |b| [a, b])) {
                for or_equal in [[false, false], [false, true], [true, false], [true, true]] {
                    let lower = |at: usize, number: i128| number < point[at] || or_equal[at] && number == point[at];
                    let wanted = all.iter().any(|[a, b]| lower(0, *a) && lower(1, *b));
                    assert_eq!(reaches(&steps, point, or_equal), wanted, "{count} {point:?} {or_equal:?}");
                }
            }
        }
    }

    #[test]
    fn steps_are_read_as_they_were_written() {
        let mut points = Points::default();
        for point in [[3, -1], [i128::MIN, i128::MAX], [4, 0]] {
            points.keep(point);
        }
        assert_eq!(read(&points.written()).collect::<Vec<_>>(), [[i128::MIN, i128::MAX], [3, -1]]);
    }
}
