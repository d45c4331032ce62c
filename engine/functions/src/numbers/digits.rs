//! The decimal digits of a number without its sign, rounded half up and written in the forms that patterns ask for.

/// `0.DIGITS × 10^point`; without a leading zero, and empty for zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Digits {
    digits: String,
    point: i64,
}

impl Digits {
    /// Of a whole number of so many units of `10^-scale`.
    pub fn new(unscaled: &str, scale: i8) -> Digits {
        let digits = unscaled.trim_start_matches('0').to_string();
        let point = digits.len() as i64 - i64::from(scale);
        Digits { digits, point }
    }

    /// Of a number written as `1.25e-3`.
    pub fn parse(written: String) -> Digits {
        let (mantissa, exponent) = written.split_once('e').unwrap_or((&written, "0"));
        let digits = mantissa.replace('.', "");
        let digits = digits.trim_start_matches('0').to_string();
        Digits { digits, point: exponent.parse::<i64>().unwrap_or_default() + 1 }
    }

    /// The first so many digits, the last of them rounded half up.
    fn rounded_to(&self, count: i64) -> Digits {
        let Ok(count) = usize::try_from(count) else { return Digits { digits: String::new(), point: 0 } };
        if count >= self.digits.len() {
            return self.clone();
        }
        let (rounded, rest) = self.digits.split_at(count);
        if rest.as_bytes()[0] < b'5' {
            return Digits { digits: rounded.to_string(), point: self.point };
        }
        let nines = rounded.bytes().rev().take_while(|digit| *digit == b'9').count();
        let rounded = &rounded[..rounded.len() - nines];
        match rounded.chars().last() {
            None => Digits { digits: "1".to_string(), point: self.point + 1 },
            Some(last) => {
                let next = char::from(last as u8 + 1);
                Digits { digits: format!("{}{next}", &rounded[..rounded.len() - 1]), point: self.point }
            }
        }
    }

    fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// `12.50`
    pub fn fixed(&self, behind: usize) -> String {
        let rounded = self.rounded_to(self.point + behind as i64);
        let digit = |place: i64| usize::try_from(place).ok().and_then(|place| rounded.digits.as_bytes().get(place));
        let at = |place: i64| digit(place).map_or('0', |digit| char::from(*digit));
        let whole: String = match rounded.point {
            point if point > 0 && !rounded.is_zero() => (0..point).map(at).collect(),
            _ => "0".to_string(),
        };
        let fraction: String = (rounded.point..rounded.point + behind as i64).map(at).collect();
        match behind {
            0 => whole,
            _ => format!("{whole}.{fraction}"),
        }
    }

    /// `1.25e+01`
    pub fn scientific(&self, behind: usize) -> String {
        let rounded = self.rounded_to(behind as i64 + 1);
        let exponent = if rounded.is_zero() { 0 } else { rounded.point - 1 };
        let mantissa = Digits { digits: rounded.digits, point: 1 }.fixed(behind);
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{mantissa}e{sign}{:02}", exponent.abs())
    }

    /// The first form, or the second for very large and very small numbers, with so many digits in all.
    pub fn general(&self, count: usize) -> String {
        let count = count.max(1);
        let rounded = self.rounded_to(count as i64);
        match rounded.is_zero() {
            true => self.fixed(count - 1),
            false if rounded.point > count as i64 || rounded.point < -3 => rounded.scientific(count - 1),
            false => rounded.fixed(usize::try_from(count as i64 - rounded.point).unwrap_or_default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn float(value: f64) -> Digits {
        Digits::parse(format!("{value:e}"))
    }

    #[test]
    fn halves_go_up_by_the_digits_people_see() {
        assert_eq!(float(1.25).fixed(1), "1.3");
        assert_eq!(float(1.005).fixed(2), "1.01");
        assert_eq!(float(0.5).fixed(0), "1");
        assert_eq!(float(0.49).fixed(0), "0");
        assert_eq!(float(99.995).fixed(2), "100.00");
        assert_eq!(float(0.0004).fixed(3), "0.000");
        assert_eq!(float(0.0005).fixed(3), "0.001");
        assert_eq!(float(0.0).fixed(2), "0.00");
        assert_eq!(float(1e23).fixed(1), "100000000000000000000000.0");
        assert_eq!(Digits::new("125", 2).fixed(1), "1.3");
        assert_eq!(Digits::new("5", -3).fixed(0), "5000");
        assert_eq!(Digits::new("5", 3).fixed(4), "0.0050");
    }

    #[test]
    fn exponents_have_two_digits_or_more() {
        assert_eq!(float(12.5).scientific(1), "1.3e+01");
        assert_eq!(float(9.96).scientific(1), "1.0e+01");
        assert_eq!(float(0.0).scientific(2), "0.00e+00");
        assert_eq!(float(1.5e-300).scientific(0), "2e-300");
        assert_eq!(float(1.5).general(6), "1.50000");
        assert_eq!(float(0.0).general(6), "0.00000");
        assert_eq!(float(1234567.0).general(6), "1.23457e+06");
        assert_eq!(float(0.0001).general(6), "0.000100000");
        assert_eq!(float(0.00001).general(6), "1.00000e-05");
    }
}
