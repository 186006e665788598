import { limitsText } from '@/components/limits/messages'
import { magicLinkText } from '@/components/magic-link/messages'
import { Agent, REDIRECT_URI } from '@/test/support/actors'
import { expectNoViolations } from '../support/accessible'
import { expect, test } from '../support/fixtures'
import { readOutbox } from '../support/sign-in'

test.use({ personOptions: { card: 'success', approval_rule: 'above_limits' } })

test('a person who confirms by mail confirms on a page before the agent gets its code', async ({
  page,
  target,
  person,
}) => {
  await page.goto('/limits')
  const gate = page.getByRole('checkbox', { name: limitsText.gate.label })
  await gate.click()
  await expect(gate).toBeChecked()

  const agent = await Agent.register(target, person.principalId)
  const pushed = await agent.push((await agent.purchase()).form)
  expect((await agent.authorize(pushed.json.request_uri)).status).toBe(202)
  const mail = (await readOutbox(target, person.email)).find(({ subject }) => subject?.startsWith('Confirm:'))
  const link = mail?.links[0] ?? ''

  await page.goto(link)
  await expect(page.getByRole('heading', { name: magicLinkText.payment.title('€12.00') })).toBeVisible()
  await expectNoViolations(page, 'a mailed link')
  await page.reload()
  // Nobody listens at the agent's address.
  const sent = page.waitForEvent('requestfailed', (request) => request.url().startsWith(`${REDIRECT_URI}?`))
  await page.getByRole('button', { name: magicLinkText.submit }).click()
  expect(new URL((await sent).url()).searchParams.get('code')).toBeTruthy()

  await page.goto(link)
  await expect(page.getByRole('heading', { name: magicLinkText.used.title })).toBeVisible()
  await page.goto('/magic-link?token=unknown')
  await expect(page.getByRole('heading', { name: magicLinkText.gone.title })).toBeVisible()
  await expect(page.getByRole('link', { name: magicLinkText.gone.approvals })).toHaveAttribute('href', '/approvals')
})
