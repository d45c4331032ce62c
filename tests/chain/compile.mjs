// Compiles contracts.sol into contracts.json with the pinned solc.
import { readFileSync, writeFileSync } from 'node:fs';
import solc from 'solc';

const here = new URL('.', import.meta.url);
const source = 'contracts.sol';
const answer = JSON.parse(
  solc.compile(
    JSON.stringify({
      language: 'Solidity',
      sources: { [source]: { content: readFileSync(new URL(source, here), 'utf8') } },
      settings: {
        optimizer: { enabled: true, runs: 200 },
        evmVersion: 'shanghai',
        metadata: { appendCBOR: false },
        outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
      },
    }),
  ),
);
const errors = (answer.errors ?? []).filter((error) => error.severity === 'error');
if (errors.length > 0) {
  throw new Error(errors.map((error) => error.formattedMessage).join('\n'));
}
const contracts = Object.fromEntries(
  Object.entries(answer.contracts[source]).map(([name, contract]) => [
    name,
    { abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` },
  ]),
);
writeFileSync(new URL('contracts.json', here), `${JSON.stringify(contracts, null, 1)}\n`);
