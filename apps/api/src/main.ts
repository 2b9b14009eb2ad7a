#!/usr/bin/env node
import { BaseError } from '@braid-swap/core'
import { readConfig } from './config.js'
import { startApi } from './startApi.js'

try {
  const api = await startApi(readConfig(process.env))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void api.stop()
    })
  }
} catch (error) {
  if (!(error instanceof BaseError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
