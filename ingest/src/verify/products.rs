//! Sums of products on the curve secp256k1, for checking many signatures with one equation.

use k256::{AffinePoint, ProjectivePoint};

/// Scalars by which bytes make fewer additions than halves of bytes.
const MANY: usize = 256;

/// The sum of `scalar · point` over all pairs. Scalars are big-endian; of each only the last `bytes` bytes may differ from zero.
///
/// Pippenger's method: for each place of a digit the points are added up by their digit, and the sums weighted by it with
/// running sums, so that a point costs one addition a place and the doublings are shared by all.
pub(super) fn sum_of_products(points: &[AffinePoint], scalars: &[[u8; 32]], bytes: usize) -> ProjectivePoint {
    let digit_bits = if points.len() < MANY { 4 } else { 8 };
    let mut buckets = vec![ProjectivePoint::IDENTITY; (1 << digit_bits) - 1];
    let mut total = ProjectivePoint::IDENTITY;
    for byte in 32 - bytes..32 {
        for shift in (0..8).step_by(digit_bits).rev() {
            (0..digit_bits).for_each(|_| total = total.double());
            buckets.fill(ProjectivePoint::IDENTITY);
            for (point, scalar) in points.iter().zip(scalars) {
                let digit = usize::from(scalar[byte] >> shift) & buckets.len();
                if digit > 0 {
                    buckets[digit - 1] += point;
                }
            }
            total += weighted(&buckets);
        }
    }
    total
}

/// The first bucket once, the second twice, and so on.
fn weighted(buckets: &[ProjectivePoint]) -> ProjectivePoint {
    let (mut running, mut sum) = (ProjectivePoint::IDENTITY, ProjectivePoint::IDENTITY);
    for bucket in buckets.iter().rev() {
        running += bucket;
        sum += running;
    }
    sum
}

#[cfg(test)]
mod tests {
    use k256::Scalar;
    use k256::elliptic_curve::PrimeField;

    use super::*;

    #[test]
    fn sums_are_those_of_the_products_one_by_one() {
        let mut scalar = Scalar::from(7u64);
        for (count, bytes) in [(0, 32), (1, 32), (30, 16), (MANY + 9, 32), (MANY, 1)] {
            let mut expected = ProjectivePoint::IDENTITY;
            let (mut points, mut scalars) = (Vec::new(), Vec::new());
            for number in 0..count {
                scalar = scalar.square() + Scalar::from(number as u64);
                let mut kept = [0; 32];
                kept[32 - bytes..].copy_from_slice(&scalar.to_repr()[32 - bytes..]);
                let point = ProjectivePoint::GENERATOR * scalar;
                // The number may be none of the field's: then it is taken as zero on both sides.
                let Some(kept_scalar) = Option::<Scalar>::from(Scalar::from_repr(kept.into())) else { continue };
                expected += point * kept_scalar;
                points.push(point.to_affine());
                scalars.push(kept);
            }
            assert_eq!(sum_of_products(&points, &scalars, bytes), expected, "{count} of {bytes} bytes");
        }
    }
}
