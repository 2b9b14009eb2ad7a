#!/usr/bin/env node
/**
 * solc from npm, in the form Foundry calls a compiler: `--version`, or `--standard-json` with the
 * input on stdin. Foundry wants to see the version line of a native build.
 */
const solc = require('solc')
const { readFileSync } = require('node:fs')

if (process.argv.includes('--version')) {
  const version = solc.version().replace('Emscripten.clang', 'Linux.g++')
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${version}\n`)
} else if (process.argv.includes('--standard-json')) {
  process.stdout.write(solc.compile(readFileSync(0, 'utf8')))
} else {
  process.stderr.write(`wanted --version or --standard-json, got ${process.argv.slice(2)}\n`)
  process.exitCode = 1
}
