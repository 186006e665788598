import type { Page } from '@playwright/test'
import { layoutText } from '@/components/layout/messages'
import { Agent, newPrincipal, Person } from '@/test/support/actors'
import { expect, test } from '../support/fixtures'

async function visit(page: Page, path: string) {
  const answer = await page.goto(path)
  await expect(page.getByRole('heading', { level: 1, name: layoutText.notFound.title })).toBeVisible()
  return { status: answer?.status(), title: await page.title(), text: await page.getByRole('main').innerText() }
}

test("another person's request is answered like an unknown one", async ({ page, target, person }) => {
  const other = await newPrincipal(target)
  expect(other.email).not.toBe(person.email)
  const agent = await Agent.register(target, other.principalId)
  const { form } = await agent.purchase()
  expect((await agent.push(form)).status).toBe(201)
  const [pending] = await (await Person.signIn(target, other.principalId)).pending()

  const unknown = await visit(page, `/approve/${crypto.randomUUID()}`)
  expect(unknown.status).toBe(404)
  expect(await visit(page, `/approve/${String(pending?.['authorization_id'])}`)).toEqual(unknown)
  expect(await visit(page, '/approve/%E2%80%AE')).toEqual(unknown)
})

test("another person's agents and payments are answered like unknown ones", async ({ page, target, person }) => {
  const other = await newPrincipal(target, { approval_rule: 'above_limits' })
  expect(other.email).not.toBe(person.email)
  const agent = await Agent.register(target, other.principalId)
  const { access_token: token, mandate_jwt: mandate } = await agent.buy()
  const settled = await agent.settle<{ payment_intent_id: string }>(token, mandate, crypto.randomUUID())
  expect(settled.status).toBe(200)
  const tooLong = 'x'.repeat(600)
  const foreign = [`/agents/${agent.clientId}`, `/payments/${settled.json.payment_intent_id}`]
  for (const path of [...foreign, `/agents/${tooLong}`, `/payments/${tooLong}`, `/approve/${tooLong}`]) {
    expect((await visit(page, path)).status).toBe(404)
  }
})
