#!/usr/bin/env node
import { runProgram } from './program.js'
import { processTerminal } from './terminal.js'

// A reader such as `head` closes its end when it has enough, which is no fault of the program.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})
process.exitCode = await runProgram(process.argv.slice(2), processTerminal())
