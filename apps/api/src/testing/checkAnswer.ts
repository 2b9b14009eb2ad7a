import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { openApi } from '../openapi.js'

/** What the API answered to a GET. */
export type GivenAnswer = {
  /** With or without the query. */
  readonly path: string
  readonly status: number
  readonly body: unknown
}

const NAME = 'openapi.json'
const document = openApi(999)
// The document keeps its formats and examples to people; their types are checked.
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
ajv.addSchema({ $id: NAME, ...document })
const templates = Object.keys(document.paths)
const compiled = new Map<string, ValidateFunction>()

/**
 * How an answer departs from the OpenAPI document, as sentences; none for a right one. Errors at paths
 * that the document does not have must have the body of every error.
 */
export function checkAnswer({ path, status, body }: GivenAnswer): readonly string[] {
  const pathname = path.replace(/\?.*/s, '')
  const template = templates.find((each) => patternOf(each).test(pathname))
  const pointer =
    template === undefined
      ? '/components/schemas/Error'
      : `/paths/${escapePointer(template)}/get/responses/${status}/content/application~1json/schema`
  if (template === undefined && status < 400) return [`${pathname} is not in the document`]
  const validate = validatorOf(pointer)
  if (!validate) return [`${status} is not in the document for ${template}`]
  if (validate(body)) return []
  return (validate.errors ?? []).map(
    (fault) => `${path} ${status}${fault.instancePath} ${fault.message}`,
  )
}

function validatorOf(pointer: string): ValidateFunction | undefined {
  const known = compiled.get(pointer)
  if (known) return known
  const validate = ajv.getSchema(`${NAME}#${encodeURI(pointer)}`)
  if (validate) compiled.set(pointer, validate)
  return validate
}

function escapePointer(text: string): string {
  return text.replaceAll('~', '~0').replaceAll('/', '~1')
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{[a-zA-Z]+\}/g, '[^/]+')}$`)
}
