// SPDX-License-Identifier: Apache-2.0
// The contracts of the end-to-end tests: as little as makes every kind of transfer, log and failure.
// `npm run contracts` compiles them into contracts.json, which is committed so that tests need no compiler.
pragma solidity 0.8.37;

contract Coin {
    event Transfer(address indexed from, address indexed to, uint256 value);
    string public constant symbol = "COIN";
    string public constant name = "Coin of the tests";
    uint8 public constant decimals = 6;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    constructor(uint256 supply) {
        totalSupply = supply;
        balanceOf[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        require(balanceOf[msg.sender] >= value, "balance");
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }
}

contract Picture {
    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    mapping(uint256 => address) public ownerOf;

    function mint(uint256 tokenId) external {
        require(ownerOf[tokenId] == address(0), "taken");
        ownerOf[tokenId] = msg.sender;
        emit Transfer(address(0), msg.sender, tokenId);
    }
}

contract Crate {
    event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value);
    event TransferBatch(
        address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values
    );

    function mint(uint256 id, uint256 value) external {
        emit TransferSingle(msg.sender, address(0), msg.sender, id, value);
    }

    function mintBatch(uint256[] calldata ids, uint256[] calldata values) external {
        emit TransferBatch(msg.sender, address(0), msg.sender, ids, values);
    }
}

/// A log without topics, and a call that fails after it has logged.
contract Oddity {
    event Noted(string text);

    function note() external {
        assembly {
            mstore(0, 42)
            log0(0, 32)
        }
    }

    function fail() external {
        emit Noted("never seen");
        revert("as asked");
    }
}
