import { consentText } from '@/components/approvals/messages'
import { consentTextDe } from '@/components/approvals/messages.de'
import { consentStatusText } from '@/components/approvals/status-messages'
import { Agent, must, Person } from '@/test/support/actors'
import { expectNoViolations } from '../support/accessible'
import { demandSignIn } from '../support/calls'
import { expect, test } from '../support/fixtures'
import { approveButton, outcome, shown } from '../support/portal'
import { signInAgainElsewhere } from '../support/sign-in'

test.use({ personOptions: { card: 'success', approval_rule: 'every_purchase' }, viewport: { width: 360, height: 740 } })

test('who signed in again to approve is at the top, and reads that nothing is approved yet', { tag: '@phone' }, async ({
  page,
  target,
  person,
}) => {
  const agent = await Agent.register(target, person.principalId)
  must(await agent.push((await agent.purchase()).form), 201)
  const [pending] = await (await Person.signIn(target, person.principalId)).pending()
  const address = `/approve/${String(pending?.['authorization_id'])}`
  await page.goto(address)
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  await demandSignIn(page)
  await approveButton(page, '€12.00').click()
  const elsewhere = await signInAgainElsewhere(page, target, {
    email: person.email,
    next: `${address}?from=sign-in`,
  })
  for (const tab of [elsewhere, page]) {
    await expect(tab).toHaveURL(`${address}?from=sign-in`)
    await expect(shown(tab, consentText.signedIn.payment)).toBeInViewport()
    expect(await tab.evaluate(() => window.scrollY)).toBe(0)
  }
  await expectNoViolations(page, 'signed in again to approve')
  await page.context().addCookies([{ name: 'locale', value: 'de', url: target.baseUrl }])
  await page.reload()
  await expect(shown(page, consentTextDe.signedIn.payment)).toBeVisible()

  await approveButton(elsewhere, '€12.00').click()
  await expect(outcome(elsewhere, consentStatusText.approved)).toBeFocused()
  await expect(shown(elsewhere, consentText.signedIn.payment)).toBeHidden()
})
