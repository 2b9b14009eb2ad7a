import { type ComponentChild, render } from 'preact'
import { act } from 'preact/test-utils'
import { onTestFinished, vi } from 'vitest'

/** Draws a part of the page until the end of the test; `draw` draws it again, as another state of it. */
export async function shown(node: ComponentChild) {
  const root = document.createElement('div')
  document.body.append(root)
  const draw = (next: ComponentChild) => act(async () => render(next, root))
  onTestFinished(async () => {
    await draw(null)
    root.remove()
  })
  await draw(node)
  return {
    root,
    draw,
    text: (selector: string) => root.querySelector(selector)?.textContent?.trim(),
    texts: (selector: string) =>
      [...root.querySelectorAll(selector)].map(({ textContent }) => textContent?.trim()),
  }
}

/** Lets time pass on the fake clock, and draws what it changed. */
export const pass = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))
