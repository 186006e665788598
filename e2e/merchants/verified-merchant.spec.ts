import { merchantsText } from '@/components/merchants/messages'
import { verificationText } from '@/components/merchants/verification-messages'
import { markOf, newEnrolledMerchant, newVouched } from '@/test/federation/vouched'
import { Agent, exchange, type Target } from '@/test/support/actors'
import { expectNoViolations } from '../support/accessible'
import { CHECKED_WITHIN_MS, expect, test } from '../support/federation'
import { shown } from '../support/portal'

const { directory } = merchantsText

const isListed = async ({ baseUrl }: Target, id: string) => {
  const { json } = await exchange<{ merchants: { id: string }[] }>(`${baseUrl}/discovery/merchants?page_size=100`)
  return json.merchants.some((merchant) => merchant.id === id)
}

test('a merchant is verified through the federation until its mark is revoked, and its page says why', {
  tag: ['@desktop', '@long'],
}, async ({ page, target, person, federation }) => {
  test.slow()
  const entity = await newVouched(target, federation, { name: 'linden' })
  const { id, audience } = await newEnrolledMerchant(target, entity.id, { business_name: 'Linden Lamps' })
  await expect.poll(() => isListed(target, id), { timeout: CHECKED_WITHIN_MS }).toBe(true)
  await page.goto('/merchants')
  await page.getByLabel(directory.label).fill('Linden')
  const found = page.getByRole('list', { name: directory.results, exact: true }).getByRole('listitem')
  await expect(found).toContainText(directory.verified)
  await found.getByRole('link', { name: 'Linden Lamps' }).click()
  await expect(page).toHaveURL(`/merchants/${id}`)
  await expect(shown(page, verificationText.byFederation)).toBeVisible()
  await expectNoViolations(page, 'verified merchant')

  const mark = new URLSearchParams({ sub: entity.id, trust_mark_id: markOf(target) })
  const headers = { authorization: `Bearer ${target.operatorToken}` }
  await exchange(`${target.baseUrl}/federation/trust-mark/revoke?${mark}`, { method: 'POST', headers })
  await page.reload()
  await expect(shown(page, verificationText.reasons.mark_revoked)).toBeVisible()
  await expect(shown(page, verificationText.notVerified, { exact: true })).toBeVisible()
  expect(await isListed(target, id)).toBe(false)
  const agent = await Agent.register(target, person.principalId)
  const refused = await agent.push((await agent.purchase({ merchant: audience })).form)
  expect([refused.status, refused.json]).toEqual([400, expect.objectContaining({ error: 'invalid_target' })])
})
