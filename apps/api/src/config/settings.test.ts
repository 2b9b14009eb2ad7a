import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.js'
import { settingRows, settings } from './settings.js'
import { unknownSettings } from './unknownSettings.js'

const least = {
  BRAID_RPC_URLS: 'http://127.0.0.1:8545',
  BRAID_KEYS_FILE: 'keys.json',
  BRAID_ROUTER: `0x${'ab'.repeat(20)}`,
}

/** A Markdown table as Biome formats it. */
function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => row[at]!.length)))
  const line = (cells: readonly string[], fill: string) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at]!, fill)).join(' | ')} |`
  const [head, ...others] = rows
  return [line(head!, ' '), line(['', '', ''], '-'), ...others.map((row) => line(row, ' '))].join(
    '\n',
  )
}

describe('the table of settings', () => {
  it('is the table of the README', async () => {
    const file = fileURLToPath(new URL('../../README.md', import.meta.url))
    const table = tableOf([['variable', 'default', 'meaning'], ...settingRows()])
    const readme = await readFile(file, 'utf8')
    const place = /\| variable +\| default[^\n]*\n(\|[^\n]*\n)+/
    expect(readme).toMatch(place)
    await expect(readme.replace(place, () => `${table}\n`)).toMatchFileSnapshot(file)
  })

  it.each(
    settingRows().filter(([, byDefault]) =>
      /^(\d+(\.\d+){0,3}|true|false|all|info)$/.test(byDefault!),
    ),
  )('says the default of %s: %s', (name, byDefault) => {
    const variable = name!.replaceAll('`', '')
    expect(readConfig({ ...least, [variable]: byDefault! })).toEqual(readConfig(least))
  })

  it('has a wrong value for every setting but free texts, which the start refuses by name', () => {
    const free = Object.keys(settings).filter((name) => {
      try {
        readConfig({ ...least, [name]: '\u0000,://' })
        return true
      } catch (error) {
        expect(error).toMatchObject({ code: 'CONFIG_INVALID' })
        expect((error as Error).message).toContain(name)
        return false
      }
    })
    expect(free).toEqual([
      ...['BRAID_KEYS_FILE', 'BRAID_TOKEN_LIST', 'BRAID_STATE_DIR', 'BRAID_PAGE_KEY', 'HOST'],
    ])
  })
})

describe('an unknown variable', () => {
  it.each([
    ['BRAID_POL_MS', 'BRAID_POLL_MS'],
    ['BRAID_REDIS', 'BRAID_REDIS_URL'],
    ['BRAID_RPC_URL', 'BRAID_RPC_URLS'],
    ['BRAID_PROXY', 'BRAID_PROXIES'],
    ['BRAID_OPLL_MS', 'BRAID_POLL_MS'],
  ])('%s is named with the nearest known one', (name, nearest) => {
    const lines = unknownSettings({ ...least, [name]: '1' })
    expect(lines).toEqual([`${name} is not a setting; the nearest is ${nearest}`])
  })

  it('of another program is not ours, nor are those of Kubernetes for a service named braid', () => {
    const others = {
      PATH: '/',
      BRAID_SERVICE_HOST: '10.0.0.1',
      BRAID_PORT_80_TCP: 'tcp://10.0.0.1',
    }
    expect(unknownSettings({ ...least, ...others })).toEqual([])
  })
})
