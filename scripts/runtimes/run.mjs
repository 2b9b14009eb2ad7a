// The program that Node.js, Bun and Deno run: reads the markets beside it, prints the answers.

import { readFileSync, writeFileSync } from 'node:fs'
import * as core from '@braid-swap/core'
import { answersOf } from './answers.mjs'

const { markets, width } = JSON.parse(readFileSync('markets.json', 'utf8'))
const [, , output] = globalThis.process.argv
writeFileSync(output, JSON.stringify(answersOf(core, markets, width)))
