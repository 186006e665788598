import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const RULES = {
  light: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  // What the colours decide; nothing else changes with the scheme.
  dark: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
} as const
type Scheme = keyof typeof RULES
const SCHEMES: readonly Scheme[] = ['light', 'dark']

/** Judges what the page shows now, by light and by dark. Frames of another origin, such as a card form's, are not ours. */
export async function expectNoViolations(page: Page, where: string): Promise<void> {
  for (const colorScheme of SCHEMES) {
    // Without motion: colours on their way from one to the other would be measured as they are.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.waitForFunction(isDrawnIn, colorScheme)
    const { type, values } = RULES[colorScheme]
    const options = { runOnly: { type, values: [...values] }, resultTypes: ['violations' as const] }
    // In one piece, in the page itself: else each look opens a page more.
    const { violations } = await new AxeBuilder({ page }).options(options).setLegacyMode().analyze()
    const found = violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
    }))
    expect.soft(found, `${where}, ${colorScheme}`).toEqual([])
  }
}

/**
 * Whether the page has been drawn in the given scheme, which the browser hands to the styles a moment after it was asked to,
 * and nothing fades any more.
 */
function isDrawnIn(scheme: Scheme): Promise<boolean> | false {
  if (!window.matchMedia(`(prefers-color-scheme: ${scheme})`).matches) return false
  const isDrawn = new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  return isDrawn.then(async () => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(ending.map(({ finished }) => finished))
    return true
  })
}
