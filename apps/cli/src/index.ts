export { exitCodes } from './exitCodes.js'
export { runProgram } from './program.js'
export { processTerminal, type Terminal } from './terminal.js'
