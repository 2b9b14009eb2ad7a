// Stops the API process when the demo process ends in any way. Loaded with `--import`. Standard
// input is a pipe from the demo that closes when the demo is gone. `unref` lets the API exit while
// the pipe is open. The API's threads load it too, whose standard input is closed from the start.
import { Socket } from 'node:net'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  process.stdin.resume()
  process.stdin.once('close', () => process.kill(process.pid, 'SIGTERM'))
  if (process.stdin instanceof Socket) process.stdin.unref()
}
