// The loads of `capacity.ts`, in a process of its own, so that they take no time of the API's.
import type { Ready } from './apiProcess.js'
import { openLoop } from './openLoop.js'

const ready = JSON.parse(process.argv[2]!) as Ready
process.on('message', async (step: { readonly perSecond: number; readonly seconds: number }) => {
  process.send!(await openLoop(ready, step))
})
process.once('disconnect', () => process.exit())
