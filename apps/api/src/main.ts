#!/usr/bin/env node
import { runProgram } from './command/program.js'
import { tuneHeap } from './start/heap.js'

tuneHeap()
process.exitCode = await runProgram(process.argv.slice(2), {
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => void process.stderr.write(`${text}\n`),
  env: process.env,
})
