/** `braid-api` as operators run it: a process of its own, which tests may pause and kill. */
import { type Program, startProgram } from '@braid-swap/worlds/program'

/** A line of the log. */
export type LogLine = {
  readonly msg?: string
  readonly pid?: number
  readonly url?: string
  readonly metricsUrl?: string
}

/** A process of a service. */
export type ServiceProcess = Program & {
  /** The first line of the log with this message, now or later. Throws if the process ends before. */
  readonly logged: (msg: string) => Promise<LogLine>
  readonly lines: () => readonly LogLine[]
}

/** The built program of this checkout. */
export const ownProgram = new URL('../bin/braid-api.js', import.meta.resolve('@braid-swap/api'))
  .pathname

/** Starts a built program, by default that of this checkout, with arguments and an environment. */
export function startService(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  program = ownProgram,
): ServiceProcess {
  const env = { HOST: '127.0.0.1', PORT: '0', ...environment }
  const started = startProgram([process.execPath, program, ...args], { env })
  const lines = () => started.out.flatMap(readLine)
  return {
    ...started,
    lines,
    logged: async (msg) => {
      const isSaid = await started.says(`"msg":${JSON.stringify(msg)}`)
      if (isSaid) return lines().find((line) => line.msg === msg)!
      throw new Error(`braid-api ended before "${msg}": ${started.err.join('\n')}`)
    },
  }
}

/** Messages for people are no JSON. */
function readLine(text: string): readonly LogLine[] {
  try {
    return [JSON.parse(text) as LogLine]
  } catch {
    return []
  }
}
