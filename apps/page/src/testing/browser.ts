import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PLACES = [
  process.env['BRAID_CHROMIUM'],
  // The engine without windows takes two thirds of the time of the whole browser.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  chromium.executablePath(),
]

/** A Chromium on this machine; BRAID_CHROMIUM names another. Nothing is downloaded. */
export const chromiumPath = PLACES.find((path) => path && existsSync(path))

/** Why tests in a browser are skipped, to end their name. */
export const withoutBrowser = chromiumPath
  ? ''
  : ' (skipped: no Chromium here; BRAID_CHROMIUM can name one)'

/** Starts Chromium without a window and without background requests such as updates. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath ?? '',
    args: [
      // Chromium refuses to run its sandbox as root, the usual user in a container.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
      ...['--disable-background-networking', '--disable-component-update'],
    ],
  })
}
