// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface IFactory {
    function createPair(address a, address b) external returns (address);
}

interface IPair {
    function mint(address to) external returns (uint256);
}

interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
}

enum Manner {
    Good,
    // Transfers use all gas that they are given.
    Burns,
    // Every answer is as long as its gas pays for.
    Bombs
}

/// @title A token that behaves as its swarm does.
contract Gnat {
    event Paused(address account);

    Swarm private immutable swarm = Swarm(msg.sender);
    mapping(address => uint256) private held;
    mapping(address => mapping(address => uint256)) public allowance;

    modifier inManner() {
        Manner manner = swarm.manner();
        if (manner == Manner.Burns) {
            assembly {
                invalid()
            }
        }
        if (manner == Manner.Bombs) {
            assembly {
                return(0, 400000)
            }
        }
        _;
    }

    function symbol() external view inManner returns (string memory) {
        return "GNAT";
    }

    function name() external view inManner returns (string memory) {
        return "Gnat";
    }

    function decimals() external pure returns (uint8) {
        return 18;
    }

    function balanceOf(address owner) external view returns (uint256) {
        return held[owner];
    }

    function announce() external {
        emit Paused(msg.sender);
    }

    function mint(address to, uint256 amount) external {
        held[to] += amount;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external inManner returns (bool) {
        held[msg.sender] -= amount;
        held[to] += amount;
        return true;
    }

    function transferFrom(address from, address to, uint256 amount)
        external
        inManner
        returns (bool)
    {
        allowance[from][msg.sender] -= amount;
        held[from] -= amount;
        held[to] += amount;
        return true;
    }
}

/// @title Makes tokens with a pair each, has all of them speak in one transaction, and logs swaps of nobody.
contract Swarm {
    event Swap(
        address indexed sender,
        uint256 amount0In,
        uint256 amount1In,
        uint256 amount0Out,
        uint256 amount1Out,
        address indexed to
    );

    Manner public manner;
    Gnat[] public gnats;

    function setManner(Manner manner_) external {
        manner = manner_;
    }

    function spawn(IFactory factory, IERC20 other, uint256 count, uint256 amount) external {
        for (uint256 i = 0; i < count; i++) {
            Gnat gnat = new Gnat();
            gnats.push(gnat);
            address pair = factory.createPair(address(gnat), address(other));
            gnat.mint(pair, 1 ether);
            other.transfer(pair, amount);
            IPair(pair).mint(address(this));
        }
    }

    function announce(uint256 from, uint256 count) external {
        for (uint256 i = from; i < from + count; i++) gnats[i].announce();
    }

    function flood(uint256 count) external {
        for (uint256 i = 0; i < count; i++) emit Swap(msg.sender, 1, 0, 0, 1, msg.sender);
    }
}
