/**
 * The shape of an E-CLP's ellipse. Its contract accepts parameters only if the unit vectors have the
 * length 1 and the derived parameters follow from the others, within 10⁻¹⁵; so do we.
 */
import { choice, type Fault, integer, record } from '../../shape/shape.js'
import type { EclpForm, Vector } from './pool.js'

const ONE = 10n ** 18n
const ONE_36 = ONE * ONE
const ONE_38 = 10n ** 38n
const SLACK = 10n ** 23n

const factor = integer(-ONE_38 - SLACK, ONE_38 + SLACK)
const vector = record<Vector>({ x: factor, y: factor })

/** The parameters that an E-CLP can have. λ is at most 10⁸. */
export const eclp = record<EclpForm>(
  {
    kind: choice('eclp'),
    ...{ c: integer(0n, ONE), s: integer(0n, ONE), lambda: integer(ONE, 10n ** 8n * ONE) },
    ...{ tauAlpha: vector, tauBeta: vector, u: factor, v: factor, w: factor, z: factor },
    dSq: integer(ONE_38 - SLACK, ONE_38 + SLACK),
  },
  faultOfEllipse,
)

function faultOfEllipse(form: EclpForm): Fault | undefined {
  const { c, s, tauAlpha: α, tauBeta: β } = form
  const [ofBoth, ofS, ofC] = [s * c, s * s, c * c]
  const squareOf = ({ x, y }: Vector) => (x * x + y * y) / ONE_38
  const wanted: readonly (readonly [string, bigint, bigint])[] = [
    ['s', (ofC + ofS) * 100n, ONE_38],
    ['tauAlpha', squareOf(α), ONE_38],
    ['tauBeta', squareOf(β), ONE_38],
    ['u', form.u, (ofBoth * (β.x - α.x)) / ONE_36],
    ['v', form.v, (ofS * β.y + ofC * α.y) / ONE_36],
    ['w', form.w, (ofBoth * (β.y - α.y)) / ONE_36],
    ['z', form.z, (ofC * β.x + ofS * α.x) / ONE_36],
  ]
  const off = wanted.find(([, got, exact]) => got - exact > SLACK || exact - got > SLACK)
  if (!off) return undefined
  const [field, got, exact] = off
  return { field, got: `${got}`, wanted: `${exact}, which follows from the others, within 10^-15` }
}
