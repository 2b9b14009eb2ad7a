// Stops the API process when the demo process ends in any way. Loaded with `--import`. Standard
// input is a pipe from the demo that closes when the demo is gone. `unref` lets the API exit while
// the pipe is open.
import { Socket } from 'node:net'

process.stdin.resume()
process.stdin.once('close', () => process.kill(process.pid, 'SIGTERM'))
if (process.stdin instanceof Socket) process.stdin.unref()
