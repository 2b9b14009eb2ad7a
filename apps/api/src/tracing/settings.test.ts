import { expect, it } from 'vitest'
import { readConfig } from '../config/config.js'
import { readTraces } from './settings.js'

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }

it.each([
  [{}, undefined],
  [ENDPOINT, { protocol: 'http/protobuf' }],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://a.example/t' }, { protocol: 'http/protobuf' }],
  [{ OTEL_TRACES_EXPORTER: 'otlp' }, { protocol: 'http/protobuf' }],
  [{ ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }, { protocol: 'http/json' }],
  [{ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }, undefined],
  [{ ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }, undefined],
  [{ ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, expect.stringMatching(/http\/protobuf/)],
  [{ OTEL_TRACES_EXPORTER: 'zipkin' }, expect.stringMatching(/otlp or none/)],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, expect.stringMatching(/http\(s\) URL/)],
])('%j gives %j', (env, settings) => {
  expect(readTraces(env)).toEqual(settings)
})

it('a wrong variable is refused with the others of the configuration', () => {
  const env = {
    ...{
      BRAID_RPC_URLS: 'http://127.0.0.1:9',
      BRAID_KEYS_FILE: 'k',
      BRAID_ROUTER: `0x${'1'.repeat(40)}`,
    },
  }
  expect(readConfig({ ...env, ...ENDPOINT }).traces).toEqual({ protocol: 'http/protobuf' })
  expect(readConfig(env).traces).toBeUndefined()
  expect(() => readConfig({ ...env, OTEL_TRACES_EXPORTER: 'zipkin' })).toThrow(
    'OTEL_TRACES_EXPORTER',
  )
})
