import { consentText } from '@/components/approvals/messages'
import { Agent, Person } from '@/test/support/actors'
import { expect, test } from '../support/own-server'
import { approveButton, outcome, shown } from '../support/portal'
import { dropSession, openSession } from '../support/sign-in'

const { askAgain, decided, expired, list } = consentText
const PRICE = '€12.00'
/** A little longer than a request lives. */
const LONGER_MS = 16 * 60_000

test('a request that ran out can still be looked at, from its address and from the list', { tag: '@phone' }, async ({
  page,
  ownServer,
  target,
  person,
}) => {
  const agent = await Agent.register(target, person.principalId)
  expect((await agent.push((await agent.purchase()).form)).status).toBe(201)
  const [pending] = await (await Person.signIn(target, person.principalId)).pending()
  const address = `/approve/${String(pending?.['authorization_id'])}`
  await page.goto(address)
  await expect(approveButton(page, PRICE)).toBeVisible()

  await ownServer.moveClock(new Date(ownServer.clock.now().getTime() + LONGER_MS))
  // The session has ended meanwhile, as the page is not read in this time.
  await dropSession(page)
  await openSession(page, target, person.email)
  await page.goto(address)
  await expect(outcome(page, expired.title)).toBeVisible()
  await expect(shown(page, askAgain.purchase(PRICE, 'Tallow Books'))).toBeVisible()
  await expect(approveButton(page, PRICE)).toHaveCount(0)

  await page.goto('/approvals?tab=decided')
  const row = page.getByRole('list', { name: list.decided }).getByRole('link')
  await expect(row).toContainText(decided.expired)
  await row.click()
  await expect(page).toHaveURL(address)
  await expect(outcome(page, expired.title)).toBeVisible()
})
