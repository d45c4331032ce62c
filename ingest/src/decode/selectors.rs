//! Finds the functions of a contract in its bytecode: the selectors that its dispatcher compares.

/// The token standards that a contract implements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Standards {
    pub(super) erc20: bool,
    pub(super) erc721: bool,
    pub(super) erc1155: bool,
}

const TOTAL_SUPPLY: [u8; 4] = [0x18, 0x16, 0x0d, 0xdd];
const BALANCE_OF: [u8; 4] = [0x70, 0xa0, 0x82, 0x31];
const TRANSFER: [u8; 4] = [0xa9, 0x05, 0x9c, 0xbb];
const TRANSFER_FROM: [u8; 4] = [0x23, 0xb8, 0x72, 0xdd];
const APPROVE: [u8; 4] = [0x09, 0x5e, 0xa7, 0xb3];
const ALLOWANCE: [u8; 4] = [0xdd, 0x62, 0xed, 0x3e];
const OWNER_OF: [u8; 4] = [0x63, 0x52, 0x21, 0x1e];
const BALANCE_OF_ID: [u8; 4] = [0x00, 0xfd, 0xd5, 0x8e];
const BALANCE_OF_BATCH: [u8; 4] = [0x4e, 0x12, 0x73, 0xf4];
const SAFE_TRANSFER_FROM: [u8; 4] = [0xf2, 0x42, 0x43, 0x2a];
const SAFE_BATCH_TRANSFER_FROM: [u8; 4] = [0x2e, 0xb2, 0xc2, 0xd6];
const SET_APPROVAL_FOR_ALL: [u8; 4] = [0xa2, 0x2c, 0xb4, 0x65];

impl Standards {
    /// Derives the standards from sorted selectors. ERC-721 is recognized by its core functions, as the earliest
    /// collections have `transfer` instead of `transferFrom`, and no operators.
    pub(super) fn of(selectors: &[[u8; 4]]) -> Standards {
        let has = |selector: [u8; 4]| selectors.binary_search(&selector).is_ok();
        let all = |wanted: &[[u8; 4]]| wanted.iter().all(|&selector| has(selector));
        Standards {
            erc20: all(&[TOTAL_SUPPLY, BALANCE_OF, TRANSFER, TRANSFER_FROM, APPROVE, ALLOWANCE]),
            erc721: all(&[BALANCE_OF, OWNER_OF, APPROVE]) && (has(TRANSFER) || has(TRANSFER_FROM)),
            erc1155: all(&[
                BALANCE_OF_ID,
                BALANCE_OF_BATCH,
                SAFE_TRANSFER_FROM,
                SAFE_BATCH_TRANSFER_FROM,
                SET_APPROVAL_FOR_ALL,
            ]),
        }
    }
}

const SUB: u8 = 0x03;
const EQ: u8 = 0x14;
const ISZERO: u8 = 0x15;
const XOR: u8 = 0x18;
const MLOAD: u8 = 0x51;
const JUMPI: u8 = 0x57;
const PUSH1: u8 = 0x60;
const PUSH3: u8 = 0x62;
const PUSH4: u8 = 0x63;
const PUSH32: u8 = 0x7f;
const DUP1: u8 = 0x80;
const SWAP16: u8 = 0x9f;

/// Returns the distinct selectors, sorted. A dispatcher pushes a selector, compares it with that of the call (EQ, or
/// XOR or SUB where zero means equal) and jumps. Selectors with leading zeros are pushed with fewer bytes. Contracts
/// with a hash table (Vyper since 0.3.10) and proxies have none.
pub(super) fn selectors(code: &[u8]) -> Vec<[u8; 4]> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(instruction) = Instruction::at(code, at) {
        at = instruction.next;
        if let Some(selector) = instruction.selector()
            && is_dispatched(code, at)
        {
            found.push(selector);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether the instructions at `at` compare the pushed value and jump.
fn is_dispatched(code: &[u8], at: usize) -> bool {
    let mut following = Following { code, at };
    let mut next = following.step();
    // The call's selector comes from the stack or, in older Vyper, from memory.
    match next {
        Some(DUP1..=SWAP16) => next = following.step(),
        Some(PUSH1) => {
            if following.step() != Some(MLOAD) {
                return false;
            }
            next = following.step();
        }
        _ => {}
    }
    if !matches!(next, Some(EQ | XOR | SUB)) {
        return false;
    }
    let mut target = following.step();
    if target == Some(ISZERO) {
        target = following.step();
    }
    matches!(target, Some(PUSH1..=PUSH4)) && following.step() == Some(JUMPI)
}

/// Iterates over the opcodes without their push data.
struct Following<'a> {
    code: &'a [u8],
    at: usize,
}

impl Following<'_> {
    fn step(&mut self) -> Option<u8> {
        let instruction = Instruction::at(self.code, self.at)?;
        self.at = instruction.next;
        Some(instruction.opcode)
    }
}

struct Instruction<'a> {
    opcode: u8,
    pushed: &'a [u8],
    next: usize,
}

impl<'a> Instruction<'a> {
    fn at(code: &'a [u8], at: usize) -> Option<Instruction<'a>> {
        let opcode = *code.get(at)?;
        let pushes = match opcode {
            PUSH1..=PUSH32 => usize::from(opcode - PUSH1) + 1,
            _ => 0,
        };
        let next = at + 1 + pushes;
        Some(Instruction { opcode, pushed: code.get(at + 1..next).unwrap_or_default(), next })
    }

    fn selector(&self) -> Option<[u8; 4]> {
        match (self.opcode, self.pushed) {
            (PUSH4, &[a, b, c, d]) => Some([a, b, c, d]),
            (PUSH3, &[b, c, d]) => Some([0, b, c, d]),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use alloy_primitives::hex;

    use super::*;

    #[test]
    fn selectors_of_all_compilers() {
        // Solidity: DUP1 PUSH4 EQ PUSH2 JUMPI; a selector with a leading zero byte takes PUSH3.
        let solidity = hex!("8063a9059cbb1461010057" "8062fdd58e1461020057");
        assert_eq!(selectors(&solidity), [BALANCE_OF_ID, TRANSFER]);
        // Solidity by IR: SUB, and the branch for equal falls through.
        assert_eq!(selectors(&hex!("63a9059cbb810361010057")), [TRANSFER]);
        // Vyper: PUSH4 DUP2 XOR PUSH2 JUMPI, and the older form from memory with ISZERO.
        assert_eq!(selectors(&hex!("63a9059cbb8118610100576370a08231600051141561020057")), [BALANCE_OF, TRANSFER]);
    }

    #[test]
    fn ignores_other_pushes() {
        // A branch of a binary search, a constant compared without a jump, a mask.
        assert!(selectors(&hex!("8063a9059cbb1161010057")).is_empty());
        assert!(selectors(&hex!("63a9059cbb14801561010057")).is_empty());
        assert!(selectors(&hex!("63ffffffff16")).is_empty());
        // The same pattern in push data.
        assert!(selectors(&hex!("6b8063a9059cbb1461010057aa")).is_empty());
    }

    #[test]
    fn arbitrary_bytes_are_accepted() {
        assert!(selectors(&[]).is_empty());
        assert!(selectors(&[PUSH4, 0xa9]).is_empty());
        assert!(selectors(&[0x80, PUSH4, 0xa9, 0x05, 0x9c, 0xbb, EQ, PUSH3, 0x01]).is_empty());
        for opcode in 0..=u8::MAX {
            selectors(&[opcode; 7]);
        }
    }

    #[test]
    fn standards_need_all_functions() {
        let mut erc20 = vec![TOTAL_SUPPLY, BALANCE_OF, TRANSFER, TRANSFER_FROM, APPROVE, ALLOWANCE];
        erc20.sort_unstable();
        assert_eq!(Standards::of(&erc20), Standards { erc20: true, ..Standards::default() });
        erc20.retain(|&selector| selector != ALLOWANCE);
        assert_eq!(Standards::of(&erc20), Standards::default());

        let mut kitties = vec![TOTAL_SUPPLY, BALANCE_OF, OWNER_OF, APPROVE, TRANSFER];
        kitties.sort_unstable();
        assert_eq!(Standards::of(&kitties), Standards { erc721: true, ..Standards::default() });
    }
}
