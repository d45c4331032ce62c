//! Keeps a map of counts within a number of entries, whoever fills it.

use std::collections::HashMap;
use std::hash::Hash;

/// Makes room in a map that holds `most` entries or more: drops those that are `over` and, where that leaves the map more than
/// seven eighths full, those with the lowest weight. An entry without a weight is in use and stays.
///
/// At least an eighth is free afterwards, so that a map under attack is not looked through for every new entry.
pub fn make_room<K: Hash + Eq, V, W: Ord + Copy>(
    map: &mut HashMap<K, V>,
    most: usize,
    over: impl Fn(&V) -> bool,
    weight: impl Fn(&V) -> Option<W>,
) {
    if map.len() < most {
        return;
    }
    map.retain(|_, value| !over(value));
    let mut surplus = map.len().saturating_sub(most - most / 8);
    if surplus == 0 {
        return;
    }
    let mut weights: Vec<W> = map.values().filter_map(&weight).collect();
    let at = surplus.min(weights.len());
    if at == 0 {
        return;
    }
    let (lighter, heaviest, _) = weights.select_nth_unstable(at - 1);
    let (lighter, heaviest) = (lighter.iter().filter(|weight| **weight < *heaviest).count(), *heaviest);
    // Of those as heavy as the last one, only as many as are needed.
    surplus = at - lighter;
    map.retain(|_, value| match weight(value) {
        Some(weight) if weight < heaviest => false,
        Some(weight) if weight == heaviest && surplus > 0 => {
            surplus -= 1;
            false
        }
        _ => true,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_map_loses_what_is_over_and_then_what_weighs_least() {
        let mut map: HashMap<usize, usize> = (0..80).map(|number| (number, number)).collect();
        make_room(&mut map, 80, |value| *value >= 78, |value| (*value != 0).then_some(*value));
        assert_eq!(map.len(), 70);
        assert!(map.contains_key(&0), "what is in use stays");
        assert!(!map.contains_key(&8) && map.contains_key(&9) && map.contains_key(&77));
    }

    #[test]
    fn of_equals_only_as_many_as_needed_are_dropped() {
        let mut map: HashMap<usize, usize> = (0..80).map(|number| (number, 1)).collect();
        make_room(&mut map, 80, |_| false, |value| Some(*value));
        assert_eq!(map.len(), 70);
        make_room(&mut map, 80, |_| true, |value| Some(*value));
        assert_eq!(map.len(), 70, "there is room");
    }
}
