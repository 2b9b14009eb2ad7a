/**
 * Reads from the standard variables of OpenTelemetry if and how traces are sent. The SDK reads them from
 * the process itself; here is only what must be known before it is loaded, and what would be wrong.
 */

/** Settings of the export of traces. */
export type TraceSettings = { readonly protocol: TraceProtocol }

/** Both are OTLP over HTTP. */
export type TraceProtocol = 'http/protobuf' | 'http/json'

type Environment = Readonly<Record<string, string | undefined>>

const ENDPOINTS = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'] as const
const PROTOCOLS = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'] as const

/**
 * The settings, `undefined` if traces are off, or a one-line error text. Traces are on if an endpoint
 * is set or OTEL_TRACES_EXPORTER is `otlp`, unless that is `none` or OTEL_SDK_DISABLED is `true`.
 */
export function readTraces(env: Environment): TraceSettings | string | undefined {
  const { OTEL_TRACES_EXPORTER: exporter, OTEL_SDK_DISABLED: disabled } = env
  if (disabled?.toLowerCase() === 'true' || exporter === 'none') return undefined
  const endpoint = ENDPOINTS.find((name) => env[name])
  if (!endpoint && !exporter) return undefined
  if (exporter && exporter !== 'otlp') return `OTEL_TRACES_EXPORTER must be otlp or none`
  if (endpoint && !/^https?:$/.test(protocolOf(env[endpoint]!))) {
    return `${endpoint} must be an http(s) URL`
  }
  const name = PROTOCOLS.find((one) => env[one])
  const protocol = name ? env[name]! : 'http/protobuf'
  if (protocol === 'http/protobuf' || protocol === 'http/json') return { protocol }
  return `${name} must be http/protobuf or http/json`
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : ''
}
