/**
 * Runs Foundry's own binary for this platform with the arguments given, in this package.
 * `FOUNDRY_PROFILE` chooses the profile; `ci` if it is not set.
 */
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const ARCH = { x64: 'amd64', arm64: 'arm64' }
const platform = `${process.platform}-${ARCH[process.arch] ?? process.arch}`
const exe = process.platform === 'win32' ? 'forge.exe' : 'forge'

/** Resolved from `@foundry-rs/forge`, because pnpm exposes its optional dependency only there. */
function findForge() {
  const require = createRequire(import.meta.url)
  const fromForge = createRequire(require.resolve('@foundry-rs/forge/package.json'))
  try {
    return fromForge.resolve(`@foundry-rs/forge-${platform}/bin/${exe}`)
  } catch (cause) {
    throw new Error(`@foundry-rs/forge has no binary for ${platform}`, { cause })
  }
}

const { status } = spawnSync(findForge(), process.argv.slice(2), {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  env: { FOUNDRY_PROFILE: 'ci', FOUNDRY_DISABLE_NIGHTLY_WARNING: '1', ...process.env },
  stdio: 'inherit',
})
process.exitCode = status ?? 1
