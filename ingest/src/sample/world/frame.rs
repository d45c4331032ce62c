//! Call frames of a transaction, recorded as traces.

use alloy_primitives::{Address, Bytes};

use super::transaction::Frame;
use super::{Id, World};
use crate::chain::TraceKind;

impl World {
    /// Enters a call from a contract in the current transaction and moves the value. Every `enter` needs a `leave`.
    pub fn enter(&mut self, from: Id, to: Id, value: u128, input: Vec<u8>) {
        if value > 0 {
            let paid = self.debit(from, value);
            self.must(paid, "a contract pays out more than it holds");
            self.credit(to, if paid { value } else { 0 });
        }
        let (from, to) = (self.address(from), self.address(to));
        self.push(Frame::call(from, to, value, input.into()), if value > 0 { 9_000 } else { 2_600 });
    }

    /// A static call of another contract.
    pub fn look(&mut self, from: Id, to: Id, input: Vec<u8>, output: Vec<u8>) {
        let (from, to) = (self.address(from), self.address(to));
        let mut frame = Frame::call(from, to, 0, input.into());
        frame.call_type = "staticcall";
        self.push(frame, 2_600);
        self.burn(2_100);
        self.leave(output);
    }

    /// A contract creates a contract.
    pub fn enter_create(&mut self, from: Id, to: Address, init_code: Bytes) {
        let mut frame = Frame::call(self.address(from), to, 0, init_code);
        frame.kind = TraceKind::Create;
        frame.call_type = "create2";
        self.push(frame, 32_000);
    }

    fn push(&mut self, mut frame: Frame, cost: u64) {
        let Some(open) = &mut self.open else { return };
        open.gas += cost;
        frame.started = open.gas;
        if let Some(&parent) = open.stack.last() {
            let parent = &mut open.frames[parent];
            frame.path = parent.path.clone();
            frame.path.push(parent.children);
            parent.children += 1;
        }
        open.stack.push(open.frames.len());
        open.frames.push(frame);
    }

    /// Ends the innermost call.
    pub fn leave(&mut self, output: Vec<u8>) {
        let Some(open) = &mut self.open else { return };
        if let Some(last) = open.stack.pop() {
            let frame = &mut open.frames[last];
            frame.output = output.into();
            frame.gas_used = open.gas - frame.started;
        }
    }
}
