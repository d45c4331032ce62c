// Fills an anvil node with blocks of token transfers, signed ahead of time. Usage: node fill.mjs RPC_URL BLOCKS PER_BLOCK
import { readFileSync } from 'node:fs';
import { ContractFactory, Interface, JsonRpcProvider, Wallet, toBeHex } from 'ethers';

const [url, blocks, perBlock] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const node = new JsonRpcProvider(url, undefined, { staticNetwork: true, cacheTimeout: -1, batchMaxCount: 100 });
const { chainId } = await node.getNetwork();
const contracts = JSON.parse(
  readFileSync(new URL('contracts.json', import.meta.url), 'utf8'),
);
const coin = new Interface(contracts.Coin.abi);
const wallet = new Wallet(toBeHex(0xbe9c4, 32));
const fees = { maxFeePerGas: 50_000_000_000n, maxPriorityFeePerGas: 1n };
let nonce = 0;

async function send(fields) {
  const own = nonce;
  nonce += 1;
  const raw = await wallet.signTransaction({ type: 2, chainId, nonce: own, gasLimit: 100_000n, value: 0n, ...fees, ...fields });
  return node.send('eth_sendRawTransaction', [raw]);
}

await node.send('anvil_setBalance', [wallet.address, toBeHex(10n ** 26n)]);
await node.send('evm_setAutomine', [false]);
const { data } = await new ContractFactory(contracts.Coin.abi, contracts.Coin.bytecode).getDeployTransaction(2n ** 200n);
const hash = await send({ data, gasLimit: 2_000_000n });
await node.send('evm_mine', []);
const { contractAddress: to } = await node.send('eth_getTransactionReceipt', [hash]);
for (let block = 1; block < blocks; block += 1) {
  // Signed one after the other, sent together.
  const sent = [];
  for (let at = 0; at < perBlock; at += 1) {
    const receiver = toBeHex(((BigInt(block) * 7919n + BigInt(at)) % 5000n) + 0x100000n, 20);
    sent.push(send({ to, data: coin.encodeFunctionData('transfer', [receiver, 1000n + BigInt(at)]) }));
  }
  await Promise.all(sent);
  await node.send('evm_mine', []);
}
console.log(await node.getBlockNumber());
