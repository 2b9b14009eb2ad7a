/**
 * Validates the router's ERC-7730 descriptor against the schema that it names, and makes sure that the
 * schema refuses a damaged one. Prints the descriptor's faults and fails if there are any.
 *
 *   node scripts/checkClearSigning.mjs           the schema from its published address
 *   node scripts/checkClearSigning.mjs FILE      a copy of it
 */
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { clearSigningDescriptor } from '../dist/index.js'

/** Any deployment: the schema knows only its form. */
const ROUTER = { chainId: 999, address: `0x${'ab'.repeat(20)}` }

async function readSchema(file, url) {
  if (file) return JSON.parse(readFileSync(file, 'utf8'))
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return response.json()
}

const descriptor = JSON.parse(JSON.stringify(clearSigningDescriptor([ROUTER])))
// Its own name for the language of schemas is not one that a validator knows.
const { $schema: _, ...schema } = await readSchema(process.argv[2], descriptor.$schema)
const options = { strict: false, allErrors: true, validateFormats: false }
const validate = new Ajv2020(options).compile(schema)
const { formats: __, ...display } = descriptor.display
if (validate({ ...descriptor, display })) throw new Error('the schema accepts a damaged descriptor')
if (!validate(descriptor)) {
  console.error(JSON.stringify(validate.errors, null, 2))
  throw new Error('the descriptor is not valid')
}
console.log(`valid by ${process.argv[2] ?? descriptor.$schema}`)
