import { BaseError } from '@braid-swap/core'

/** A port that the demo needs is in use. */
export class PortBusyError extends BaseError {
  readonly code = 'PORT_BUSY'

  constructor(variable: string, port: number) {
    super(
      `port ${port} is in use; choose another with ${variable}, such as ${variable}=${port + 1} npm start`,
      { variable, port },
    )
  }
}

/** An environment variable is not a valid port. */
export class BadPortError extends BaseError {
  readonly code = 'BAD_PORT'

  constructor(variable: string, got: string) {
    super(`${variable} is ${JSON.stringify(got)}, wanted an integer from 1 to 65535`, {
      variable,
      got,
    })
  }
}

/** `BLOCK_MS` is not a time between blocks that the devnet can keep. */
export class BadBlockTimeError extends BaseError {
  readonly code = 'BAD_BLOCK_TIME'

  constructor(
    got: string,
    { leastMs, mostMs }: { readonly leastMs: number; readonly mostMs: number },
  ) {
    super(`BLOCK_MS is ${JSON.stringify(got)}, wanted an integer from ${leastMs} to ${mostMs}`, {
      got,
    })
  }
}

/** The API process exited or did not become ready in time. */
export class ApiDownError extends BaseError {
  readonly code = 'API_DOWN'

  constructor(reason: string, logFile: string, lastLines: string) {
    super(`the API ${reason}; its log is ${logFile}${lastLines && `\n${lastLines}`}`, {
      reason,
      logFile,
    })
  }
}
