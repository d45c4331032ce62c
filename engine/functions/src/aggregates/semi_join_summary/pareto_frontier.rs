//! Pairs of numbers of which none is at least as low as another in both. Sorted by their first numbers, the second ones go down:
//! if any pair is lower than a point in both numbers, the last one with a lower first number is.

use arrow::array::{BinaryViewArray, PrimitiveArray};
use arrow::datatypes::Decimal128Type;

use super::summary::{Ranking, Summary};
use crate::aggregates::per_group::PerGroup;
use crate::prelude::*;

/// Two numbers, the lower the better.
type Point = [i128; 2];

/// Bytes of a point.
const POINT_WIDTH: usize = 2 * size_of::<i128>();

/// The least number of points before those that are not on the frontier are dropped.
const MIN_POINTS: usize = 8;

/// Whether values of a type compare as 128-bit integers.
pub fn has_order(kind: &DataType) -> bool {
    let short = matches!(kind, DataType::Decimal32(..) | DataType::Decimal64(..) | DataType::Decimal128(..));
    kind.is_integer() || short || matches!(kind, DataType::Timestamp(..) | DataType::Date32)
}

/// Values of such a type as numbers, the lower the better.
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

/// The frontier of one group, and points that may belong to it.
#[derive(Debug, Default)]
pub(super) struct Frontier {
    points: Vec<Point>,
    /// The size of the frontier when it was last computed.
    settled: usize,
}

impl Frontier {
    fn add_point(&mut self, point: Point) {
        if self.points.len() >= (2 * self.settled).max(MIN_POINTS) {
            self.settle();
        }
        self.points.push(point);
    }

    fn settle(&mut self) {
        self.points.sort_unstable();
        let mut lowest = None;
        self.points.retain(|point| {
            let is_lower = lowest.is_none_or(|lowest| point[1] < lowest);
            if is_lower {
                lowest = Some(point[1]);
            }
            is_lower
        });
        self.settled = self.points.len();
    }

    fn encode(mut self) -> Vec<u8> {
        self.settle();
        self.points.iter().flatten().flat_map(|number| number.to_be_bytes()).collect()
    }
}

/// Pairs as columns of numbers.
pub(super) struct Pairs([PrimitiveArray<Decimal128Type>; 2]);

impl Pairs {
    /// The pair of a row without nulls.
    fn at(&self, row: usize) -> Option<Point> {
        let Pairs([a, b]) = self;
        (a.is_valid(row) && b.is_valid(row)).then(|| [a.value(row), b.value(row)])
    }
}

/// The aggregate, by the rankings of its two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct ParetoFrontier(pub [Ranking; 2]);

impl PerGroup for ParetoFrontier {
    type Group = Frontier;
    type Columns = Pairs;

    fn columns(&self, values: &[ArrayRef]) -> Result<Pairs> {
        let [a, b] = self.0;
        Ok(Pairs([numbers(&values[0], a.greatest)?, numbers(&values[1], b.greatest)?]))
    }

    fn add(&self, frontier: &mut Frontier, pairs: &Pairs, row: usize) {
        pairs.at(row).into_iter().for_each(|point| frontier.add_point(point));
    }

    fn merge(&self, frontier: &mut Frontier, states: &ArrayRef, row: usize) {
        decode(states.as_binary_view().value(row)).for_each(|point| frontier.add_point(point));
    }

    fn heap_size(frontier: &Frontier) -> usize {
        frontier.points.capacity() * size_of::<Point>()
    }

    fn state(&self, groups: Vec<Frontier>) -> Result<ArrayRef> {
        Ok(Arc::new(BinaryViewArray::from_iter_values(groups.into_iter().map(Frontier::encode))))
    }
}

impl Summary for ParetoFrontier {
    const NAME: &'static str = "pareto_frontier";
    const REACHES_NAME: &'static str = "pareto_frontier_reaches";

    fn rankings(&self) -> &[Ranking] {
        &self.0
    }

    fn from_rankings(rankings: &[Ranking]) -> Option<ParetoFrontier> {
        rankings.try_into().ok().map(ParetoFrontier)
    }

    fn reaches(&self, encoded: &[u8], pairs: &Pairs, row: usize) -> bool {
        pairs.at(row).is_some_and(|point| reaches(encoded, point, self.0.map(|ranking| ranking.or_equal)))
    }
}

/// The points of [`Frontier::encode`].
fn decode(bytes: &[u8]) -> impl Iterator<Item = Point> {
    (0..bytes.len() / POINT_WIDTH).map(|place| at(bytes, place))
}

fn at(bytes: &[u8], place: usize) -> Point {
    let number = |from: usize| {
        let mut number = [0; size_of::<i128>()];
        number.copy_from_slice(&bytes[from..from + size_of::<i128>()]);
        i128::from_be_bytes(number)
    };
    [number(place * POINT_WIDTH), number(place * POINT_WIDTH + size_of::<i128>())]
}

/// Whether a point of a frontier is lower than a given point in both numbers; if `or_equal`, a number may be the same too.
fn reaches(frontier: &[u8], point: Point, or_equal: [bool; 2]) -> bool {
    let lower = |number: i128, than: i128, or_equal: bool| number < than || or_equal && number == than;
    let (mut from, mut to) = (0, frontier.len() / POINT_WIDTH);
    while from < to {
        let middle = from + (to - from) / 2;
        match lower(at(frontier, middle)[0], point[0], or_equal[0]) {
            true => from = middle + 1,
            false => to = middle,
        }
    }
    from > 0 && lower(at(frontier, from - 1)[1], point[1], or_equal[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frontier_answers_for_all_points() {
        let mut state = 7u64;
        let mut number = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            i128::from((state >> 33) % below)
        };
        for count in [0, 1, 2, 9, 50, 300] {
            let all: Vec<Point> = (0..count).map(|_| [number(20), number(20)]).collect();
            let mut frontier = Frontier::default();
            all.iter().for_each(|point| frontier.add_point(*point));
            let encoded = frontier.encode();
            assert!(encoded.len() / POINT_WIDTH <= 20, "at most one point for each first number");
            for point in (0..21).flat_map(|a| (0..21).map(move |b| [a, b])) {
                for or_equal in [[false, false], [false, true], [true, false], [true, true]] {
                    let lower = |at: usize, number: i128| number < point[at] || or_equal[at] && number == point[at];
                    let expected = all.iter().any(|[a, b]| lower(0, *a) && lower(1, *b));
                    assert_eq!(reaches(&encoded, point, or_equal), expected, "{count} {point:?} {or_equal:?}");
                }
            }
        }
    }

    #[test]
    fn a_frontier_is_decoded_as_it_was_encoded() {
        let mut frontier = Frontier::default();
        for point in [[3, -1], [i128::MIN, i128::MAX], [4, 0]] {
            frontier.add_point(point);
        }
        assert_eq!(decode(&frontier.encode()).collect::<Vec<_>>(), [[i128::MIN, i128::MAX], [3, -1]]);
    }
}
