#!/usr/bin/env python3
"""Checks the evidence of a swap without Braid's code: python3 check.py evidence.json

Written from docs/evidence.md with the standard library alone. It replays pools of Uniswap V2 and V3, recomputes the
bound over them, reads the calldata, and follows the receipt to the header of its block. Exit code: 0 nothing is wrong,
1 something is wrong, 2 it is no evidence. What it cannot judge it says, and does not count as right.
"""
import json, math, sys

NATIVE, MASK = "0x" + "e" * 40, (1 << 64) - 1
SWAP = "0x20efd6d5195b7b50273f01cd79a27989255356f9f13293edc53ee142accfdb75"
SHARE, Q96, FEE, ROUTER_GAS, FEE_GAS, MOST_TRIED = 0xFFFFFF, 1 << 96, 10**6, 84_000, 24_000, 20_000
wrong, unknown = [], []

def expect(name, got, wanted):
    if got != wanted: wrong.append(f"{name}: got {got}, wanted {wanted}")

def keccak(data):
    rounds, state = [], [[0] * 5 for _ in range(5)]
    lfsr = 1
    for _ in range(24):
        constant = 0
        for j in range(7):
            if lfsr & 1: constant |= 1 << ((1 << j) - 1)
            lfsr = (lfsr << 1) ^ (0x171 if lfsr & 0x80 else 0)
        rounds.append(constant)
    rot = lambda v, n: ((v << (n % 64)) | (v >> (64 - n % 64))) & MASK
    block = bytearray(data) + b"\x01" + b"\0" * (-(len(data) + 1) % 136)
    block[-1] |= 0x80
    for at in range(0, len(block), 136):
        for i in range(17): state[i % 5][i // 5] ^= int.from_bytes(block[at + 8 * i:at + 8 * i + 8], "little")
        for constant in rounds:
            c = [state[x][0] ^ state[x][1] ^ state[x][2] ^ state[x][3] ^ state[x][4] for x in range(5)]
            d = [c[(x - 1) % 5] ^ rot(c[(x + 1) % 5], 1) for x in range(5)]
            state = [[state[x][y] ^ d[x] for y in range(5)] for x in range(5)]
            x, y, lane = 1, 0, state[1][0]
            for t in range(24):
                x, y = y, (2 * x + 3 * y) % 5
                lane, state[x][y] = state[x][y], rot(lane, (t + 1) * (t + 2) // 2)
            state = [[state[x][y] ^ (~state[(x + 1) % 5][y] & MASK & state[(x + 2) % 5][y]) for y in range(5)] for x in range(5)]
            state[0][0] ^= constant
    return b"".join(state[i % 5][i // 5].to_bytes(8, "little") for i in range(4))

def raw(text): return bytes.fromhex(text[2:].rjust(len(text[2:]) + len(text[2:]) % 2, "0"))
def small(text): return raw(text).lstrip(b"\0")

def rlp(item):
    body = item if isinstance(item, bytes) else b"".join(map(rlp, item))
    if isinstance(item, bytes) and len(item) == 1 and item[0] < 0x80: return item
    base, size = (0x80 if isinstance(item, bytes) else 0xC0), len(body)
    if size < 56: return bytes([base + size]) + body
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([base + 55 + len(length)]) + length + body

def unrlp(data, at=0):
    kind = data[at]
    if kind < 0x80: return data[at:at + 1], at + 1
    base = 0x80 if kind < 0xC0 else 0xC0
    size, at = kind - base, at + 1
    if size > 55: size, at = int.from_bytes(data[at:at + size - 55], "big"), at + size - 55
    if base == 0x80: return data[at:at + size], at + size
    items, end = [], at + size
    while at < end: item, at = unrlp(data, at); items.append(item)
    return items, at

def in_trie(root, key, proof):
    """The value that a proof has for a key: nodes of a Merkle Patricia trie (yellow paper, appendix D)."""
    path, wanted = [n for byte in key for n in (byte >> 4, byte & 15)], root
    for node in map(raw, proof):
        if keccak(node) != wanted: return None
        items, _ = unrlp(node)
        if len(items) == 17:
            if not path: return items[16]
            wanted, path = items[path[0]], path[1:]
            continue
        part = [n for byte in items[0] for n in (byte >> 4, byte & 15)]
        part = part[1:] if part[0] & 1 else part[2:]
        if items[0][0] & 0x20: return items[1] if path == part else None
        if path[:len(part)] != part: return None
        wanted, path = items[1], path[len(part):]
    return None

FACTORS = """fffcb933bd6fad37aa2d162d1a594001 fff97272373d413259a46990580e213a fff2e50f5f656932ef12357cf3c7fdcc
ffe5caca7e10e4e61c3624eaa0941cd0 ffcb9843d60f6159c9db58835c926644 ff973b41fa98c081472e6896dfb254c0
ff2ea16466c96a3843ec78b326b52861 fe5dee046a99a2a811c461f1969c3053 fcbe86c7900a88aedcffc83b479aa3a4
f987a7253ac413176f2b074cf7815e54 f3392b0822b70005940c7a398e4b70f3 e7159475a2c29b7443b29c7fa6e889d9
d097f3bdfd2022b8845ad8f792aa5825 a9f746462d870fdf8a65dc1f90e061e5 70d869a156d2a1b890bb3df62baf32f7
31be135f97d08fd981231505542fcfa6 9aa508b5b7a84e1c677de54f3e99bc9 5d6af8dedb81196699c329225ee604
2216e584f5fa1ea926041bedfe98 48a170391f7dc42444e8fa2""".split()

def price_at(tick):
    ratio = 1 << 128
    for bit, factor in enumerate(FACTORS):
        if abs(tick) >> bit & 1: ratio = ratio * int(factor, 16) >> 128
    if tick > 0: ratio = ((1 << 256) - 1) // ratio
    return (ratio + 0xFFFFFFFF) >> 32

up = lambda a, b: -(-a // b)
def delta(a, b, liquidity, zero, is_up):
    low, high = min(a, b), max(a, b)
    if zero: return up(up((liquidity << 96) * (high - low), high), low) if is_up else (liquidity << 96) * (high - low) // high // low
    return up(liquidity * (high - low), Q96) if is_up else liquidity * (high - low) // Q96

def sell_v3(pool, zero, left):
    s, tick, liquidity, fee, spacing = *(pool[n] for n in ("sqrtPriceX96", "tick", "liquidity", "feePpm", "tickSpacing")),
    nets, out = {t["index"]: t["liquidityNet"] for t in pool["ticks"]}, 0
    end = 4295128740 if zero else 1461446703485210103287273052203988822378723970341
    while left > 0 and s != end:
        compressed = tick // spacing
        word = (compressed >> 8 << 8) if zero else ((compressed + 1 >> 8) + 1 << 8) - 1
        inside = [t for t in nets if (word * spacing <= t <= tick if zero else tick < t <= word * spacing)]
        stop = max(-887272, min(887272, (max(inside) if zero else min(inside)) if inside else word * spacing))
        at_stop = price_at(stop)
        target = max(at_stop, end) if zero else min(at_stop, end)
        net, whole = left * (FEE - fee) // FEE, delta(s, target, liquidity, zero, True)
        if net >= whole: after = target
        elif zero:
            product = net * s
            exact = product < 1 << 256 and (liquidity << 96) + product < 1 << 256
            after = up((liquidity << 96) * s, (liquidity << 96) + product) if exact else up(liquidity << 96, (liquidity << 96) // s + net)
        else: after = s + net * Q96 // liquidity
        used = whole if after == target else delta(s, after, liquidity, zero, True)
        out += delta(s, after, liquidity, not zero, False)
        left -= used + up(used * fee, FEE - fee) if after == target else left
        if after == at_stop:
            if stop in nets: liquidity += -nets[stop] if zero else nets[stop]
            tick = stop - 1 if zero else stop
        s = after
    return 0 if left else out

def sell(pool, i, o, amount):
    if pool["family"] == "uniswapV3": return sell_v3(pool, i == 0, amount)
    into, of, net = pool["reserves"][i], pool["reserves"][o], amount * (FEE - pool["feePpm"])
    return net * of // (into * FEE + net) if 0 < into < (1 << 112) - amount else 0

def pieces_of(pool, i):
    """A pool as constant-product pieces: input and output before each, its price and its virtual reserve."""
    g = 1 - pool["feePpm"] / FEE
    if pool["family"] == "uniswapV2":
        into, of = float(pool["reserves"][i]), float(pool["reserves"][1 - i])
        return g, [(0.0, 0.0, of / into, into)] if into and of else [], (max(0.0, 2.0**112 - into), math.inf)
    s, liquidity, rows, x, y = pool["sqrtPriceX96"], pool["liquidity"], [], 0.0, 0.0
    ticks = [t for t in pool["ticks"] if (t["index"] <= pool["tick"]) == (i == 0)]
    for t in sorted(ticks, key=lambda t: -t["index"] if i == 0 else t["index"]):
        to = price_at(t["index"])
        if liquidity > 0 and to != s:
            a, b, one = s / Q96, to / Q96, float(liquidity) * (abs(s - to) / Q96)
            zero = one / a / b
            rows.append((x, y, a * a if i == 0 else 1 / (a * a), liquidity / a if i == 0 else liquidity * a))
            x, y = x + (zero if i == 0 else one) / g, y + (one if i == 0 else zero)
        liquidity += -t["liquidityNet"] if i == 0 else t["liquidityNet"]
        s = to
    return g, rows, (x, y)

def out_of(curve, x):
    g, rows, (_, most) = curve
    x0, y0, p, r = [row for row in rows if row[0] <= x][-1]
    return min(most, y0 + g * (x - x0) * p / (1 + g * (x - x0) / r))

def best_trade(curve, edge, u_in, u_out, gas_cost):
    """The most that an edge adds at the prices of its tokens, net of gas, and the value that it trades."""
    g, rows, (limit, _) = curve
    n_in, n_out = math.exp(u_in), math.exp(u_out)
    ratio, net, x = n_in / n_out, -math.inf, 0.0
    paid = max([0] + [j for j, row in enumerate(rows) if row[0] < 2])
    for j, (x0, y0, p, r) in enumerate(rows):
        if g * p <= ratio: break
        q = g * p / ratio
        x = min(x0 + r * (q - 1) / (1 + math.sqrt(q)) / g, rows[j + 1][0] if j + 1 < len(rows) else limit)
        gas = edge["gas"] + edge["stepGas"] * max(0, j - paid)
        net = max(net, n_out * out_of(curve, x) - n_in * x - gas_cost * gas)
    if net == -math.inf: net = -gas_cost * edge["gas"]
    return max(net, -gas_cost * edge["gas"]), n_in * x

def best_path(links, start, end, hops, value):
    """The most that a simple path makes of a value, less the costs on the way: depth first, where a walk could win."""
    walks, best, tried = [{end: 1.0}], -math.inf, 0
    for _ in range(hops):
        after = dict(walks[-1])
        for a, b, factor, _ in links: after[a] = max(after.get(a, 0.0), factor * walks[-1].get(b, 0.0))
        walks.append(after)
    links = sorted(links, key=lambda link: -link[2] * walks[hops].get(link[1], 0.0))

    def visit(at, left, value, paid, passed):
        nonlocal best, tried
        if at == end: best = max(best, value - paid)
        for a, b, factor, cost in links if left and at != end else ():
            if a != at or b in passed or value * factor * walks[left - 1].get(b, 0.0) - paid - cost <= best: continue
            tried += 1
            if tried > MOST_TRIED: raise TimeoutError("too many paths")
            visit(b, left - 1, value * factor, paid + cost, {*passed, b})
    visit(start, hops, value, 0.0, {start})
    return best

def recompute(evidence, pools, start, end):
    """The bound at its prices, as docs/solver.md derives it."""
    bound, edges, cost = evidence["bound"], evidence["edges"], evidence["bound"]["gasCost"]
    u, amount, fee = bound["prices"], evidence["order"]["amountIn"], bound.get("fee")
    if fee and fee["of"] == "tokenIn": amount -= amount * fee["ppm"] // FEE
    least = min(e["gas"] for e in edges)
    legs = min(bound["maxLegs"], max(1, int((bound["maxGas"] - ROUTER_GAS) // least)))
    worth = amount * math.exp(u[start] - u[end])
    rows = [(e, pieces_of(pools[e["pool"]], pools[e["pool"]]["tokens"].index(e["tokenIn"]))) for e in edges]
    ends = lambda e: (e["tokenIn"], e["tokenOut"])
    direct, is_open = -math.inf, {(o["pool"], *ends(o)) for o in bound.get("open", [])}
    if "open" in bound:
        most, links, hops, rises, traded = min(legs, len({e["tokenIn"] for e, _ in rows})), [], [], {}, 0.0
        for e, c in rows:
            rate = c[0] * c[1][0][2] * math.exp(u[e["tokenOut"]] - u[e["tokenIn"]])
            links.append((*ends(e), rate if (e["pool"], *ends(e)) in is_open else min(1.0, rate), 0.0))
        for (e, c), (a, b, factor, _) in zip(rows, links):
            rate = c[0] * c[1][0][2] * math.exp(u[b] - u[a])
            if b not in rises: rises[b] = best_path(links, b, end, most, 1.0)
            rise = rises[b] if (e["pool"], a, b) not in is_open and rate > 1 else 0.0
            net, moved = best_trade(c, e, u[a] + math.log(rise), u[b] + math.log(rise), cost) if rise > 0 else (-cost * e["gas"], 0.0)
            hops.append((a, b, factor, max(0.0, -net), net)); traded += moved
        carried, unpaid = best_path([h[:4] for h in hops], start, end, most, worth), 0.0
        nets = [h[4] for h in hops]
    else:
        far = lambda here, there, back: distance([(*ends(e), 1) for e, _ in rows], here, there, legs, back)
        away, left = far(start, None, False), far(end, None, True)
        rows = [(e, c) for e, c in rows if away.get(e["tokenIn"], math.inf) + 1 + left.get(e["tokenOut"], math.inf) <= legs]
        price, traded, nets, costs = bound.get("legPrice", 0), 0.0, [], []
        for e, c in rows:
            net, moved = best_trade(c, e, u[e["tokenIn"]], u[e["tokenOut"]], cost)
            nets.append(net - price); costs.append((*ends(e), max(0.0, price - net))); traded += moved
            if ends(e) == (start, end):
                got, paid = out_of(c, amount), cost * (e["gas"] + ROUTER_GAS)
                direct = max(direct, got - paid + 1e-9 * (got + paid))
        ones = sorted([k[2] for k in costs if k[:2] == (start, end)]) + [math.inf, math.inf]
        walk = distance([k for k in costs if k[:2] != (start, end)], start, end, legs, False).get(end, math.inf)
        unpaid = min(walk, (0 if ones[0] == math.inf else ones[0]) + ones[1])
        carried = worth + price * legs
    gross = carried + sum(sorted((n for n in nets if n > 0), reverse=True)[:legs])
    fixed = cost * ROUTER_GAS
    margin = 1e-9 * (abs(gross) + unpaid + fixed) + 1e-12 * traded if math.isfinite(unpaid) else 0.0
    total = math.ceil(max(gross - unpaid - fixed + margin, direct) + 1)
    if not fee: return total
    rest = total - total * fee["ppm"] // FEE if fee["of"] == "tokenOut" else total
    return rest + 1 - int(cost * FEE_GAS) if cost > 0 else rest

def distance(edges, start, end, hops, back):
    """The least cost of each token from the start, over at most so many edges."""
    known = {start: 0.0}
    for _ in range(hops):
        after = dict(known)
        for a, b, cost in edges:
            here, there = (b, a) if back else (a, b)
            if here in known: after[there] = min(after.get(there, math.inf), known[here] + cost)
        if after == known: break
        known = after
    return known

def is_known(pool): return pool["family"] in ("uniswapV2", "uniswapV3") and "dynamicFee" not in pool

def check_bound(evidence, pools, start, end):
    bound, fee, block = evidence["bound"], evidence.get("fee"), evidence["snapshot"]["block"]
    only = {start, end, *bound["onlyIntermediates"]} if "onlyIntermediates" in bound else None
    covered, usable = [p for p in pools.values() if NATIVE not in p["tokens"] and p["id"] not in bound["excluded"]], set()
    for pool in filter(is_known, covered):
        for i, (a, b) in enumerate((pool["tokens"], pool["tokens"][::-1])):
            if a == end or b == start or only and not {a, b} <= only or not pieces_of(pool, i)[1]: continue
            if pool["id"] not in bound["setAside"] or (a, b) == (start, end): usable.add((pool["id"], a, b))
    listed = [(e["pool"], e["tokenIn"], e["tokenOut"]) for e in evidence["edges"] if is_known(pools[e["pool"]])]
    for edge in usable.symmetric_difference(listed): expect(f"bound: edge {edge}", edge in listed, edge in usable)
    expect("bound: edges", len(listed), len(set(listed)))
    expect("bound: fee", bound.get("fee"), fee and {"of": fee["of"], "ppm": fee["ppm"]})
    for name in ("excluded", "setAside"):
        if bound[name]: unknown.append(f"the bound leaves out {len(bound[name])} pools ({name})")
    if only: unknown.append("the bound covers only routes through listed tokens")
    if bound["maxLegs"] < 24: unknown.append(f"the bound covers only routes of {bound['maxLegs']} hops")
    if bound["maxGas"] < 0.8 * block["gasLimit"] - (FEE_GAS if fee else 0): unknown.append(f"the bound covers only routes of {bound['maxGas']} gas")
    if bound["objective"] == "gross": expect("bound: gross, but gas costs", bound["gasCost"], 0)
    native = bound["prices"].get(evidence["snapshot"]["wrappedNative"], -math.inf) - bound["prices"][end]
    if bound["gasCost"] > 2 * block["gasPrice"] * math.exp(native): unknown.append(f"the bound takes gas to cost {bound['gasCost']} a unit, above the block's price")
    expect("market: wrapped native token", evidence["snapshot"]["wrappedNative"], "0x" + "5" * 40)
    if not all(map(is_known, covered)): return unknown.append("bound: pools of families that this program does not know")
    if not listed: return wrong.append("bound: it covers no pool")
    try: again = recompute(evidence, pools, start, end)
    except TimeoutError as fault: return unknown.append(f"bound: {fault}")
    if abs(again - bound["amount"]) > 1e-6 * abs(again) + 2: wrong.append(f"bound: got {bound['amount']}, recomputed {again}")

def hops_between(evidence, start, end):
    """The hops between the wrapped ends; what wraps there is 1:1."""
    order, hops = evidence["order"], list(evidence["route"])
    for name, at, ends, amount in (("tokenIn", 0, [NATIVE, start], order["amountIn"]), ("tokenOut", -1, [end, NATIVE], evidence["amountOut"])):
        if order[name] != NATIVE: continue
        hop = hops.pop(at)
        expect(f"route: wraps {name}", [hop[n] for n in ("tokenIn", "tokenOut", "amountIn", "amountOut")], [*ends, amount, amount])
    return hops

def check_route(evidence, pools, start, end):
    order, fee, held, moved = evidence["order"], evidence.get("fee"), {}, set()
    sold = order["amountIn"] - (order["amountIn"] * fee["ppm"] // FEE if fee and fee["of"] == "tokenIn" else 0)
    held[start] = sold
    for n, hop in enumerate(hops_between(evidence, start, end), 1):
        pool = pools.get(hop["pool"])
        if pool is None: return wrong.append(f"route: hop {n} passes a pool that the market lacks")
        i, o = pool["tokens"].index(hop["tokenIn"]), pool["tokens"].index(hop["tokenOut"])
        if not is_known(pool) or pool["id"] in moved:
            unknown.append(f"route: hop {n} through {pool['family']} is taken as written")
            paid = hop["amountOut"]
        else: paid = sell(pool, i, o, hop["amountIn"])
        moved.add(pool["id"])
        rest = held.get(hop["tokenIn"], 0)
        expect(f"route: hop {n} sells", hop["amountIn"], rest * hop["share"] // SHARE if hop["share"] else rest)
        expect(f"route: hop {n} pays", hop["amountOut"], paid)
        held[hop["tokenIn"]] = rest - hop["amountIn"]
        held[hop["tokenOut"]] = held.get(hop["tokenOut"], 0) + hop["amountOut"]
    got = held.pop(end, 0)
    expect("route: left over", {t: a for t, a in held.items() if a}, {})
    expect("quoted", evidence["amountOut"], got - (got * fee["ppm"] // FEE if fee and fee["of"] == "tokenOut" else 0))

def check_call(evidence, pools, start, end):
    call, order, fee = evidence["call"], evidence["order"], evidence.get("fee")
    data, hops = raw(call["data"]), hops_between(evidence, start, end)
    words = [data[4 + 32 * i:36 + 32 * i] for i in range(9)]
    number, address = (lambda i: int.from_bytes(words[i], "big")), (lambda i: "0x" + f"{number(i):040x}")
    head = {"fcb433d6": 288, "61535904": 320, "f2f2e05f": 352}.get(data[:4].hex())
    expect("calldata: selector and program", number(8), head)
    for i, name in ((0, "tokenIn"), (2, "tokenOut")): expect(f"calldata: {name}", address(i), order[name])
    expect("calldata: amountIn", number(1), order["amountIn"])
    expect("calldata: floor", number(3), evidence.get("minAmountOut"))
    expect("calldata: receiver", address(4), evidence.get("receiver"))
    expect("calldata: value", call["value"], order["amountIn"] if order["tokenIn"] == NATIVE else 0)
    at = 4 + number(8)
    program = data[at + 32:at + 32 + int.from_bytes(data[at:at + 32], "big")]
    table = [start, end] + ["0x" + program[1 + 20 * i:21 + 20 * i].hex() for i in range(program[0])]
    parts, at = [], 1 + 20 * program[0]
    while at < len(program):
        kind = program[at + 5] & 0x7F
        size = {1: 30, 10: 52, 32: 26}.get(kind, 27) + (8 if program[at + 5] & 0x80 else 0)
        parts.append(program[at:at + size]); at += size
    is_first_paid = parts and parts[0][:1] + parts[0][2:5] == bytes(4) and parts[0][5] & 0x7F in (1, 3, 8)
    expect("calldata: payee", address(7), "0x" + parts[0][6:26].hex() if is_first_paid else address(6))
    if fee:
        paid = bytes([fee["of"] == "tokenOut"] * 2) + fee["ppm"].to_bytes(3, "big") + b"\x20" + raw(fee["recipient"])
        expect("calldata: fee", parts.pop(-1 if fee["of"] == "tokenOut" else 0), paid)
    expect("calldata: number of hops", (len(parts), at), (len(hops), len(program)))
    for hop, part in zip(hops, parts):
        pool = pools[hop["pool"]]
        wanted = bytes([table.index(hop["tokenIn"]), table.index(hop["tokenOut"])]) + hop["share"].to_bytes(3, "big")
        called, side = raw(pool.get("manager", pool["id"])), bytes([hop["tokenIn"] == pool["tokens"][0]])
        if not is_known(pool): part = part[:5] + part[6:26]; wanted += called
        elif pool["family"] == "uniswapV2": wanted += b"\x01" + called + side + pool["feePpm"].to_bytes(3, "big")
        else: wanted += b"\x02" + called + side
        expect(f"calldata: hop through {pool['id']}", part.hex(), wanted.hex())

def check_settled(evidence):
    settled, call, order = evidence["settled"], evidence.get("call", {}), evidence["order"]
    tx, block, receipt = settled["transaction"], settled["block"], settled["receipt"]
    for name, other in (("input", "data"), ("to", "to"), ("value", "value")): expect(f"transaction: {name}", tx[name], call.get(other))
    logs = [[raw(l["address"]), [raw(t) for t in l["topics"]], raw(l["data"])] for l in receipt["logs"]]
    body = rlp([small(receipt["status"]), small(receipt["cumulativeGasUsed"]), raw(receipt["logsBloom"]), logs])
    kind = int(receipt["type"], 16)
    if "proof" not in settled: unknown.append("receipt: unproved, because the file has no proof of it")
    else:
        fields = list(map(raw, block["fields"]))
        expect("block: hash", "0x" + keccak(rlp(fields)).hex(), block["hash"])
        expect("block: number", block["number"], int.from_bytes(fields[8], "big"))
        place = rlp(receipt["index"].to_bytes(4, "big").lstrip(b"\0"))
        expect("receipt: in its block", in_trie(fields[5], place, settled["proof"]), (bytes([kind]) if kind else b"") + body)
    is_tied = "proof" in settled and "transactionProof" in settled
    if is_tied:
        sent = in_trie(fields[4], place, settled["transactionProof"]) or b""
        expect("transaction: hash", "0x" + keccak(sent).hex(), tx["hash"])
        listed, start = unrlp(sent, int(sent[0] < 0xC0))[0], {1: 4, 2: 5, 3: 5, 4: 5}.get(sent[0], 3)
        expect("transaction: in its block", listed[start:start + 3], [raw(tx["to"]), small(hex(tx["value"])), raw(tx["input"])])
    swaps = [l for l in receipt["logs"] if l["address"] == tx["to"] and l["topics"][:1] == [SWAP]]
    expect("receipt: status", (int(receipt["status"], 16), len(swaps)), (1, 1) if swaps else (0, 0))
    expect("block: after the market", block["number"] > evidence["snapshot"]["block"]["number"], True)
    if not swaps:
        unknown.append("transaction: its sender is taken as written" if is_tied else "receipt: not tied to this transaction")
        return "reverted"
    data = [swaps[0]["data"][2 + 64 * i:66 + 64 * i] for i in range(4)]
    token, bought, payer, receiver = ("0x" + w[-40:] for w in (*data[:2], *swaps[0]["topics"][1:]))
    asked = evidence.get("receiver", "0x" + "0" * 40)
    expect("receipt: payer", payer, tx["from"])
    expect("receipt: receiver", receiver, tx["from"] if int(asked, 16) == 0 else asked)
    expect("receipt: sold", (token, int(data[2], 16)), (order["tokenIn"], order["amountIn"]))
    expect("receipt: bought", bought, order["tokenOut"])
    got = int(data[3], 16)
    expect("received no less than the floor", got >= evidence.get("minAmountOut", 0), True)
    return f"received {got}, {got - evidence['amountOut']:+d} against what was quoted"

def number_of(value): return int(value) if isinstance(value, str) and value.isascii() and value.lstrip("-").isdigit() and len(value) < 80 else value
def record_of(pairs):
    if len(dict(pairs)) < len(pairs): raise ValueError("a name twice in one record")
    return {name: [number_of(one) for one in value] if isinstance(value, list) else number_of(value) for name, value in pairs}

def check_form(evidence):
    """What the other checks rely on; a ValueError names the rest."""
    order, bound, fee = evidence["order"], evidence["bound"], evidence.get("fee", {"of": "tokenIn", "ppm": 1})
    def is_in(name, value, least=0, most=(1 << 256) - 1):
        if type(value) is not int or not least <= value <= most: raise ValueError(f"{name} is {value}")
    for name, value in (("amountIn", order["amountIn"]), ("amountOut", evidence["amountOut"]), ("minAmountOut", evidence.get("minAmountOut", 0))): is_in(name, value)
    for hop in evidence["route"]: is_in("share", hop["share"], 0, SHARE); is_in("amountIn", hop["amountIn"]); is_in("amountOut", hop["amountOut"])
    for edge in evidence["edges"]: is_in("gas", edge["gas"]); is_in("stepGas", edge["stepGas"])
    is_in("version", evidence["version"], 1, 1); is_in("fee", fee["ppm"], 1, 10_000); is_in("fee", ("tokenIn", "tokenOut").count(fee["of"]), 1)
    is_in("bound.amount", bound["amount"], -(1 << 256)); is_in("maxLegs", bound["maxLegs"], 1)
    for name, value, least in (("gasCost", bound["gasCost"], 0), ("legPrice", bound.get("legPrice", 0), 0), ("maxGas", bound["maxGas"], ROUTER_GAS), *((t, u, -700) for t, u in bound["prices"].items())):
        if type(value) not in (int, float) or not least <= value < math.inf: raise ValueError(f"bound: {name} is {value}")
    for name in ("excluded", "setAside", "onlyIntermediates"):
        if not isinstance(bound.get(name, []), list): raise ValueError(f"{name} is no list")
    ids = [pool["id"] for pool in evidence["snapshot"]["pools"]]
    is_in("pools twice", len(ids) - len(set(ids)), 0, 0)
    for pool in filter(is_known, evidence["snapshot"]["pools"]):
        is_in("tokens", len(set(pool["tokens"])), 2, 2); is_in("feePpm", pool["feePpm"], 0, FEE - 1)
        if pool["family"] == "uniswapV2": is_in("reserves", min(pool["reserves"])); is_in("reserves", max(pool["reserves"]), 0, (1 << 112) - 1); continue
        tick, ticks, held = pool["tick"], pool["ticks"], 0
        is_in("tick", tick, -887272, 887272); is_in("tickSpacing", pool["tickSpacing"], 1, 16384)
        is_in("sqrtPriceX96", pool["sqrtPriceX96"], price_at(tick), price_at(min(tick + 1, 887272)))
        for last, t in zip([{"index": -887273}, *ticks], ticks):
            is_in("ticks", t["index"], last["index"] + 1, 887272); is_in("tickSpacing", t["index"] % pool["tickSpacing"], 0, 0)
            held += t["liquidityNet"]
            is_in("liquidityNet", held, 0, (1 << 128) - 1)
        is_in("liquidity", pool["liquidity"], *[sum(t["liquidityNet"] for t in ticks if t["index"] <= tick)] * 2); is_in("ticks", held, 0, 0)

def show(line): print("".join(c if c.isprintable() else "?" for c in line))

def main(path):
    def refuse(name): raise ValueError(f"{name} is no number of JSON")
    evidence = json.load(sys.stdin if path == "-" else open(path, encoding="utf-8"), object_pairs_hook=record_of, parse_constant=refuse)
    market, order, came = evidence["snapshot"], evidence["order"], "only quoted"
    check_form(evidence)
    pools = {pool["id"]: pool for pool in market["pools"]}
    start, end = (market["wrappedNative"] if order[n] == NATIVE else order[n] for n in ("tokenIn", "tokenOut"))
    check_route(evidence, pools, start, end)
    check_bound(evidence, pools, start, end)
    if "call" in evidence: check_call(evidence, pools, start, end)
    if "settled" in evidence: came = check_settled(evidence)
    for line in unknown: show(f"unknown  {line}")
    for line in wrong: show(f"WRONG    {line}")
    if "call" in evidence: show(f"router   {evidence['call']['to']}, to be compared with the published one")
    show(f"{'WRONG' if wrong else 'ok'}: {came}; quoted {evidence['amountOut']}, bound {evidence['bound']['amount']} net of gas")
    return 1 if wrong else 0

if __name__ == "__main__":
    try: sys.exit(main(sys.argv[1]))
    except Exception as fault:
        show(f"no evidence, or damaged: {type(fault).__name__} {fault}")
        sys.exit(2)
