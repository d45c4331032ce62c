// Makes a small chain on an anvil node: every transaction type, contract deployments, token transfers of the three
// standards, logs without topics, failed calls, empty blocks. Usage: node make.mjs RPC_URL ROUNDS [blobs]
// Prints one line of JSON: the number of the last block and what was made of each kind.
import { readFileSync } from 'node:fs';
import { ContractFactory, Interface, JsonRpcProvider, Wallet, parseEther, toBeHex } from 'ethers';

const [url, rounds, blobs] = [process.argv[2], Number(process.argv[3]), process.argv[4] === 'blobs'];
const node = new JsonRpcProvider(url, undefined, { staticNetwork: true, cacheTimeout: -1 });
const chainId = (await node.getNetwork()).chainId;
const contracts = JSON.parse(readFileSync(new URL('contracts.json', import.meta.url), 'utf8'));
const made = {};

/** An account with plenty of ether whose key is `index`. */
async function account(index) {
  const wallet = new Wallet(toBeHex(index, 32), node);
  await node.send('anvil_setBalance', [wallet.address, toBeHex(parseEther('1000000'))]);
  return { wallet, nonce: 0 };
}

const fees = { maxFeePerGas: 20_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
const ada = await account(0xada);
const bob = await account(0xb0b);
const eve = await account(0xe7e);

/** Signs and sends; the transaction waits in the pool until `mine`. */
async function send(from, kind, fields) {
  const priced = (fields.type ?? 2) < 2 ? { gasPrice: fees.maxFeePerGas } : fees;
  const raw = await from.wallet.signTransaction({
    type: 2,
    chainId,
    nonce: from.nonce,
    gasLimit: 300_000n,
    value: 0n,
    ...priced,
    ...fields,
  });
  from.nonce += 1;
  made[kind] = (made[kind] ?? 0) + 1;
  return node.send('eth_sendRawTransaction', [raw]);
}

async function mine() {
  await node.send('evm_mine', []);
}

async function deploy(name, ...args) {
  const factory = new ContractFactory(contracts[name].abi, contracts[name].bytecode);
  const { data } = await factory.getDeployTransaction(...args);
  const hash = await send(ada, 'deployment', { data, gasLimit: 2_000_000n });
  await mine();
  const { contractAddress } = await node.send('eth_getTransactionReceipt', [hash]);
  return { address: contractAddress, abi: new Interface(contracts[name].abi) };
}

function call(contract, method, ...args) {
  return { to: contract.address, data: contract.abi.encodeFunctionData(method, args) };
}

/** The point at infinity: commitment and proof of a blob of zeros, which so need no arithmetic. */
const infinity = `0xc0${'00'.repeat(47)}`;

async function blobTransaction() {
  await send(bob, 'blob', {
    type: 3,
    to: eve.wallet.address,
    maxFeePerBlobGas: 1_000_000_000n,
    blobs: [{ data: new Uint8Array(131_072), commitment: infinity, proof: infinity }],
  });
}

await node.send('evm_setAutomine', [false]);
const coin = await deploy('Coin', 2n ** 255n + 12_345n);
const picture = await deploy('Picture');
const crate = await deploy('Crate');
const oddity = await deploy('Oddity');

for (let round = 0; round < rounds; round += 1) {
  const some = BigInt(round + 1);
  await send(ada, 'legacy', { type: 0, to: bob.wallet.address, value: some * 1_000_000_007n });
  await send(ada, 'accessList', {
    type: 1,
    ...call(coin, 'transfer', bob.wallet.address, some * 10n ** 20n),
    accessList: [{ address: coin.address, storageKeys: [toBeHex(0, 32)] }],
  });
  await send(bob, 'dynamicFee', { to: eve.wallet.address, value: parseEther('1.000000000000000001') });
  // Beyond 128 bits: an amount that a decimal of 38 digits can't hold.
  await send(ada, 'erc20', call(coin, 'transfer', eve.wallet.address, 2n ** 200n + some));
  await mine();
  await send(eve, 'erc721', call(picture, 'mint', some));
  await send(eve, 'erc1155', call(crate, 'mint', some, some * 3n));
  await send(eve, 'erc1155', call(crate, 'mintBatch', [some, some + 1n, some + 2n], [1n, 2n, 3n]));
  await send(bob, 'failed', call(oddity, 'fail'));
  await send(bob, 'failed', call(coin, 'transfer', ada.wallet.address, 2n ** 255n));
  await send(ada, 'note', call(oddity, 'note'));
  await mine();
  if (round % 5 === 0) {
    if (blobs) await blobTransaction();
    const signer = new Wallet(toBeHex(0x7702000 + round, 32), node);
    const authorization = await signer.authorize({ address: coin.address, nonce: 0, chainId });
    await send(eve, 'setCode', {
      type: 4,
      to: ada.wallet.address,
      value: 1n,
      authorizationList: [authorization],
    });
    await mine();
    await mine();
  }
}

console.log(JSON.stringify({ lastBlock: await node.getBlockNumber(), made }));
