import type { Page } from '@playwright/test'
import { consentText } from '@/components/approvals/messages'
import { Agent, must, Person, type Target } from '@/test/support/actors'
import { expectNoViolations } from '../support/accessible'
import { expect, test } from '../support/fixtures'
import { approveButton, shown } from '../support/portal'

const MARKUP = `<b>Bold</b><img src=x onerror="document.title='run'">`
const RIGHT_TO_LEFT = 'مساعد التسوق الشخصي'
const ENDLESS = 'W'.repeat(180)
const ITEMS = 12
const NARROWEST = { width: 320, height: 640 }

test.use({ personOptions: { card: 'success', approval_rule: 'every_purchase' } })

/** Asks for a purchase, and says where it can be approved. */
async function askFor(agent: Agent, wallet: Person, purchase: Parameters<Agent['purchase']>[0]): Promise<string> {
  const before = new Set((await wallet.pending()).map(({ authorization_id: id }) => id))
  must(await agent.push((await agent.purchase(purchase)).form), 201)
  const added = (await wallet.pending()).find(({ authorization_id: id }) => !before.has(id))
  return `/approve/${String(added?.['authorization_id'])}`
}

async function connect(target: Target, principalId: string, name: string): Promise<Agent> {
  return Agent.register(target, principalId, { client_name: name, purpose: name })
}

/** What a browser would have made of markup in the texts, and how far the page reaches beyond the screen. */
function traces(page: Page) {
  return page.evaluate(() => ({
    elements: document.querySelectorAll('main b, main img, main script, main iframe').length,
    beyond: Math.max(0, document.documentElement.scrollWidth - window.innerWidth),
    run: document.title === 'run',
  }))
}

for (const [kind, words] of [
  ['markup', MARKUP],
  ['text from right to left', RIGHT_TO_LEFT],
  ['a word without end', ENDLESS],
] as const) {
  test(`${kind} in what an agent wrote stays text and breaks no page`, { tag: '@phone' }, async ({
    page,
    target,
    person,
  }) => {
    const agent = await connect(target, person.principalId, words)
    const wallet = await Person.signIn(target, person.principalId)
    const items = Array.from({ length: ITEMS }, (_, at) => ({
      sku: `sku-${at}`,
      title: words,
      qty: 1,
      unit_price_minor: 2,
      currency: 'EUR',
    }))
    const approve = await askFor(agent, wallet, { amount_minor: ITEMS * 2, line_items: items })
    await page.setViewportSize(NARROWEST)
    for (const path of ['/', '/approvals', '/agents', `/agents/${agent.clientId}`, approve]) {
      await page.goto(path)
      await expect(page.getByRole('main').getByText(words.slice(0, 12)).first()).toBeVisible()
      expect.soft(await traces(page), path).toEqual({ elements: 0, beyond: 0, run: false })
    }
    // Every item, the agent's name and its purpose.
    await expect(page.getByRole('main').getByText(words.slice(0, 12))).toHaveCount(ITEMS + 2)
    await expect(shown(page, consentText.ownWords)).toBeVisible()
    await expect(shown(page, consentText.addsUp)).toBeVisible()
  })
}

const AMOUNTS = [
  { currency: 'JPY', minor: 123_456, words: 'JPY 123,456' },
  { currency: 'KWD', minor: 1_234_567, words: 'KWD 1,234.567' },
  { currency: 'HUF', minor: 999_999, words: 'HUF 9,999.99' },
  { currency: 'CAD', minor: 1_999, words: 'CAD 19.99' },
  { currency: 'USD', minor: 1_999, words: 'USD 19.99' },
  { currency: 'GBP', minor: 1_999, words: '£19.99' },
] as const

test('an amount has the digits of its currency, and its code where the sign means several', {
  tag: ['@desktop', '@long'],
}, async ({ page, target, person }) => {
  const wallet = await Person.signIn(target, person.principalId)
  for (const { currency, minor, words } of AMOUNTS) {
    const agent = await connect(target, person.principalId, `Asks in ${currency}`)
    const line = { sku: 'one', qty: 1, unit_price_minor: minor, currency }
    await page.goto(await askFor(agent, wallet, { amount_minor: minor, currency, line_items: [line] }))
    // Spaces in amounts do not break.
    await expect.soft(page.getByRole('heading', { level: 1 })).toHaveText(new RegExp(`^${words.replace(' ', '\\s')}$`))
    await expect.soft(approveButton(page, words)).toBeEnabled()
  }
})

test('an amount that is more than its items come to says how much more, and can be approved', async ({
  page,
  target,
  person,
}) => {
  const wallet = await Person.signIn(target, person.principalId)
  const agent = await connect(target, person.principalId, 'Asks with shipping')
  const line = { sku: 'one', qty: 3, unit_price_minor: 500, currency: 'EUR' }
  await page.goto(await askFor(agent, wallet, { amount_minor: 1_999, currency: 'EUR', line_items: [line] }))
  await expect(shown(page, consentText.beyondItems('€4.99'))).toBeVisible()
  await expect(approveButton(page, '€19.99')).toBeEnabled()
  await expectNoViolations(page, 'an amount beyond the items')
})
