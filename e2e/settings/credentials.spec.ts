import { credentialsText } from '@/components/credentials/messages'
import { acceptOffer } from '@/scripts/wallet/accept-offer'
import { openHolder } from '@/scripts/wallet/holder'
import { statusOfMandate } from '@/test/support/actors'
import { expectNoViolations } from '../support/accessible'
import { expect, test } from '../support/fixtures'
import { holdPasskey, waysToConfirm } from '../support/passkey-holder'
import { countLoads, shown, visit } from '../support/portal'

const PATH = '/settings/credentials'
const { add, offer, issued, revoke, kinds } = credentialsText
const NAME = kinds.service_mandate.name
/** Several looks at all rules of accessibility, by light and by dark. */
const PATIENCE_MS = 120_000

for (const { way, tag } of waysToConfirm) {
  test(`a credential is offered, fetched by a wallet and revoked, confirmed by ${way}`, { tag }, async ({
    page,
    person,
    home,
  }) => {
    test.setTimeout(PATIENCE_MS)
    expect(person.email).not.toBe('')
    if (way === 'a passkey') await holdPasskey(page)
    await visit(page, PATH)
    await expect(shown(page, issued.empty.title)).toBeVisible()
    await expectNoViolations(page, 'no credentials')
    const loads = countLoads(page)
    await page.getByRole('button', { name: add.button }).click()

    const link = page.getByRole('link', { name: offer.button })
    await expect(link).toHaveAttribute('href', /^openid-credential-offer:/)
    await expect(page.getByRole('heading', { name: offer.title })).toBeFocused()
    await expect(shown(page, offer.statuses.open)).toBeVisible()
    const isWide = (page.viewportSize()?.width ?? 0) >= 640
    if (isWide) await expect(page.getByRole('img', { name: offer.qr })).toBeVisible()
    const code = page.locator('code').filter({ hasText: /^\d{6}$/ })
    await expect(code).toBeVisible()
    await expectNoViolations(page, 'an open offer')

    const holder = await openHolder(home)
    const credential = await test.step('a wallet fetches it', async () =>
      acceptOffer(holder, (await link.getAttribute('href')) ?? '', (await code.textContent()) ?? ''))
    const rows = page.getByRole('list', { name: issued.title }).getByRole('listitem')
    await expect(shown(page, offer.added.body)).toBeVisible()
    await expect(rows).toHaveCount(1)
    await expect(rows).toContainText(NAME)
    await expect(rows).toContainText(issued.statuses.active)
    expect(await statusOfMandate(credential)).toBe(0)
    await page.getByRole('button', { name: offer.added.close }).click()
    await expect(page.getByRole('button', { name: add.button })).toBeFocused()

    await rows.getByRole('button', { name: revoke.button }).click()
    const dialog = page.getByRole('alertdialog', { name: revoke.title(NAME) })
    await expectNoViolations(page, 'revoking a credential')
    await dialog.getByRole('button', { name: revoke.confirm }).click()
    await expect(dialog).toBeHidden()
    await expect(shown(page, revoke.done(NAME))).toBeVisible()
    await expect(rows).toContainText(issued.statuses.revoked)
    expect(await statusOfMandate(credential)).toBe(1)
    expect(loads(), 'the page was loaded once').toBe(0)
  })
}

test('an offer that is cancelled gives nothing, and fits a narrow phone', async ({ page, person, home }) => {
  expect(person.email).not.toBe('')
  await page.setViewportSize({ width: 320, height: 740 })
  await visit(page, PATH)
  await page.getByRole('button', { name: add.button }).click()
  const href = await page.getByRole('link', { name: offer.button }).getAttribute('href')
  const code = await page
    .locator('code')
    .filter({ hasText: /^\d{6}$/ })
    .textContent()
  await expect(page.getByRole('img', { name: offer.qr })).toBeHidden()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await page.getByRole('button', { name: offer.cancel }).click()
  await expect(shown(page, offer.ended.title)).toBeVisible()
  await expect(acceptOffer(await openHolder(home), href ?? '', code ?? '')).rejects.toThrow('invalid_grant')
  await page.getByRole('button', { name: offer.another }).click()
  await expect(page.getByRole('button', { name: add.button })).toBeVisible()
  await expect(shown(page, issued.empty.title)).toBeVisible()
})
