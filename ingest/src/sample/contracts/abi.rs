//! Interfaces of the imitated contracts: real selectors, topics and encodings.

#![allow(
    clippy::too_many_arguments,
    reason = "the macro makes functions with as many arguments as an event has fields"
)]

use alloy::sol;

sol! {
    interface Erc20 {
        function transfer(address to, uint256 amount) returns (bool);
        function transferFrom(address from, address to, uint256 amount) returns (bool);
        function approve(address spender, uint256 amount) returns (bool);
        function balanceOf(address owner) returns (uint256);
        function allowance(address owner, address spender) returns (uint256);
        function totalSupply() returns (uint256);
        function decimals() returns (uint8);
        function symbol() returns (string);
        function name() returns (string);
        event Transfer(address indexed from, address indexed to, uint256 value);
        event Approval(address indexed owner, address indexed spender, uint256 value);
    }

    interface Votes {
        function delegate(address delegatee);
        event DelegateChanged(address indexed delegator, address indexed fromDelegate, address indexed toDelegate);
        event DelegateVotesChanged(address indexed delegate, uint256 previousBalance, uint256 newBalance);
    }

    interface Weth {
        function deposit() payable;
        function withdraw(uint256 wad);
        event Deposit(address indexed dst, uint256 wad);
        event Withdrawal(address indexed src, uint256 wad);
    }

    interface Erc721 {
        function ownerOf(uint256 tokenId) returns (address);
        function mint(uint256 quantity) payable;
        function safeTransferFrom(address from, address to, uint256 tokenId);
        function transferFrom(address from, address to, uint256 tokenId);
        function setApprovalForAll(address operator, bool approved);
        function approve(address to, uint256 tokenId);
        function supportsInterface(bytes4 interfaceId) returns (bool);
        function tokenURI(uint256 tokenId) returns (string);
        event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    }

    interface Erc1155 {
        function balanceOf(address account, uint256 id) returns (uint256);
        function balanceOfBatch(address[] accounts, uint256[] ids) returns (uint256[]);
        function mint(uint256 id, uint256 amount) payable;
        function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data);
        function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data);
        function setApprovalForAll(address operator, bool approved);
        function supportsInterface(bytes4 interfaceId) returns (bool);
        event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value);
        event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values);
    }

    interface PairFactory {
        function createPair(address tokenA, address tokenB) returns (address pair);
        event PairCreated(address indexed token0, address indexed token1, address pair, uint256 count);
    }

    interface Pair {
        function mint(address to) returns (uint256 liquidity);
        function burn(address to) returns (uint256 amount0, uint256 amount1);
        function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes data);
        function getReserves() returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast);
        event Mint(address indexed sender, uint256 amount0, uint256 amount1);
        event Burn(address indexed sender, uint256 amount0, uint256 amount1, address indexed to);
        event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to);
        event Sync(uint112 reserve0, uint112 reserve1);
    }

    interface Router {
        function addLiquidityETH(address token, uint256 amountTokenDesired, uint256 amountTokenMin, uint256 amountETHMin, address to, uint256 deadline) payable;
        function removeLiquidityETH(address token, uint256 liquidity, uint256 amountTokenMin, uint256 amountETHMin, address to, uint256 deadline);
        function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable;
        function swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline);
        function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline);
    }

    interface RangeFactory {
        function createPool(address tokenA, address tokenB, uint24 fee) returns (address pool);
        event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool);
    }

    interface ConcentratedPool {
        function swap(address recipient, bool zeroForOne, int256 amountSpecified, uint160 sqrtPriceLimitX96, bytes data) returns (int256 amount0, int256 amount1);
        function mint(address recipient, int24 tickLower, int24 tickUpper, uint128 amount, bytes data);
        event Initialize(uint160 sqrtPriceX96, int24 tick);
        event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1);
        event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick);
    }

    struct ExactInput { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }

    interface RangeRouter {
        function exactInputSingle(ExactInput params) payable returns (uint256 amountOut);
    }

    struct SpentItem { uint8 itemType; address token; uint256 identifier; uint256 amount; }
    struct ReceivedItem { uint8 itemType; address token; uint256 identifier; uint256 amount; address recipient; }
    struct Recipient { uint256 amount; address recipient; }
    struct BasicOrder {
        address considerationToken; uint256 considerationIdentifier; uint256 considerationAmount;
        address offerer; address zone; address offerToken; uint256 offerIdentifier; uint256 offerAmount;
        uint8 basicOrderType; uint256 startTime; uint256 endTime; bytes32 zoneHash; uint256 salt;
        bytes32 offererConduitKey; bytes32 fulfillerConduitKey; uint256 totalOriginalAdditionalRecipients;
        Recipient[] additionalRecipients; bytes signature;
    }

    interface Seaport {
        function fulfillBasicOrder(BasicOrder parameters) payable returns (bool fulfilled);
        event OrderFulfilled(bytes32 orderHash, address indexed offerer, address indexed zone, address recipient, SpentItem[] offer, ReceivedItem[] consideration);
    }

    interface MerkleDistributor {
        function claim(uint256 index, address account, uint256 amount, bytes32[] merkleProof);
        event Claimed(uint256 index, address account, uint256 amount);
    }

    interface Disperse {
        function disperseEther(address[] recipients, uint256[] values) payable;
        function disperseToken(address token, address[] recipients, uint256[] values);
    }

    interface MasterChef {
        function deposit(uint256 pid, uint256 amount);
        function withdraw(uint256 pid, uint256 amount);
        event Deposit(address indexed user, uint256 indexed pid, uint256 amount);
        event Withdraw(address indexed user, uint256 indexed pid, uint256 amount);
    }

    interface Governor {
        function propose(address[] targets, uint256[] values, bytes[] calldatas, string description) returns (uint256 proposalId);
        function castVote(uint256 proposalId, uint8 support) returns (uint256 weight);
        event ProposalCreated(uint256 proposalId, address proposer, address[] targets, uint256[] values, string[] signatures, bytes[] calldatas, uint256 voteStart, uint256 voteEnd, string description);
        event VoteCast(address indexed voter, uint256 proposalId, uint8 support, uint256 weight, string reason);
    }

    interface Arbitrage {
        function run(address[] pools, uint256 amountIn);
    }

    interface Sandwich {
        function trade(address pool, uint256 amountIn, bool buy);
    }

    interface Wallet {
        function execute(address target, uint256 value, bytes data) payable;
        function executeBatch(address[] targets, uint256[] values);
    }

    interface Rollup {
        function submitBatch(uint256 firstBlock, uint256 lastBlock, bytes32 stateRoot);
    }

    interface Dapp {
        function play(uint256 round);
        function placeBet(uint256 market, uint8 outcome) payable;
        function supply(uint256 amount) payable;
        function list(uint256 item, uint256 price);
        function post(bytes32 content);
        function register(bytes32 name);
        function verify(bytes32 document);
        function invest(address referrer) payable;
        event Played(address indexed player, uint256 round);
        event BetPlaced(address indexed player, uint256 indexed market, uint8 outcome, uint256 amount);
        event Supplied(address indexed user, uint256 amount);
        event Listed(address indexed seller, uint256 indexed item, uint256 price);
        event Posted(address indexed author, bytes32 content);
        event Registered(address indexed owner, bytes32 indexed name);
        event Verified(address indexed user, bytes32 indexed document);
        event Invested(address indexed user, address indexed referrer, uint256 amount);
    }
}
