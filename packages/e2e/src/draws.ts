// Scales the number of random draws. `npm test` draws a 25th of everything and `npm run test:all` a tenth, with fixed
// seeds; `pnpm e2e:full` draws all of it. The least counts that a test demands shrink with it.

/** Part of the full number of draws. `BRAID_E2E_SCALE`: 0.1 by default, 1 for the full run. */
const scale = Number(process.env['BRAID_E2E_SCALE'] ?? 0.1)

/** True in the full run of `pnpm e2e:full`. */
export const isFullRun = scale >= 1

/** True in `npm test`, which leaves to `npm run test:all` what few changes break. */
export const isShortRun = scale < 0.1

/** This run's part of a number of the full run, rounded up. */
export function scaled(full: number): number {
  return Math.ceil(full * scale)
}
