import { activityText } from '@/components/activity/messages'
import { paymentsText } from '@/components/payments/messages'
import { paymentText } from '@/components/payments/payment-messages'
import { uiText } from '@/components/ui/messages'
import { Agent } from '@/test/support/actors'
import { expectNoViolations } from '../support/accessible'
import { expect, test } from '../support/fixtures'
import { shown } from '../support/portal'

test.use({ personOptions: { card: 'success', approval_rule: 'above_limits' } })

const cursorOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

const unreadable = [
  '/payments?cursor=nonsense',
  `/payments?cursor=${cursorOf({ some: 'thing' })}`,
  `/payments?cursor=${cursorOf(['0000-01-01T00:00:00.000Z', 'pi_1'])}`,
  '/payments?cursor=a&cursor=b',
  '/payments?from=2026-02-31',
  '/payments?to=0000-01-01',
  '/payments?from=yesterday&to=tomorrow',
  '/payments?status=lost',
  '/payments?agent=nobody',
  '/payments?agent=%00',
  '/payments?merchant=tallow',
  '/payments?q=%00',
  '/payments?merchant=%FF%FE',
  '/activity?before=nonsense',
  '/activity?before=-1',
  '/activity?before=99999999999999999999',
  '/activity?event=nonsense',
  '/activity?agent=nobody',
  '/activity?agent=%00',
] as const

test('a link with an unreadable filter shows the whole list, says so, and leads on', { tag: '@long' }, async ({
  page,
  target,
  person,
}) => {
  const agent = await Agent.register(target, person.principalId)
  const { access_token: token, mandate_jwt: mandate } = await agent.buy()
  expect((await agent.settle(token, mandate, crypto.randomUUID())).status).toBe(200)
  for (const address of unreadable) {
    await test.step(address, async () => {
      const answer = await page.goto(address)
      expect(answer?.status()).toBe(200)
      await expect(shown(page, uiText.unreadLink.title)).toBeVisible()
      const name = address.startsWith('/payments') ? paymentsText.title : activityText.title
      await expect(page.getByRole('list', { name }).getByRole('listitem').first()).toContainText('Tallow Books')
    })
  }
  await page.goto(unreadable[0])
  await expectNoViolations(page, 'a link that cannot be read')
  await page.getByRole('link', { name: uiText.unreadLink.action }).click()
  await expect(page).toHaveURL(/\/payments$/)
  await expect(shown(page, uiText.unreadLink.title)).toBeHidden()
})

test('a merchant is filtered by its whole address, however it is spelled', async ({ page, target, person }) => {
  const agent = await Agent.register(target, person.principalId)
  const payAt = async (shop: string) => {
    const merchant = `${target.baseUrl}/sandbox/merchants/${shop}`
    const { access_token: token, mandate_jwt: mandate } = await agent.buy({ merchant })
    const settled = await agent.settle<{ payment_intent_id: string }>(token, mandate, crypto.randomUUID())
    expect(settled.status, settled.text).toBe(200)
    return settled.json.payment_intent_id
  }
  const id = await payAt('tallow-books')
  await payAt('kumo-supplies')
  const rows = page.getByRole('list', { name: paymentsText.title }).getByRole('listitem')
  await page.goto('/payments')
  await expect(rows).toHaveCount(2)
  await page.goto(`/payments/${id}`)
  await page.getByRole('link', { name: paymentText.others }).click()
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('Tallow Books')
  await page.goto(
    `/payments?merchant=${encodeURIComponent(`${target.baseUrl.toUpperCase()}/sandbox/merchants/tallow-books`)}`,
  )
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('Tallow Books')
  await expect(shown(page, uiText.unreadLink.title)).toBeHidden()
})
