import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const RULES = {
  light: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  // The rules that depend on colours; nothing else changes with the scheme.
  dark: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
} as const
type Scheme = keyof typeof RULES
const SCHEMES: readonly Scheme[] = ['light', 'dark']

/** Checks the page as it is now, in light and dark. Frames of another origin, such as a card form's, are left out. */
export async function expectNoViolations(page: Page, where: string): Promise<void> {
  for (const colorScheme of SCHEMES) {
    // Without motion, since colours in a transition would be measured as they are.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.waitForFunction(isDrawnIn, colorScheme)
    const { type, values } = RULES[colorScheme]
    const options = { runOnly: { type, values: [...values] }, resultTypes: ['violations' as const] }
    // In legacy mode, within the page itself, since the other mode opens an extra page for each check.
    const { violations } = await new AxeBuilder({ page }).options(options).setLegacyMode().analyze()
    const found = violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
    }))
    expect.soft(found, `${where}, ${colorScheme}`).toEqual([])
  }
}

/**
 * Returns whether the page has been drawn in the given scheme, which the browser applies a moment later, and no
 * transition is running.
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
