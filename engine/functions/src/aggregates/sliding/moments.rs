//! Variances, covariances, correlations and regressions over sliding frames. The built-in functions subtract the values that
//! leave a frame from their sums: rounding errors stay, variances of equal values come out above or below zero, and one
//! infinite value spoils every later answer.
//!
//! Here two parts of a frame are merged (see [`SlidingFrame`]) by the formulas of Chan, Golub and LeVeque, "Updating
//! Formulae and a Pairwise Algorithm for Computing Sample Variances" (1979).

use datafusion::logical_expr::Accumulator;

use super::{Merge, SlidingAccumulator, SlidingAggregate, SlidingFrame};
use crate::prelude::*;

/// Moments of pairs of numbers: their count, their means, and the sums of the squares and of the products of their
/// deviations from the means.
#[derive(Debug, Clone, Copy, Default)]
struct Moments {
    count: f64,
    mean_x: f64,
    mean_y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
}

impl Moments {
    fn of(x: f64, y: f64) -> Moments {
        let (dx, dy) = (own_deviation(x), own_deviation(y));
        Moments { count: 1.0, mean_x: x, mean_y: y, xx: dx, yy: dy, xy: dx + dy }
    }
}

/// The deviation of a single number from its mean: NaN where it is infinite or NaN.
pub(crate) fn own_deviation(number: f64) -> f64 {
    if number.is_finite() { 0.0 } else { f64::NAN }
}

impl Merge for Moments {
    fn merge(self, later: Moments) -> Moments {
        if self.count == 0.0 {
            return later;
        }
        if later.count == 0.0 {
            return self;
        }
        let count = self.count + later.count;
        let (dx, dy) = (later.mean_x - self.mean_x, later.mean_y - self.mean_y);
        let weight = self.count * later.count / count;
        Moments {
            count,
            mean_x: self.mean_x + dx * later.count / count,
            mean_y: self.mean_y + dy * later.count / count,
            xx: self.xx + later.xx + dx * dx * weight,
            yy: self.yy + later.yy + dy * dy * weight,
            xy: self.xy + later.xy + dx * dy * weight,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Statistic {
    /// Divided by the count, less one where `sample`; its root where `root`.
    Variance {
        sample: bool,
        root: bool,
    },
    Covariance {
        sample: bool,
    },
    Correlation,
    Slope,
    Intercept,
    Count,
    Determination,
    MeanX,
    MeanY,
    SumXX,
    SumYY,
    SumXY,
}

impl Statistic {
    fn from_builtin_name(name: &str) -> Option<Statistic> {
        Some(match name {
            "var" => Statistic::Variance { sample: true, root: false },
            "var_pop" => Statistic::Variance { sample: false, root: false },
            "stddev" => Statistic::Variance { sample: true, root: true },
            "stddev_pop" => Statistic::Variance { sample: false, root: true },
            "covar_samp" => Statistic::Covariance { sample: true },
            "covar_pop" => Statistic::Covariance { sample: false },
            "corr" => Statistic::Correlation,
            "regr_slope" => Statistic::Slope,
            "regr_intercept" => Statistic::Intercept,
            "regr_count" => Statistic::Count,
            "regr_r2" => Statistic::Determination,
            "regr_avgx" => Statistic::MeanX,
            "regr_avgy" => Statistic::MeanY,
            "regr_sxx" => Statistic::SumXX,
            "regr_syy" => Statistic::SumYY,
            "regr_sxy" => Statistic::SumXY,
            _ => return None,
        })
    }

    /// The answer, null where the built-in function answers null.
    fn answer(self, all: Moments) -> Option<f64> {
        let Moments { count, mean_x, mean_y, xx, yy, xy } = all;
        let divisor = |sample: bool| if sample { count - 1.0 } else { count };
        let known = match self {
            Statistic::Variance { sample, .. } | Statistic::Covariance { sample } => divisor(sample) > 0.0,
            Statistic::Correlation if count > 0.0 && mean_x.is_nan() && mean_y.is_nan() => return Some(f64::NAN),
            Statistic::Correlation => count > 1.0 && !mean_x.is_nan() && !mean_y.is_nan() && xx != 0.0 && yy != 0.0,
            Statistic::Slope | Statistic::Intercept => count > 1.0 && xx != 0.0,
            Statistic::Determination => count > 1.0 && xx != 0.0 && yy != 0.0,
            _ => count > 0.0,
        };
        known.then(|| match self {
            Statistic::Variance { sample, root: false } => xx / divisor(sample),
            Statistic::Variance { sample, root: true } => (xx / divisor(sample)).sqrt(),
            Statistic::Covariance { sample } => xy / divisor(sample),
            Statistic::Correlation => xy / xx.sqrt() / yy.sqrt(),
            Statistic::Slope => xy / xx,
            Statistic::Intercept => mean_y - xy / xx * mean_x,
            Statistic::Count => count,
            Statistic::Determination => xy * xy / (xx * yy),
            Statistic::MeanX => mean_x,
            Statistic::MeanY => mean_y,
            Statistic::SumXX => xx,
            Statistic::SumYY => yy,
            Statistic::SumXY => xy,
        })
    }
}

#[derive(Debug)]
struct SlidingMoments {
    statistic: Statistic,
    frame: SlidingFrame<Moments>,
}

/// The accumulator for a built-in aggregate; `None` for one that is not such a statistic.
pub(super) fn sliding_statistic(builtin: &str) -> Option<Box<dyn Accumulator>> {
    let statistic = Statistic::from_builtin_name(builtin)?;
    Some(Box::new(SlidingAccumulator(SlidingMoments { statistic, frame: SlidingFrame::default() })))
}

/// The pairs (x, y) without nulls. Regressions take y first; other statistics are symmetric, or have a single argument as both.
fn pairs(values: &[ArrayRef]) -> impl Iterator<Item = (f64, f64)> {
    let last = values[values.len() - 1].as_primitive::<Float64Type>();
    let first = values[0].as_primitive::<Float64Type>();
    last.iter().zip(first).filter_map(|(x, y)| x.zip(y))
}

impl SlidingAggregate for SlidingMoments {
    fn enter(&mut self, values: &[ArrayRef]) -> Result<()> {
        pairs(values).for_each(|(x, y)| self.frame.enter(Moments::of(x, y)));
        Ok(())
    }

    fn leave(&mut self, values: &[ArrayRef]) -> Result<()> {
        pairs(values).for_each(|_| self.frame.leave());
        Ok(())
    }

    fn answer(&mut self) -> Result<ScalarValue> {
        Ok(match self.statistic {
            Statistic::Count => ScalarValue::UInt64(Some(self.frame.len() as u64)),
            statistic => ScalarValue::Float64(statistic.answer(self.frame.summary())),
        })
    }

    fn size(&self) -> usize {
        self.frame.size()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answers over a frame of `width` rows.
    fn answers(builtin: &str, rows: &[(Option<f64>, Option<f64>)], width: usize) -> Vec<Option<f64>> {
        let mut sliding = sliding_statistic(builtin).unwrap();
        let column = |value: Option<f64>| Arc::new(Float64Array::from(vec![value])) as ArrayRef;
        let arrays: Vec<[ArrayRef; 2]> = rows.iter().map(|(y, x)| [column(*y), column(*x)]).collect();
        let answer = |(index, row): (usize, &[ArrayRef; 2])| {
            sliding.update_batch(row).unwrap();
            if index >= width {
                sliding.retract_batch(&arrays[index - width]).unwrap();
            }
            match sliding.evaluate().unwrap() {
                ScalarValue::Float64(value) => value,
                other => panic!("{other:?}"),
            }
        };
        arrays.iter().enumerate().map(answer).collect()
    }

    #[test]
    fn values_that_left_change_no_later_answer() {
        let both = |value: f64| (Some(value), Some(value));
        let rows =
            [both(1e17), both(1.0), (None, Some(5.0)), both(3.0), both(f64::INFINITY), both(0.1), both(0.1), both(0.1)];
        let variances = answers("var_pop", &rows, 2);
        assert_eq!(variances[0], Some(0.0));
        assert_eq!(variances[3], Some(0.0));
        assert!(variances[4].unwrap().is_nan() && variances[5].unwrap().is_nan());
        assert_eq!(variances[6..], [Some(0.0), Some(0.0)]);
        assert_eq!(answers("var", &rows, 2)[6..], [Some(0.0), Some(0.0)]);
        assert_eq!(answers("regr_avgx", &rows, 2)[6..], [Some(0.1), Some(0.1)]);
        assert_eq!(answers("regr_slope", &rows, 2)[6..], [None, None]);
    }

    #[test]
    fn far_from_zero_nothing_is_lost() {
        let far = |y: f64, x: f64| (Some(1e9 + y), Some(1e9 + x));
        let rows: Vec<_> = (0..100).map(f64::from).map(|row| far(2.0 * row, row)).collect();
        for (builtin, expected) in [("corr", 1.0), ("regr_slope", 2.0), ("covar_samp", 2.0), ("regr_sxx", 2.0)] {
            let answers = answers(builtin, &rows, 3);
            let close = |answer: &Option<f64>| (answer.unwrap() - expected).abs() < 1e-9;
            assert!(answers[3..].iter().all(close), "{builtin}: {answers:?}");
        }
    }
}
