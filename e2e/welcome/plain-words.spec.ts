import { expect, test } from '../support/fixtures'
import { newcomer } from '../support/newcomer'
import { visit } from '../support/portal'
import { signIn } from '../support/sign-in'

/** Words that belong to developers, in any case of letters. */
const DEVELOPERS = /\btokens?\b|\bCLI\b|\bnpx\b|\bnpm\b|\bOAuth\b|\bJSON\b/i

for (const locale of ['en', 'de']) {
  test(`no step speaks of what developers know before a host is chosen (${locale})`, { tag: '@phone' }, async ({
    page,
    target,
  }) => {
    const { email } = await newcomer(target)
    await signIn(page, target, email)
    await page.context().addCookies([{ name: 'locale', value: locale, url: target.baseUrl }])
    for (const step of ['1', '2', '3', '4', 'done']) {
      await visit(page, `/welcome?step=${step}`)
      await expect(page.getByRole('main')).not.toContainText(DEVELOPERS)
    }
  })
}

test('no step needs scrolling sideways at 320 px', { tag: ['@phone', '@long'] }, async ({ page, target }) => {
  const { email } = await newcomer(target)
  await signIn(page, target, email)
  await page.setViewportSize({ width: 320, height: 640 })
  for (const locale of ['en', 'en-XA']) {
    await page.context().addCookies([{ name: 'locale', value: locale, url: target.baseUrl }])
    for (const step of ['1', '2', '3', '4', '4&host=codex', 'done']) {
      await visit(page, `/welcome?step=${step}`)
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect.soft(beyond, `${locale}, step ${step}`).toBe(0)
    }
  }
})
