import type { Page } from '@playwright/test'

interface Fit {
  /** How many pixels the page is wider than the screen. */
  readonly beyond: number
  /** The elements that are cut off without a sign of it. */
  readonly clipped: readonly string[]
  /** The elements that are cut off with an ellipsis. */
  readonly shortened: readonly string[]
}

/** Returns what does not fit on the page. Texts only for screen readers, and fields, are left out. */
export function measureFit(page: Page): Promise<Fit> {
  return page.evaluate(() => {
    const long = Array.from(document.querySelectorAll<HTMLElement>('body *:not(input, select, textarea)')).filter(
      (element) => {
        const { overflowX } = getComputedStyle(element)
        const hides = overflowX === 'hidden' || overflowX === 'clip'
        const isSeen = element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
        const forEars = element.clientWidth <= 1
        return hides && isSeen && !forEars && element.scrollWidth > element.clientWidth + 1
      },
    )
    const isMarked = (element: HTMLElement) => getComputedStyle(element).textOverflow === 'ellipsis'
    const read = (elements: readonly HTMLElement[]) => elements.map((element) => element.outerHTML.slice(0, 200))
    return {
      beyond: document.documentElement.scrollWidth - window.innerWidth,
      clipped: read(long.filter((element) => !isMarked(element))),
      shortened: read(long.filter(isMarked)),
    }
  })
}
