/** Writes the recorded market of the devnet, and the names of its tokens as a token list, beside the program. */
import { readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const read = (file) => readFileSync(new URL(`../../../packages/vectors/${file}`, import.meta.url))
const write = (file, data) => writeFileSync(new URL(`../dist/${file}`, import.meta.url), data)

const market = read('snapshots/999-79.json')
const { chainId } = JSON.parse(market)
const tokens = JSON.parse(read('tokens.json')).map((token) => ({ chainId, ...token }))
write('market.json.gz', gzipSync(market))
write('tokens.json', JSON.stringify({ tokens }))
