/**
 * Traces by the SDK of OpenTelemetry. This module is loaded only when traces are on, because the SDK
 * takes time to load and memory. A request that has ended becomes a span `http` with its parts as
 * children; a `traceparent` of the caller makes it a part of the caller's trace.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ownValue } from '@braid-swap/core'
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { hrTime, setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources'
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import type { Logger } from 'pino'
import { ENGINE_VERSION } from '../wire/quoteId.js'
import type { TraceSettings } from './settings.js'
import type { TracedPart, TracedRequest, Tracing } from './trace.js'

/** Time between two lines of the log about traces that cannot be sent. */
const QUIET_MS = 60_000

/** Opens traces to the endpoint of the standard variables, in batches and in the background. */
export async function openTracing(
  { protocol }: TraceSettings,
  {
    log,
    url,
  }: {
    readonly log: Pick<Logger, 'warn'>
    /** Receives the spans; absent: the target of the standard variables. */
    readonly url?: string
  },
): Promise<Tracing> {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto')
  let quietUntilMs = 0
  const onFault = (error: unknown) => {
    const nowMs = performance.now()
    if (nowMs < quietUntilMs) return
    quietUntilMs = nowMs + QUIET_MS
    log.warn({ fault: messageOf(error) }, 'traces cannot be sent')
  }
  setGlobalErrorHandler(onFault)
  const exporter = new OTLPTraceExporter({ ...(url !== undefined && { url }) })
  return createTracing(new BatchSpanProcessor(exporter), onFault)
}

/** Traces to a processor of spans; `onFault` is told if the last ones cannot be sent. */
export function createTracing(
  processor: SpanProcessor,
  onFault: (error: unknown) => void = () => {},
): Tracing {
  const named = { 'service.name': 'braid-api', 'service.version': ENGINE_VERSION }
  const detectors = [serviceInstanceIdDetector, envDetector]
  const resource = defaultResource()
    .merge(resourceFromAttributes(named))
    .merge(detectResources({ detectors }))
  const provider = new BasicTracerProvider({ resource, spanProcessors: [processor] })
  const tracer = provider.getTracer('braid-api', ENGINE_VERSION)
  const propagator = new W3CTraceContextPropagator()
  return {
    // Times by `hrTime`, because a span puts plain milliseconds on a clock of its own, up to one off.
    add: (request) => {
      const parent = propagator.extract(ROOT_CONTEXT, request.headers, HEADERS)
      const { startMs, facts, parts } = request
      const options = { kind: SpanKind.SERVER, startTime: hrTime(startMs), attributes: facts }
      const root = tracer.startSpan('http', options, parent)
      if (root.isRecording()) {
        const context = trace.setSpan(parent, root)
        for (const part of parts) addChild(part, context)
        if (request.status >= 500) root.setStatus(failed(request))
      }
      root.end(hrTime(request.endMs))
    },
    close: async (limitMs) => {
      const timer = new AbortController()
      await Promise.race([provider.shutdown().catch(onFault), pause(limitMs, timer.signal)])
      timer.abort()
    },
  }

  function addChild(part: TracedPart, context: typeof ROOT_CONTEXT): void {
    const { name, startMs, endMs, facts = {} } = part
    const span = tracer.startSpan(name, { startTime: hrTime(startMs), attributes: facts }, context)
    if (part.code !== undefined) span.setStatus(failed(part))
    span.end(hrTime(endMs))
  }
}

function failed({ code }: Pick<TracedRequest, 'code'>) {
  return { code: SpanStatusCode.ERROR, ...(code !== undefined && { message: code }) }
}

const HEADERS = {
  keys: (headers: TracedRequest['headers']) => Object.keys(headers),
  get: (headers: TracedRequest['headers'], name: string) =>
    ownValue(headers, name) as string | undefined,
}

function messageOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { ref: false, signal }).catch(() => {})
}
