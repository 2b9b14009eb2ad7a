/** A real Redis for tests, on a free port of this machine. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@braid-swap/devnet/testing'
import { connectRedis } from '../redis/connection.js'

const PLACES = [
  process.env['BRAID_REDIS_SERVER'],
  ...(process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => ['redis-server', 'valkey-server'].map((name) => join(folder, name))),
]

/** A Redis or Valkey server on this machine; BRAID_REDIS_SERVER names another. */
export const redisServerPath = PLACES.find((path) => path && existsSync(path))

/** A running Redis. */
export type RedisServer = {
  readonly url: string
  readonly pid: () => number
  /** Ends the process at once, as a crash does. */
  readonly kill: () => Promise<void>
  /** Starts it again on the same port, with what it persisted. */
  readonly restart: () => Promise<void>
  /** Drops what it persisted, while it is down. */
  readonly wipe: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Starts a Redis, by default without persistence. */
export async function startRedis({ persists = false } = {}): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'braid-redis-'))
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  const killLeft = () => child?.kill('SIGKILL')
  process.once('exit', killLeft)
  const start = async () => {
    const persistence = persists ? ['--appendonly', 'yes', '--appendfsync', 'always'] : []
    const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '']
    child = spawn(redisServerPath!, [...args, ...persistence], { stdio: 'ignore' })
    await answers(url)
  }
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'close')
    child.kill('SIGKILL')
    await gone
  }
  await start()
  return {
    ...{ url, kill, restart: start },
    pid: () => child!.pid!,
    wipe: async () => {
      await rm(folder, { recursive: true, force: true })
      await mkdir(folder)
    },
    stop: async () => {
      await kill()
      process.off('exit', killLeft)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function answers(url: string): Promise<void> {
  const redis = connectRedis(url)
  const isUp = () =>
    redis.send(['PING']).then(
      () => true,
      () => false,
    )
  while (!(await isUp())) await sleep(20)
  redis.close()
}
