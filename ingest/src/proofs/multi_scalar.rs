//! Multi-scalar multiplication on secp256k1, for batch verification of signatures.

use k256::elliptic_curve::PrimeField;
use k256::elliptic_curve::ops::LinearCombinationExt;
use k256::{AffinePoint, ProjectivePoint, Scalar};

/// A number of N signed digits in base 256 (-128 to 127), most significant first.
pub(super) type Digits<const N: usize> = [i8; N];

/// From this number of points, buckets take fewer additions than separate products.
const MANY: usize = 256;

/// Computes the sum of `scalar · point` over all pairs.
pub(super) fn sum_of_products(pairs: &[(AffinePoint, Scalar)]) -> ProjectivePoint {
    if pairs.len() < MANY {
        let pairs: Vec<(ProjectivePoint, Scalar)> =
            pairs.iter().map(|(point, scalar)| (point.into(), *scalar)).collect();
        return ProjectivePoint::lincomb_ext(pairs.as_slice());
    }
    let (points, numbers): (Vec<_>, Vec<_>) = pairs.iter().map(|(point, scalar)| (*point, digits(scalar))).unzip();
    sum_of_multiples(&points, &numbers)
}

/// Computes the sum of `number · point` over all pairs.
///
/// Pippenger's algorithm: for each digit position, points are added to the bucket of their digit, and running sums
/// weight the buckets. A point costs one addition per position, and all share the doublings. Negating a point is free,
/// so digits of both signs share a bucket.
pub(super) fn sum_of_multiples<const N: usize>(points: &[AffinePoint], numbers: &[Digits<N>]) -> ProjectivePoint {
    let mut buckets = [ProjectivePoint::IDENTITY; 128];
    let mut total = ProjectivePoint::IDENTITY;
    for place in 0..N {
        (0..8).for_each(|_| total = total.double());
        buckets.fill(ProjectivePoint::IDENTITY);
        for (point, number) in points.iter().zip(numbers) {
            let digit = number[place];
            let Some(bucket) = usize::from(digit.unsigned_abs()).checked_sub(1) else { continue };
            match digit > 0 {
                true => buckets[bucket] += point,
                false => buckets[bucket] -= point,
            }
        }
        total += weighted(&buckets);
    }
    total
}

/// The sum of the buckets, weighted by 1, 2, 3, …
fn weighted(buckets: &[ProjectivePoint]) -> ProjectivePoint {
    let (mut running, mut sum) = (ProjectivePoint::IDENTITY, ProjectivePoint::IDENTITY);
    for bucket in buckets.iter().rev() {
        running += bucket;
        sum += running;
    }
    sum
}

/// Signed digits of a scalar: a byte above 127 becomes negative and carries.
fn digits(scalar: &Scalar) -> Digits<33> {
    let mut digits = [0; 33];
    let mut carry = 0;
    for (digit, byte) in digits.iter_mut().rev().zip(scalar.to_repr().into_iter().rev()) {
        let (sum, over) = byte.overflowing_add(carry);
        *digit = sum.cast_signed();
        carry = u8::from(over || *digit < 0);
    }
    digits[0] = carry.cast_signed();
    digits
}

/// The scalar of the digits.
pub(super) fn value(digits: &Digits<8>) -> Scalar {
    let number = digits.iter().fold(0_i128, |number, digit| number * 256 + i128::from(*digit));
    let size = Scalar::from(number.unsigned_abs());
    if number < 0 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pseudo-random points and scalars.
    fn pairs(count: usize) -> Vec<(AffinePoint, Scalar)> {
        let mut scalar = Scalar::from(7u64);
        let one = |number| {
            scalar = scalar.square() + Scalar::from(number as u64);
            ((ProjectivePoint::GENERATOR * scalar).to_affine(), scalar.square())
        };
        (0..count).map(one).collect()
    }

    #[test]
    fn sums_equal_separate_products() {
        for count in [0, 1, 30, MANY + 9] {
            let mut pairs = pairs(count);
            // Carries through all positions.
            pairs.extend(
                [-Scalar::ONE, Scalar::ZERO, Scalar::from(0x80u64)].map(|scalar| (AffinePoint::GENERATOR, scalar)),
            );
            let expected: ProjectivePoint = pairs.iter().map(|(point, scalar)| *point * *scalar).sum();
            assert_eq!(sum_of_products(&pairs), expected, "{count}");
        }
    }

    #[test]
    fn signed_digits_round_trip() {
        let numbers = [[127; 8], [-128; 8], [0, 0, 0, 0, 0, 0, -1, 5], [0; 8], [3, -7, 0, 0, 99, -100, 1, 0]];
        let points: Vec<AffinePoint> = pairs(numbers.len()).into_iter().map(|(point, _)| point).collect();
        let expected: ProjectivePoint = points.iter().zip(&numbers).map(|(point, number)| *point * value(number)).sum();
        assert_eq!(sum_of_multiples(&points, &numbers), expected);
        assert_eq!(value(&numbers[2]), -Scalar::from(251u64));
    }
}
