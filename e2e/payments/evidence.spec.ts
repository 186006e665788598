import { readFile, writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { layoutText } from '@/components/layout/messages'
import { paymentText } from '@/components/payments/payment-messages'
import { verifyText } from '@/components/verify/messages'
import { Agent } from '@/test/support/actors'
import { expectNoViolations } from '../support/accessible'
import { expect, test } from '../support/fixtures'

test.use({ personOptions: { card: 'success', approval_rule: 'above_limits' } })

/** The address of the portal's live stream. */
const STREAM = '/api/trpc/session.changes'

const filePart = (page: Page) => page.getByLabel(verifyText.file)
const verdict = (page: Page, title: string) => page.getByRole('status').filter({ hasText: title })

test('the evidence of a payment is downloaded, and proven with pasted keys in a browser that sends nothing', async ({
  page,
  target,
  person,
  browser,
}, testInfo) => {
  const agent = await Agent.register(target, person.principalId)
  const { access_token: token, mandate_jwt: mandate } = await agent.buy()
  const settled = await agent.settle<{ payment_intent_id: string }>(token, mandate, crypto.randomUUID())
  await page.goto(`/payments/${settled.json.payment_intent_id}`)
  const link = page.getByRole('link', { name: paymentText.evidence.get })
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(file.suggestedFilename()).toMatch(/^evidence-\d{4}-\d\d-\d\d\.json$/)
  const text = await readFile(await file.path(), 'utf8')

  const keys = await fetch(`${target.baseUrl}/oauth/jwks.json`).then((answer) => answer.text())
  const stranger = await browser.newContext({ baseURL: target.baseUrl })
  const elsewhere = await stranger.newPage()
  await elsewhere.goto('/verify')
  await expect(filePart(elsewhere)).toBeEnabled()
  await elsewhere.waitForLoadState('networkidle')
  const requests: string[] = []
  elsewhere.on('request', (request) => requests.push(request.url()))
  await stranger.setOffline(true)

  const whole = testInfo.outputPath('evidence.json')
  await writeFile(whole, text)
  await filePart(elsewhere).setInputFiles(whole)
  await expect(verdict(elsewhere, verifyText.verdict.consistent)).toContainText('the card was charged once')
  await expectNoViolations(elsewhere, 'evidence that holds')

  await elsewhere.getByLabel(verifyText.keys).fill(keys)
  await elsewhere.getByLabel(verifyText.paste).fill(text)
  await elsewhere.getByRole('button', { name: verifyText.submit }).click()
  await expect(verdict(elsewhere, verifyText.verdict.proven)).toContainText('keys relied on are those that you gave')
  await expectNoViolations(elsewhere, 'evidence that is proven')

  await elsewhere.getByLabel(verifyText.paste).fill(text.replace('"amount_minor": 1200', '"amount_minor": 1201'))
  await elsewhere.getByRole('button', { name: verifyText.submit }).click()
  await expect(verdict(elsewhere, verifyText.verdict.wrong)).toBeVisible()
  await expect(elsewhere.getByText('The member "payment" is not as the server sealed it')).toBeVisible()

  await elsewhere.getByLabel(verifyText.paste).fill('no evidence')
  await elsewhere.getByRole('button', { name: verifyText.submit }).click()
  await expect(elsewhere.getByRole('alert').filter({ hasText: verifyText.unreadable })).toBeVisible()
  expect(requests).toEqual([])
  await stranger.close()
})

test('a signed-in person checks a file within the wallet, and the page opens no live stream', async ({
  page,
  person,
}) => {
  expect(person.email).not.toBe('')
  const streams: string[] = []
  page.on('request', (request) => {
    if (request.url().includes(STREAM)) streams.push(new URL(page.url()).pathname)
  })
  await page.goto('/verify')
  await expect(page.getByRole('button', { name: layoutText.freeze })).toBeVisible()
  await expect(filePart(page)).toBeEnabled()
  await page.waitForLoadState('networkidle')
  await page.getByLabel(verifyText.paste).fill('no evidence')
  await page.getByRole('button', { name: verifyText.submit }).click()
  await expect(page.getByRole('alert').filter({ hasText: verifyText.unreadable })).toBeVisible()
  expect(streams).toEqual([])
  await page.goto('/')
  await expect.poll(() => streams).toEqual(['/'])
})
