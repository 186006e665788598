import { decisionText } from '@/components/approvals/decision-messages'
import { decisionTextDe } from '@/components/approvals/decision-messages.de'
import { consentText } from '@/components/approvals/messages'
import { consentTextDe } from '@/components/approvals/messages.de'
import { consentStatusText } from '@/components/approvals/status-messages'
import { staleText } from '@/components/layout/stale-messages'
import { Agent, must, Person, type Target } from '@/test/support/actors'
import { untilQuiet } from '../support/browser-measures'
import { expect, type TestPerson, test } from '../support/fixtures'
import { loseLaterScripts, SCRIPTS } from '../support/lost-scripts'
import { approveButton, declineButton, outcome } from '../support/portal'

const PRICE = '€12.00'

test.use({ personOptions: { card: 'success', approval_rule: 'every_purchase' } })

/** Has an agent ask for a purchase; returns the address that decides it. */
async function waitingRequest(target: Target, { principalId }: TestPerson): Promise<string> {
  const agent = await Agent.register(target, principalId)
  must(await agent.push((await agent.purchase({ amount_minor: 1_200 })).form), 201)
  const [pending] = await (await Person.signIn(target, principalId)).pending()
  return `/approve/${String(pending?.['authorization_id'])}`
}

for (const [locale, decision, consent] of [
  ['en', decisionText, consentText],
  ['de', decisionTextDe, consentTextDe],
] as const) {
  test(`a request is answered although no script can be fetched any more (${locale})`, {
    tag: ['@phone', '@long'],
  }, async ({ page, target, person }) => {
    const address = await waitingRequest(target, person)
    await page.context().addCookies([{ name: 'locale', value: locale, url: target.baseUrl }])
    await page.goto(address)
    await untilQuiet(page)
    await page.route(SCRIPTS, (route) => route.abort('connectionfailed'))
    await page.getByRole('button', { name: decision.unexpected }).click()
    await expect(page.getByRole('button', { name: decision.precautions.pause })).toBeVisible()
    await page.getByRole('button', { name: decision.decline }).click()
    await expect(outcome(page, consent.declined.heading)).toBeFocused()
    await expect(page.getByRole('button', { name: decision.precautions.pause })).toBeVisible()
  })
}

test('a page whose later scripts are gone stays, tells the answer, and offers to reload', {
  tag: ['@phone', '@long'],
}, async ({ page, target, person }) => {
  const address = await waitingRequest(target, person)
  await loseLaterScripts(page, address)
  await page.goto(address)
  await page.getByRole('button', { name: decisionText.unexpected }).click()
  const notice = page.getByRole('alert').filter({ hasText: staleText.stale })
  await expect(notice).toBeVisible()
  await expect(declineButton(page)).toBeVisible()
  await approveButton(page, PRICE).click()
  await expect(outcome(page, consentStatusText.approved)).toBeFocused()
  await expect(notice).toBeVisible()
  await page.unrouteAll()
  await notice.getByRole('button', { name: staleText.reload }).click()
  await expect(outcome(page, new RegExp(`^${consentText.already.approved} `))).toBeVisible()
})
