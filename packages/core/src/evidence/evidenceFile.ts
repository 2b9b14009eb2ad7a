// Evidence as text, and the door for evidence from outside: nothing that has not its form is checked.

import { badBound, checkTerms } from '../certificate/checkCertificate.js'
import { BaseError } from '../errors.js'
import { feeShape } from '../fee.js'
import type { Hex } from '../hex.js'
import { parse, stringify } from '../json.js'
import { address, hash } from '../pools/poolFields.js'
import { faultOf } from '../shape/check.js'
import { type JsonSchema, jsonSchemaOf } from '../shape/jsonSchema.js'
import { choice, list, number, optional, record, type Shape, text, uint } from '../shape/shape.js'
import { checkSnapshot } from '../snapshotFile.js'
import { type EdgeGas, EVIDENCE_VERSION, type Evidence, type Settled } from './evidence.js'

const bytes: Shape<Hex> = text(/^0x([0-9a-f]{2})*$/, 'bytes: 0x and hex digits in lower case')
const quantity: Shape<Hex> = text(/^0x[0-9a-f]{1,64}$/, 'an integer in hex')
const words: Shape<string> = text(/^[ -~]{1,99}$/, 'up to 99 letters, digits and signs')
const id: Shape<Hex> = text(/^0x([0-9a-f]{40}|[0-9a-f]{64})$/, 'the id of a pool')
const amount = uint(256)
const gas = number(0, Number.MAX_SAFE_INTEGER)
const edge = { pool: id, tokenIn: address, tokenOut: address }

const settled = record<Settled>({
  transaction: record<Settled['transaction']>({
    ...{ hash, from: address, to: address, input: bytes, value: amount },
  }),
  block: record<Settled['block']>({
    ...{ number: uint(64), hash, fields: optional(list(bytes, 15, 30)) },
  }),
  receipt: record<Settled['receipt']>({
    index: number(0, 2 ** 32),
    ...{ type: quantity, status: quantity, cumulativeGasUsed: quantity, logsBloom: bytes },
    logs: list(record({ address, topics: list(hash, 0, 4), data: bytes })),
  }),
  ...{ proof: optional(list(bytes)), transactionProof: optional(list(bytes)) },
})

const form = record<Evidence>({
  version: choice(EVIDENCE_VERSION),
  quoteId: optional(words),
  snapshotId: optional(words),
  order: record({ tokenIn: address, tokenOut: address, amountIn: amount }),
  fee: optional(feeShape),
  // Both have checks of their own.
  ...{ snapshot: { kind: 'any' }, bound: { kind: 'any' } },
  edges: list(record<EdgeGas>({ ...edge, gas, stepGas: gas })),
  route: list(record({ ...edge, share: number(0, 0xffffff), amountIn: amount, amountOut: amount })),
  ...{ amountOut: amount, gas, minAmountOut: optional(amount), receiver: optional(address) },
  call: optional(record({ to: address, data: bytes, value: amount })),
  offers: list(record({ by: words, amountOut: amount })),
  settled: optional(settled),
})

/** The format of evidence as JSON Schema, draft 2020-12; its market is that of snapshot files, without a version. */
export function evidenceSchema(): JsonSchema {
  const schema = 'https://json-schema.org/draft/2020-12/schema'
  return {
    $schema: schema,
    title: `Braid evidence, version ${EVIDENCE_VERSION}`,
    ...jsonSchemaOf(form),
  }
}

/** Evidence as JSON text, with integers as decimal strings. */
export function stringifyEvidence(evidence: Evidence): string {
  return stringify(evidence, 1)
}

/** The evidence in a text, if it has the form of one. Throws {@link BadEvidenceError}, BAD_SNAPSHOT. */
export function parseEvidence(from: string): Evidence {
  let value: unknown
  try {
    value = parse(from)
  } catch (cause) {
    throw new BadEvidenceError('the text is not JSON', {}, cause)
  }
  const fault = faultOf(form, value)
  if (fault) {
    const { field, got, wanted } = fault
    throw new BadEvidenceError(`${field || 'the evidence'} is ${got}`, { field, got, wanted })
  }
  const evidence = value as Evidence
  try {
    checkTerms(evidence.bound)
    const { amount: limit } = evidence.bound
    if (typeof limit !== 'bigint') throw badBound('amount', limit, 'an integer')
  } catch (cause) {
    throw new BadEvidenceError(`bound: ${(cause as Error).message}`, {}, cause)
  }
  return { ...evidence, snapshot: checkSnapshot(evidence.snapshot) }
}

/** The text is not evidence of this version; details name the field. */
export class BadEvidenceError extends BaseError {
  readonly code = 'BAD_EVIDENCE'
}
