import { scaleLinear } from 'd3-scale'
import { curveMonotoneX, line } from 'd3-shape'
import { useState } from 'preact/hooks'
import { isTiny, type PageToken, type Tokens, toFloat } from '../format.js'
import { OldMark } from '../oldMark.js'
import type { Sale } from '../order/order.js'
import { isUnfillable, type OutputCurve, type Polled } from '../order/usePolling.js'
import { useWidth } from '../useWidth.js'

const HEIGHT = 250
const MARGIN = { top: 14, right: 12, bottom: 26, left: 52 }

type Point = { readonly x: number; readonly ours: number; readonly single: number | undefined }

/** Plots the rate, or where that is tiny the price, against the input amount, for the whole route and for the best single pool. */
export function CurveCard(props: {
  readonly polled: Polled<OutputCurve, Sale>
  /** There is an order, whose curve may be on its way. */
  readonly isAsked: boolean
  /** The curve is for another order, or the market has changed since. */
  readonly isOld: boolean
  readonly tokens: Tokens
}) {
  const { polled, tokens } = props
  const src = polled.order && tokens.get(polled.order.src)
  const dst = polled.order && tokens.get(polled.order.dst)
  return (
    <section class={props.isOld ? 'card old' : 'card'} aria-labelledby="curve-title">
      <header>
        <h2 id="curve-title">Rate by amount</h2>
        {props.isOld && polled.value && <OldMark />}
      </header>
      {polled.value && polled.order && src && dst && polled.value.points.length > 1 ? (
        <Chart value={polled.value} order={polled.order} {...{ src, dst }} />
      ) : (
        <div class="chart-empty">
          <p class="soft none">{emptyText(polled, props.isAsked)}</p>
        </div>
      )}
    </section>
  )
}

function emptyText({ error, value }: Polled<OutputCurve, Sale>, isAsked: boolean): string {
  if (value || isUnfillable(error)) return 'No route can fill these amounts.'
  return isAsked && error === undefined ? '…' : 'No data.'
}

type ChartProps = {
  readonly value: OutputCurve
  readonly order: Sale
  readonly src: PageToken
  readonly dst: PageToken
}

function Chart({ value, order, src, dst }: ChartProps) {
  const [element, width] = useWidth<HTMLDivElement>()
  const [chosen, setChosen] = useState<number>()
  const { points, unit } = pointsOf(value, { src, dst })
  const now = toFloat(order.amount, src.decimals)
  const { x, y, bottom } = scalesOf(points, width)
  const shown = points[chosen ?? points.findIndex((point) => point.x >= now)] ?? points.at(-1)!
  const ours = line<Point>(
    ({ x: at }) => x(at),
    ({ ours: out }) => y(out),
  ).curve(curveMonotoneX)
  const single = line<Point>(
    ({ x: at }) => x(at),
    ({ single: out }) => y(out ?? 0),
  )
    .defined((point) => point.single !== undefined)
    .curve(curveMonotoneX)
  const move = (event: PointerEvent) => {
    const left = element.current?.getBoundingClientRect().left ?? 0
    const at = x.invert(event.clientX - left)
    const distances = points.map((point) => Math.abs(point.x - at))
    setChosen(distances.indexOf(Math.min(...distances)))
  }
  return (
    <div
      class="chart"
      ref={element}
      onPointerMove={move}
      onPointerLeave={() => setChosen(undefined)}
    >
      <svg width={width} height={HEIGHT} role="img" aria-label={describe(points, unit, src)}>
        {labelled(y.ticks(4)).map(([tick, label]) => (
          <g class="tick" key={tick}>
            <line x1={MARGIN.left} x2={width - MARGIN.right} y1={y(tick)} y2={y(tick)} />
            <text x={MARGIN.left - 8} y={y(tick)} text-anchor="end" dominant-baseline="central">
              {label}
            </text>
          </g>
        ))}
        {labelled(x.ticks(Math.max(2, Math.floor(width / 90)))).map(([tick, label]) => (
          <text class="tick" key={tick} x={x(tick)} y={HEIGHT - 6} text-anchor="middle">
            {label}
          </text>
        ))}
        <path class="curve-single" d={single(points) ?? ''} />
        <path class="curve-ours" d={ours(points) ?? ''} />
        <line class="curve-now" x1={x(shown.x)} x2={x(shown.x)} y1={MARGIN.top} y2={bottom} />
        {shown.single !== undefined && (
          <circle class="dot-single" cx={x(shown.x)} cy={y(shown.single)} r="4" />
        )}
        <circle class="dot-ours" cx={x(shown.x)} cy={y(shown.ours)} r="4.5" />
      </svg>
      <p class="chart-words">
        <span class="soft">
          For {exact(shown.x)} {src.symbol}
        </span>
        <span>
          <i class="key-ours" /> Braid <b>{exact(shown.ours)}</b> {unit}
        </span>
        <span>
          <i class="key-single" /> best single pool{' '}
          <b>{shown.single === undefined ? 'cannot fill it' : exact(shown.single)}</b>
        </span>
      </p>
      {value.hasEnd && (
        <p class="soft fine">The curve ends because no route can fill the next larger amount.</p>
      )}
    </div>
  )
}

function pointsOf(
  { points }: OutputCurve,
  { src, dst }: Pick<ChartProps, 'src' | 'dst'>,
): { readonly points: readonly Point[]; readonly unit: string } {
  const rates = points.map(({ amount, out, single }): Point => {
    const x = toFloat(amount, src.decimals)
    const rate = (wei: bigint) => toFloat(wei, dst.decimals) / x
    return { x, ours: rate(out), single: single === undefined ? undefined : rate(single) }
  })
  if (!rates.some(({ ours }) => isTiny(ours))) {
    return { points: rates, unit: `${dst.symbol} per ${src.symbol}` }
  }
  const prices = rates.map(({ x, ours, single }) => ({
    ...{ x, ours: 1 / ours, single: single === undefined ? undefined : 1 / single },
  }))
  return { points: prices, unit: `${src.symbol} per ${dst.symbol}` }
}

function scalesOf(points: readonly Point[], width: number) {
  const bottom = HEIGHT - MARGIN.bottom
  const outs = points.flatMap(({ ours, single }) =>
    single === undefined ? [ours] : [ours, single],
  )
  const [low, high] = [Math.min(...outs), Math.max(...outs)]
  const air = (high - low) * 0.08 || high * 0.001
  return {
    bottom,
    x: scaleLinear([points[0]?.x ?? 0, points.at(-1)?.x ?? 1], [MARGIN.left, width - MARGIN.right]),
    y: scaleLinear([Math.max(0, low - air), high + air], [bottom, MARGIN.top]).nice(4),
  }
}

/** The ticks of an axis with compact labels, in as many digits as tell them apart. */
function labelled(ticks: readonly number[]): readonly (readonly [number, string])[] {
  const [first = 0, second = 2 * first || 1] = ticks
  const place = (value: number) => Math.floor(Math.log10(Math.abs(value) || 1))
  const digits = place(Math.max(...ticks)) - place(second - first) + 1
  const format = new Intl.NumberFormat('en-US', {
    ...{ notation: 'compact', maximumSignificantDigits: Math.min(Math.max(4, digits), 9) },
  })
  return ticks.map((tick) => [tick, format.format(tick)] as const)
}
const exact = (value: number) => value.toLocaleString('en-US', { maximumSignificantDigits: 6 })

function describe(points: readonly Point[], unit: string, src: PageToken): string {
  const values = points.map(({ x, ours }) => `${exact(x)} ${src.symbol}: ${exact(ours)}`)
  return `In ${unit}: ${values.join('; ')}`
}
