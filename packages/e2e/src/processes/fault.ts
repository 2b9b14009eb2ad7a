/** What a fault of a service is. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Member, TestService } from './testService.js'

/** Holds what a fault left behind. */
export type Caused = {
  /** From the fault to the first answer from a newer block, if another process had to lead. */
  readonly failoverMs?: number
}

/** A kind of fault. */
export type FaultKind = {
  readonly name: string
  /** True if the first reader is down for a while, so that it refuses connections. */
  readonly killsReader?: true
  /** Causes the fault for about `holdMs`, and resolves when it is over. */
  readonly cause: (service: TestService, holdMs: number) => Promise<Caused>
}

export const NOTHING: Caused = {}

/** Kills a process, and starts it again later. */
export async function killed(member: Member, holdMs: number): Promise<void> {
  await member.process().kill()
  await sleep(holdMs)
  await member.start()
}
