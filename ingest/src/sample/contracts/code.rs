//! Bytecode of the sample's contracts: a real dispatcher over their selectors, for tools that read bytecode.

use alloy_primitives::{B256, Bytes};

/// Runtime bytecode that dispatches by selector and returns nothing. `salt` makes it unique.
pub fn runtime(selectors: &[[u8; 4]], salt: B256) -> Vec<u8> {
    // PUSH1 0x80 PUSH1 0x40 MSTORE; PUSH0 CALLDATALOAD PUSH1 0xe0 SHR
    let mut code = vec![0x60, 0x80, 0x60, 0x40, 0x52, 0x5f, 0x35, 0x60, 0xe0, 0x1c];
    let target = (code.len() + selectors.len() * 11 + 3) as u16;
    for selector in selectors {
        // DUP1 PUSH4 selector EQ PUSH2 target JUMPI
        code.extend([0x80, 0x63]);
        code.extend(selector);
        code.extend([0x14, 0x61]);
        code.extend(target.to_be_bytes());
        code.push(0x57);
    }
    // PUSH0 PUSH0 REVERT; JUMPDEST STOP; INVALID ends the code before its metadata.
    code.extend([0x5f, 0x5f, 0xfd, 0x5b, 0x00, 0xfe]);
    code.extend(salt);
    code
}

/// Creation bytecode that deploys `runtime`.
pub fn init(runtime: &[u8]) -> Bytes {
    let length = (runtime.len() as u16).to_be_bytes();
    // PUSH2 length DUP1 PUSH1 offset PUSH0 CODECOPY PUSH0 RETURN
    let mut code = vec![0x61, length[0], length[1], 0x80, 0x60, 0x0b, 0x5f, 0x39, 0x5f, 0xf3, 0x00];
    code.extend_from_slice(runtime);
    code.into()
}
