import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { CompatName } from '../config/compatNames.js'
import { openApi } from '../docs/openapi.js'

/** Answer of the API to a GET. */
export type GivenAnswer = {
  /** With or without the query. */
  readonly path: string
  readonly status: number
  readonly body: unknown
}

// The document keeps its formats and examples to people; their types are checked.
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
const templates = new Map<string, readonly string[]>()
/** By the address of what each checks: the document's name, and the pointer into it. */
const compiled = new Map<string, ValidateFunction>()

/**
 * Lists departures of an answer from the OpenAPI document; none for a right one. Errors at paths
 * that the document does not have must have the body of every error. With `compat`, the document is
 * that of an API with these shapes.
 */
export function checkAnswer(
  { path, status, body }: GivenAnswer,
  compat: readonly CompatName[] = [],
): readonly string[] {
  const pathname = path.replace(/\?.*/s, '')
  const template = templateOf(path, compat)
  const pointer =
    template === undefined
      ? '/components/schemas/Error'
      : `/paths/${escapePointer(template)}/get/responses/${status}/content/application~1json/schema`
  if (template === undefined && status < 400) return [`${pathname} is not in the document`]
  const validate = validatorOf(pointer, compat)
  if (!validate) return [`${status} is not in the document for ${template}`]
  if (validate(body)) return []
  return (validate.errors ?? []).map(
    (fault) => `${path} ${status}${fault.instancePath} ${fault.message}`,
  )
}

/** The document's name for the path of a request; undefined if the document lacks it. */
export function templateOf(path: string, compat: readonly CompatName[] = []): string | undefined {
  const pathname = path.replace(/\?.*/s, '')
  const name = compat.join()
  const known = templates.get(name) ?? Object.keys(openApi(999, { compat }).paths)
  templates.set(name, known)
  return known.find((each) => patternOf(each).test(pathname))
}

function validatorOf(pointer: string, compat: readonly CompatName[]): ValidateFunction | undefined {
  const name = ['openapi', ...compat].join('-')
  const address = `${name}#${encodeURI(pointer)}`
  const known = compiled.get(address)
  if (known) return known
  if (!ajv.getSchema(name)) ajv.addSchema({ $id: name, ...openApi(999, { compat }) })
  const validate = ajv.getSchema(address)
  if (validate) compiled.set(address, validate)
  return validate
}

function escapePointer(text: string): string {
  return text.replaceAll('~', '~0').replaceAll('/', '~1')
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{[a-zA-Z]+\}/g, '[^/]+')}$`)
}
