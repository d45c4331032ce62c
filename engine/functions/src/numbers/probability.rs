//! Probabilities: the normal, the beta and Student's t distribution, and Wilson's interval of a share.
//!
//! The error function and the logarithm of the gamma function are those of `libm`. The incomplete beta function is the
//! continued fraction of the NIST Digital Library of Mathematical Functions, 8.17.22, by Lentz's method; the inverses are
//! found by bisection, to the last digit that a double has. The incomplete beta function of `statrs` 0.19 ends after 140 terms:
//! it gives 0.787 in place of 0.5 for `beta_cdf(1e7, 1e7, 0.5)`.

use std::array::from_fn;
use std::f64::consts::{PI, SQRT_2};

use crate::prelude::*;

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        probability(
            "normal_cdf(mean, deviation, number)",
            "The normal cumulative distribution function: the probability that a value is below a number.",
            "select normal_cdf(0, 1, 1.96)",
            |[mean, deviation, number]| normal_cdf(mean, deviation, number),
        ),
        probability(
            "inverse_normal_cdf(mean, deviation, probability)",
            "The inverse normal cumulative distribution function: the number that a value is below with the given probability.",
            "select inverse_normal_cdf(0, 1, 0.975)",
            |[mean, deviation, probability]| inverse_normal_cdf(mean, deviation, probability),
        ),
        probability(
            "beta_cdf(a, b, number)",
            "The beta cumulative distribution function: the probability that a value is below a number from 0 to 1.",
            "select beta_cdf(2, 3, 0.5)",
            |[a, b, number]| beta_cdf(a, b, number),
        ),
        probability(
            "inverse_beta_cdf(a, b, probability)",
            "The inverse beta cumulative distribution function: the number that a value is below with the given probability.",
            "select inverse_beta_cdf(2, 3, 0.6875)",
            |[a, b, probability]| inverse_beta_cdf(a, b, probability),
        ),
        probability(
            "t_cdf(number, freedom)",
            "The cumulative distribution function of Student's t distribution with the given degrees of freedom: the probability that a value is below a number.",
            "select t_cdf(2.228, 10)",
            |[number, freedom]| t_cdf(number, freedom),
        ),
        probability(
            "t_pdf(number, freedom)",
            "The probability density at a number of Student's t distribution with the given degrees of freedom.",
            "select t_pdf(0, 10)",
            |[number, freedom]| t_pdf(number, freedom),
        ),
        probability(
            "wilson_interval_lower(successes, trials, z)",
            "The lower bound of the Wilson score interval for the proportion of successes, z standard deviations wide on either side.",
            "select wilson_interval_lower(1250, 1310, 1.96)",
            |[successes, trials, z]| wilson(successes, trials, z, -1.0),
        ),
        probability(
            "wilson_interval_upper(successes, trials, z)",
            "The upper bound of the Wilson score interval for the proportion of successes, z standard deviations wide on either side.",
            "select wilson_interval_upper(1250, 1310, 1.96)",
            |[successes, trials, z]| wilson(successes, trials, z, 1.0),
        ),
    ]
}

/// A function of so many numbers.
fn probability<const ARGUMENTS: usize>(
    signature: &'static str,
    text: &'static str,
    example: &'static str,
    function: fn([f64; ARGUMENTS]) -> Result<f64>,
) -> ScalarUDF {
    let returns = takes([DataType::is_numeric], "Expected numbers here.", DataType::Float64);
    doc(signature, text, example).udf(ARGUMENTS..=ARGUMENTS, returns, move |args, _| {
        let columns = args.iter().map(|array| Ok(float64s(array)?)).collect::<Result<Vec<Float64Array>>>()?;
        let rows = (0..args[0].len()).map(|row| {
            let is_valid = columns.iter().all(|column| column.is_valid(row));
            is_valid.then(|| from_fn(|index| columns[index].value(row)))
        });
        map_rows::<Float64Array, _, _>(rows, function)
    })
}

fn normal_cdf(mean: f64, deviation: f64, number: f64) -> Result<f64> {
    check_positive(deviation, "A standard deviation")?;
    Ok(normal_below((number - mean) / deviation))
}

/// The share of the standard normal distribution below a number.
fn normal_below(number: f64) -> f64 {
    0.5 * libm::erfc(-number / SQRT_2)
}

fn inverse_normal_cdf(mean: f64, deviation: f64, probability: f64) -> Result<f64> {
    check_positive(deviation, "A standard deviation")?;
    if !(probability > 0.0 && probability < 1.0) {
        return Err(invalid("A probability must be greater than 0 and less than 1 here."));
    }
    // Small probabilities have more digits than those near one: the larger half mirrors the smaller.
    let upper = probability > 0.5;
    let share = if upper { 1.0 - probability } else { probability };
    let number = bisect(-40.0, 0.0, |number| normal_below(number) < share);
    Ok(mean + deviation * if upper { -number } else { number })
}

/// The first number between two that is no longer too small.
fn bisect(mut low: f64, mut high: f64, too_small: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return high;
        }
        match too_small(middle) {
            true => low = middle,
            false => high = middle,
        }
    }
}

fn beta_cdf(a: f64, b: f64, number: f64) -> Result<f64> {
    check_shape(a, "a")?;
    check_shape(b, "b")?;
    match (0.0..=1.0).contains(&number) {
        true => Ok(beta_below(a, b, number)),
        false => Err(invalid("A value of a beta distribution must be from 0 to 1.")),
    }
}

fn inverse_beta_cdf(a: f64, b: f64, probability: f64) -> Result<f64> {
    check_shape(a, "a")?;
    check_shape(b, "b")?;
    match probability {
        0.0 | 1.0 => Ok(probability),
        share if share > 0.0 && share < 1.0 => Ok(bisect(0.0, 1.0, |number| beta_below(a, b, number) < share)),
        _ => Err(invalid("A probability must be from 0 to 1.")),
    }
}

/// The regularized incomplete beta function.
fn beta_below(a: f64, b: f64, x: f64) -> f64 {
    if !(x > 0.0 && x < 1.0) {
        return x;
    }
    // The fraction ends soon on this side of the mean.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta_fraction(b, a, 1.0 - x);
    }
    beta_fraction(a, b, x)
}

fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    const MAX_TERMS: u32 = 10_000;
    const SMALL: f64 = 1e-300;
    let not_zero = |value: f64| if value.abs() < SMALL { SMALL } else { value };
    let front = libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b) + a * x.ln() + b * (-x).ln_1p();
    let (mut c, mut d) = (1.0, 1.0 / not_zero(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    for step in 1..MAX_TERMS {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut last = 1.0;
        for coefficient in [even, odd] {
            d = 1.0 / not_zero(1.0 + coefficient * d);
            c = not_zero(1.0 + coefficient / c);
            last = c * d;
            fraction *= last;
        }
        if (last - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    (front.exp() / a * fraction).clamp(0.0, 1.0)
}

fn t_cdf(number: f64, freedom: f64) -> Result<f64> {
    check_freedom(freedom)?;
    let outside = 0.5 * beta_below(freedom / 2.0, 0.5, freedom / (freedom + number * number));
    Ok(if number > 0.0 { 1.0 - outside } else { outside })
}

fn t_pdf(number: f64, freedom: f64) -> Result<f64> {
    check_freedom(freedom)?;
    let front = libm::lgamma((freedom + 1.0) / 2.0) - libm::lgamma(freedom / 2.0) - 0.5 * (freedom * PI).ln();
    Ok((front - (freedom + 1.0) / 2.0 * (number * number / freedom).ln_1p()).exp())
}

/// Wilson, "Probable Inference, the Law of Succession, and Statistical Inference" (1927).
fn wilson(successes: f64, trials: f64, z: f64, side: f64) -> Result<f64> {
    if !(trials > 0.0 && (0.0..=trials).contains(&successes) && z >= 0.0) {
        return Err(invalid(
            "The number of trials must be greater than 0, the number of successes from 0 to that, and z can't be \
             negative.",
        ));
    }
    let (share, square) = (successes / trials, z * z);
    let spread = z * (share * (1.0 - share) / trials + square / (4.0 * trials * trials)).sqrt();
    Ok((share + square / (2.0 * trials) + side * spread) / (1.0 + square / trials))
}

fn check_positive(number: f64, what: &str) -> Result<()> {
    match number > 0.0 && number.is_finite() {
        true => Ok(()),
        false => Err(invalid(format!("{what} must be a number greater than 0."))),
    }
}

/// The larger the parameters, the more terms the fraction has.
fn check_shape(number: f64, what: &str) -> Result<()> {
    match number > 0.0 && number <= 1e7 {
        true => Ok(()),
        false => Err(invalid(format!("{what} must be a number greater than 0 and at most 10 million."))),
    }
}

fn check_freedom(freedom: f64) -> Result<()> {
    match (1.0..=1e7).contains(&freedom) && freedom.fract() == 0.0 {
        true => Ok(()),
        false => Err(invalid("Degrees of freedom must be an integer from 1 to 10 million.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(left: f64, right: f64) -> bool {
        (left - right).abs() <= 1e-12 * right.abs().max(1e-3)
    }

    #[test]
    fn known_values() {
        assert!(close(normal_cdf(0.0, 1.0, 1.96).unwrap(), 0.975_002_104_851_779_5));
        assert_eq!(normal_cdf(5.0, 2.0, 5.0).unwrap(), 0.5);
        assert!(close(inverse_normal_cdf(0.0, 1.0, 0.975).unwrap(), 1.959_963_984_540_054));
        assert!(close(inverse_normal_cdf(0.0, 1.0, 1e-10).unwrap(), -6.361_340_902_404_056));
        assert!(close(inverse_normal_cdf(3.0, 2.0, 0.5).unwrap(), 3.0));
        assert!(close(beta_cdf(2.0, 3.0, 0.5).unwrap(), 0.6875));
        assert!(close(beta_cdf(1.0, 1.0, 0.25).unwrap(), 0.25));
        assert!(close(inverse_beta_cdf(2.0, 3.0, 0.6875).unwrap(), 0.5));
        assert!(close(t_cdf(0.0, 4.0).unwrap(), 0.5));
        assert!(close(t_cdf(1.0, 1.0).unwrap(), 0.75));
        assert!(close(t_cdf(-1.0, 1.0).unwrap(), 0.25));
        assert!(close(t_pdf(0.0, 1.0).unwrap(), 1.0 / PI));
        assert!(close(wilson(0.0, 10.0, 0.0, 1.0).unwrap(), 0.0));
        // The solutions of (p - 1/2)² = p (1 - p) / 4 of a share of one half in four trials.
        let (low, high) = (wilson(2.0, 4.0, 1.0, -1.0).unwrap(), wilson(2.0, 4.0, 1.0, 1.0).unwrap());
        assert!(close(low, 0.5 - 0.05f64.sqrt()) && close(high, 0.5 + 0.05f64.sqrt()));
    }

    #[test]
    fn every_argument_has_an_answer_or_an_error() {
        let all = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -1.0, 0.5, 1.0, 1e-300, 1e300, 7.0];
        for a in all {
            for b in all {
                for x in all {
                    let _ = (normal_cdf(a, b, x), inverse_normal_cdf(a, b, x), wilson(a, b, x, 1.0));
                    let _ = (beta_cdf(a, b, x), inverse_beta_cdf(a, b, x), t_cdf(a, b), t_pdf(a, b));
                }
            }
        }
        assert!(normal_cdf(0.0, 0.0, 1.0).is_err() && inverse_normal_cdf(0.0, 1.0, 1.0).is_err());
        assert!(beta_cdf(0.0, 1.0, 0.5).is_err() && beta_cdf(1.0, 1.0, 2.0).is_err() && t_cdf(1.0, 1.5).is_err());
        assert!(wilson(5.0, 4.0, 1.0, 1.0).is_err() && wilson(0.0, 0.0, 1.0, 1.0).is_err());
    }
}
