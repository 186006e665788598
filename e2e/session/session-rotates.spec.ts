import type { BrowserContext } from '@playwright/test'
import { merchantsText } from '@/components/merchants/messages'
import { securityText } from '@/components/security/messages'
import { Agent } from '@/test/support/actors'
import { expect, test } from '../support/fixtures'
import { holdPasskey } from '../support/passkey-holder'
import { countLoads, reviewLink, shown } from '../support/portal'

test.use({ personOptions: { card: 'success', approval_rule: 'every_purchase' } })

const sessionCookie = async (context: BrowserContext) => {
  const cookie = (await context.cookies()).find(({ name }) => name.endsWith('countersign.session'))
  return { name: cookie?.name ?? '', value: cookie?.value ?? '' }
}

test('a person who adds a passkey works on in every open tab, with a new cookie', { tag: ['@phone', '@long'] }, async ({
  page,
  context,
  person,
  target,
}) => {
  const agent = await Agent.register(target, person.principalId)
  const ask = async (amount: number) => {
    const { form } = await agent.purchase({ amount_minor: amount })
    expect((await agent.push(form)).status).toBe(201)
  }
  const tab = await context.newPage()
  await tab.goto('/approvals')
  await ask(1_200)
  await expect(reviewLink(tab, '€12.00')).toBeVisible()
  const loads = countLoads(tab)
  const before = await sessionCookie(context)

  await holdPasskey(page)
  const after = await sessionCookie(context)
  expect(after.name).toBe(before.name)
  expect(after.value).not.toBe(before.value)
  await ask(1_300)
  await expect(reviewLink(tab, '€13.00')).toBeVisible()

  await page.goto('/settings/security')
  const choice = page.getByRole('checkbox', { name: securityText.required.label })
  await choice.click()
  await expect(choice).toBeChecked()
  expect((await sessionCookie(context)).value).not.toBe(after.value)
  await ask(1_400)
  await expect(reviewLink(tab, '€14.00')).toBeVisible()
  expect(loads()).toBe(0)
  await tab.goto('/merchants')
  await expect(shown(tab, merchantsText.noneBlocked)).toBeVisible()

  // What the first cookie was copied for is over: two others have taken its place.
  const thief = await context.browser()?.newContext()
  await thief?.addCookies([{ ...before, url: page.url() }])
  const answer = await thief?.request.get(new URL('/api/trpc/session.me', page.url()).href)
  expect(answer?.status()).toBe(401)
  await thief?.close()
})
