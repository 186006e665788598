import playwrightConfig from '@/playwright.config'
import { measureFit } from '../support/fit'
import { expect, test } from '../support/fixtures'
import { visit } from '../support/portal'
import { openUsedWallet } from '../support/used-wallet'

/** A look at every page takes its time. */
const PATIENCE_MS = 240_000
const launch = playwrightConfig.use?.launchOptions

// What a reader sets as "very large text": twice what pages have by default.
test.use({ launchOptions: { ...launch, args: [...(launch?.args ?? []), '--blink-settings=defaultFontSize=32'] } })

for (const { locale, colorScheme, tag } of [
  { locale: 'en', colorScheme: 'light', tag: ['@long', '@phone'] },
  { locale: 'de', colorScheme: 'dark', tag: ['@long'] },
] as const) {
  test.describe(`on a ${colorScheme} screen`, () => {
    test.use({ colorScheme })

    test(`nothing is cut off when text is twice as large (${locale})`, { tag: [...tag] }, async ({ page, target }) => {
      test.setTimeout(PATIENCE_MS)
      const paths = await openUsedWallet(page, target)
      await page.context().addCookies([{ name: 'locale', value: locale, url: target.baseUrl }])
      for (const path of paths) {
        await visit(page, path)
        expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px')
        expect.soft(await measureFit(page), path).toEqual({ beyond: 0, clipped: [], shortened: [] })
      }
    })
  })
}
