// Measures the layout of the page in a browser, because only a browser lays it out.

import type { Page } from 'playwright-core'

/** Sets the width and waits until the pictures are drawn for it. */
export async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 844 })
  await page.waitForFunction(() => {
    const [room, svg] = [document.querySelector('.picture'), document.querySelector('.picture svg')]
    return room === null || svg?.getAttribute('width') === `${room.clientWidth}`
  })
}

/** Elements that stick out of the page, or of a card that does not scroll. */
export function tooWide(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      (element.matches('.scroll, pre, svg, dialog') || scrolls(element.parentElement))
    return [...document.querySelectorAll('body *')]
      .filter((element) => !scrolls(element.parentElement) && !element.matches('.unseen'))
      .filter((element) => {
        const { right, left, width } = element.getBoundingClientRect()
        return width > 0 && (right > innerWidth + 0.5 || left < -0.5)
      })
      .map((element) => element.outerHTML.slice(0, 120))
  })
}
