// Loaded into the API's process with `--import`: its standard input is a pipe that closes when the
// demo is gone, however it went, so that nothing is left behind. The pipe alone must not keep the
// API from ending.
import { Socket } from 'node:net'

process.stdin.resume()
process.stdin.once('close', () => process.kill(process.pid, 'SIGTERM'))
if (process.stdin instanceof Socket) process.stdin.unref()
