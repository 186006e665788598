import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const SCHEMES = ['light', 'dark'] as const

/** Judges what the page shows now, by light and by dark. */
export async function expectNoViolations(page: Page, where: string): Promise<void> {
  for (const colorScheme of SCHEMES) {
    // Without motion: colours on their way from one to the other would be measured as they are.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.waitForFunction(isDrawnIn, colorScheme)
    const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze()
    const found = violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
    }))
    expect.soft(found, `${where}, ${colorScheme}`).toEqual([])
  }
}

/** Whether the page has been drawn in the given scheme: the browser hands it to the styles a moment after it was asked to. */
function isDrawnIn(scheme: (typeof SCHEMES)[number]): Promise<boolean> | false {
  if (!window.matchMedia(`(prefers-color-scheme: ${scheme})`).matches) return false
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true))))
}
