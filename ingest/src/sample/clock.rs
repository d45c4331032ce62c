//! Block times: a daily and weekly rhythm that ends at a fixed date.

/// End of every sample chain: 2026-11-01 00:00:00 UTC. A chain of 90 days begins on 2026-08-03.
pub const END: u64 = 1_793_491_200;
/// Seconds between slots.
pub const SLOT: u64 = 12;
pub const HOUR: u64 = 3_600;
pub const DAY: u64 = 86_400;

/// Traffic by hour of day (UTC) in percent of the mean.
const BY_HOUR: [u64; 24] =
    [88, 80, 74, 70, 68, 70, 76, 84, 92, 98, 102, 106, 112, 120, 130, 136, 136, 132, 126, 120, 114, 108, 102, 96];

/// Maps the fraction of executed transactions to a time.
pub struct Clock {
    pub start: u64,
    /// Cumulative traffic at the end of each hour.
    traffic: Vec<u64>,
}

impl Clock {
    pub fn new(days: u64) -> Clock {
        let start = END - days * DAY;
        let mut sum = 0;
        let traffic = (0..days * 24)
            .map(|hour| {
                let time = start + hour * HOUR;
                // 1970-01-01 was a Thursday: days 2 and 3 of a week counted from there are the weekend.
                let weekend = matches!(time / DAY % 7, 2 | 3);
                sum += BY_HOUR[(time / HOUR % 24) as usize] * if weekend { 75 } else { 110 };
                sum
            })
            .collect();
        Clock { start, traffic }
    }

    /// The time of the slot when `done` of `all` transactions are executed.
    pub fn time(&self, done: u64, all: u64) -> u64 {
        let total = self.traffic.last().copied().unwrap_or(1);
        let wanted = (u128::from(total) * u128::from(done) / u128::from(all.max(1))) as u64;
        let hour = self.traffic.partition_point(|sum| *sum <= wanted).min(self.traffic.len() - 1);
        let before = if hour == 0 { 0 } else { self.traffic[hour - 1] };
        let within = (wanted - before) * HOUR / (self.traffic[hour] - before);
        (self.start + hour as u64 * HOUR + within.min(HOUR - 1)) / SLOT * SLOT
    }

    pub fn day(&self, days: u64) -> u64 {
        self.start + days * DAY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_rises_over_the_whole_span() {
        let clock = Clock::new(90);
        assert_eq!(clock.time(0, 1000), clock.start);
        let mut last = 0;
        for done in 0..1000 {
            let time = clock.time(done, 1000);
            assert!(time >= last && time < END && time.is_multiple_of(SLOT));
            last = time;
        }
        assert!(last > END - DAY);
    }

    #[test]
    fn weekends_are_quieter() {
        let clock = Clock::new(7);
        let mut days = [0; 7];
        for done in 0..70_000 {
            days[(clock.time(done, 70_000) / DAY % 7) as usize] += 1;
        }
        assert!(days[2] < days[0] * 3 / 4 && days[3] < days[4] * 3 / 4, "{days:?}");
    }
}
