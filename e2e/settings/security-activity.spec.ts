import { consentText } from '@/components/approvals/messages'
import { paymentText } from '@/components/payments/payment-messages'
import { securityActivityText } from '@/components/security/activity-messages'
import { securityText } from '@/components/security/messages'
import { Person } from '@/test/support/actors'
import { expectNoViolations } from '../support/accessible'
import { expect, test } from '../support/fixtures'
import { holdPasskey } from '../support/passkey-holder'
import { shown, visit } from '../support/portal'
import { orderBook } from '../support/shop'
import { openSession, readOutbox } from '../support/sign-in'

const PATH = '/settings/security/activity'
const { undo } = securityActivityText

test('a person sees a sign-in in another browser at once, and ends it there', { tag: '@phone' }, async ({
  page,
  browser,
  target,
  person,
}) => {
  await visit(page, PATH)
  const rows = page.getByRole('list', { name: securityActivityText.list }).getByRole('listitem')
  const signIns = rows.filter({ hasText: securityText.sessions.method.magic_link })
  await expect(signIns).toHaveCount(1)
  const elsewhere = await (await browser.newContext()).newPage()
  await openSession(elsewhere, target, person.email)
  await expect(signIns).toHaveCount(2)
  await signIns.getByRole('button', { name: securityText.sessions.end }).click()
  await expect(signIns.filter({ hasText: securityActivityText.ended })).toHaveCount(1)
  await elsewhere.goto(`${target.baseUrl}${PATH}`)
  await expect(elsewhere).toHaveURL(/\/sign-in/)
  await elsewhere.context().close()
})

test('a person undoes another mail address right where they see it', async ({ page, target, person }) => {
  await page.goto('/settings/security')
  const changed = await page.request.post('/api/trpc/notifications.changeEmail?batch=1', {
    data: { 0: { email: `new-${person.principalId.slice(-8)}@sandbox.test` } },
    headers: { 'sec-fetch-site': 'same-origin', origin: target.baseUrl },
  })
  expect(changed.ok()).toBe(true)
  await page.getByRole('link', { name: securityText.activity }).click()
  await page.getByRole('button', { name: undo.of.undo_email }).click()
  await expect(shown(page, undo.how.session)).toBeVisible()
  await expectNoViolations(page, 'the question before undoing')
  await page.getByRole('alertdialog').getByRole('button', { name: undo.button }).click()
  await expect(shown(page, undo.done)).toBeVisible()
  await expect(page.getByRole('button', { name: undo.of.undo_email })).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect
    .poll(async () => (await readOutbox(target, person.email)).map(({ subject }) => subject))
    .toContain('The change of your e-mail address was undone')
})

test('a first passkey is removed again by undoing it', { tag: ['@phone', '@long'] }, async ({ page, person }) => {
  expect(person.email).not.toBe('')
  await holdPasskey(page, 'Not mine')
  await visit(page, PATH)
  await page.getByRole('button', { name: undo.of.undo_passkey('Not mine') }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: undo.button }).click()
  await expect(shown(page, undo.done)).toBeVisible()
  await visit(page, '/settings/security')
  await expect(shown(page, securityText.passkeys.none.title)).toBeVisible()
})

test('an agent is revoked from the entry that connected it', async ({ page, agent, person }) => {
  expect([agent, person]).toHaveLength(2)
  await visit(page, PATH)
  const { revoke } = securityActivityText
  await page
    .getByRole('button', { name: new RegExp(`^${revoke.button} `) })
    .first()
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: revoke.confirm }).click()
  await expect(page.getByRole('button', { name: new RegExp(`^${revoke.button} `) })).toHaveCount(0)
  await expectNoViolations(page, 'the security activity')
})

test('a purchase that an app approved is never said to be approved by the person, wherever it is listed', async ({
  page,
  target,
  person,
  agent,
}) => {
  const { result } = agent.startPaying(await orderBook(agent))
  const app = await Person.signIn(target, person.principalId)
  await expect.poll(app.pending.bind(app)).toHaveLength(1)
  const [asked] = await app.pending()
  expect((await app.decide(asked?.['authorization_id'], 'approve')).status).toBe(200)
  expect((await result).data).toMatchObject({ status: 'paid' })
  const said = consentText.decided.approvedElsewhere
  for (const path of ['/approvals?tab=decided', '/payments', '/activity', PATH]) {
    await page.goto(path)
    if (path === '/payments') await page.getByRole('main').getByRole('link', { name: 'Tallow Books' }).click()
    const row = page.getByRole('listitem').filter({ hasText: said }).first()
    await expect(row).toBeVisible()
    await expect(row).not.toContainText(/by you|you gave access/)
    await expect(page.getByRole('main')).not.toContainText(paymentText.rule.approved)
  }
})
