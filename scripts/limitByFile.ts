/**
 * Sets the time limit of a file's tests by its kind, where one project has unit and end-to-end tests:
 * the configuration has one limit for each project. Runs before each file.
 */
import { expect, vi } from 'vitest'
import { e2eTimeoutMs, unitTimeoutMs } from './timeouts.js'

const isEndToEnd = expect.getState().testPath?.endsWith('.e2e.ts')
vi.setConfig({ testTimeout: isEndToEnd ? e2eTimeoutMs : unitTimeoutMs })
