import { agentsText } from '@/components/agents/messages'
import { consentText } from '@/components/approvals/messages'
import { sessionText } from '@/components/layout/session-messages'
import { failureText } from '@/components/ui/failure-messages'
import { Agent, Person } from '@/test/support/actors'
import { expect, test } from '../support/fixtures'
import { approveButton, declineButton, outcome, shown, signOutEverywhere } from '../support/portal'
import { signIn } from '../support/sign-in'

const { over, idle } = sessionText
const NAME = 'Claude Code on ada-mbp'
/** Nobody has touched the page for so long when it warns. */
const IDLE_MS = 14 * 60_000 + 5_000

test('entered text outlives the session: the person goes on after signing in in another tab', async ({
  page,
  context,
  target,
  person,
}) => {
  await page.goto('/agents/new')
  const name = page.getByLabel(agentsText.new.name, { exact: true })
  await name.fill(NAME)
  const elsewhere = await context.newPage()
  await elsewhere.goto('/')
  await signOutEverywhere(elsewhere)
  await expect(elsewhere).toHaveURL(/\/sign-in/)
  await expect(shown(page, over.title)).toBeVisible()
  await expect(name).toHaveValue(NAME)

  await signIn(elsewhere, target, person.email)
  await expect(shown(page, over.title)).toBeHidden({ timeout: 45_000 })
  await expect(name).toHaveValue(NAME)
})

test('a page without entered text leaves when its session ends, and comes back', async ({
  page,
  context,
  target,
  person,
}) => {
  await page.goto('/limits')
  const elsewhere = await context.newPage()
  await elsewhere.goto('/')
  await signOutEverywhere(elsewhere)
  await expect(page).toHaveURL(/\/sign-in\?next=%2Flimits$/)
  await signIn(elsewhere, target, person.email)
})

test('an unused page asks whether the person is there before it signs them out', async ({ page, person }) => {
  expect(person.email).not.toBe('')
  await page.clock.install()
  await page.goto('/')
  await expect(shown(page, idle.title)).toBeHidden()
  await page.clock.fastForward(IDLE_MS)
  await expect(shown(page, idle.title)).toBeVisible()
  await page.getByRole('button', { name: idle.stay }).click()
  await page.clock.runFor(2_000)
  await expect(shown(page, idle.title)).toBeHidden()
})

test.describe('without a network', () => {
  test.use({ personOptions: { card: 'success', approval_rule: 'every_purchase' } })

  test('a press on approve decides nothing, says so at once, and is not sent later', async ({
    page,
    context,
    target,
    person,
  }) => {
    const agent = await Agent.register(target, person.principalId)
    expect((await agent.push((await agent.purchase()).form)).status).toBe(201)
    const wallet = await Person.signIn(target, person.principalId)
    const [pending] = await wallet.pending()
    await page.goto(`/approve/${String(pending?.['authorization_id'])}`)
    await expect(approveButton(page, '€12.00')).toBeEnabled()
    await context.setOffline(true)
    await approveButton(page, '€12.00').click()
    await expect(page.getByRole('alert').filter({ hasText: failureText.offline })).toBeVisible()

    await context.setOffline(false)
    // What waited for the network would be sent before this.
    expect(await page.evaluate(async () => (await fetch('/readyz')).status)).toBe(200)
    expect(await wallet.pending()).toHaveLength(1)
    await declineButton(page).click()
    await expect(outcome(page, consentText.declined.heading)).toBeVisible()
    expect(await wallet.pending()).toHaveLength(0)
  })
})
