import type { Locator } from '@playwright/test'
import { agentsText } from '@/components/agents/messages'
import { agentsTextDe as german } from '@/components/agents/messages.de'
import { cardsText } from '@/components/cards/messages'
import { homeText } from '@/components/home/messages'
import { Agent, must, Person } from '@/test/support/actors'
import { buy } from '../payments/buy'
import { pageHeight } from '../support/browser-measures'
import { expect, test } from '../support/fixtures'
import { reviewLink, shown } from '../support/portal'

const { card, one, orders, pause, rename, revoke } = agentsText
const ROW_MAX_PX = 88
const PAGE_MAX_PX = 1_900
const OWN_LIMITS = {
  currency: 'EUR',
  daily_cap_minor: 4_000,
  weekly_cap_minor: 8_000,
  monthly_cap_minor: 20_000,
  single_txn_cap_minor: 1_500,
}
const TAIL = /…[\w-]{4}$/
const GOOD = 'Visa •••• 4242'
const OTHER = 'Visa •••• 0002'

test('two agents of one name differ by their tails, and by a name that the person gives', async ({
  page,
  target,
  person,
}) => {
  const agent = await Agent.register(target, person.principalId, { client_name: 'Claude Code' })
  await Agent.register(target, person.principalId, { client_name: 'Claude Code' })
  await page.goto('/agents')
  const rows = page.getByRole('list', { name: agentsText.active }).getByRole('listitem')
  await expect(rows).toHaveCount(2)
  const names = await rows.getByRole('link').allInnerTexts()
  expect(new Set(names).size).toBe(2)
  for (const name of names) expect(name).toMatch(/^Claude Code\s*…[\w-]{4}$/)
  for (const name of await rows.getByText('Claude Code', { exact: true }).all()) {
    expect(await name.evaluate((shownName) => shownName.scrollWidth - shownName.clientWidth)).toBe(0)
  }

  await page.goto(`/agents/${agent.clientId}`)
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText(/^Claude Code …[\w-]{4}$/)
  await page.getByRole('button', { name: rename.button }).click()
  const field = page.getByLabel(rename.label)
  await expect(field).toBeFocused()
  await field.fill('4242 4242 4242 4242')
  await expect(shown(page, agentsText.new.cardNumber)).toBeVisible()
  await field.fill('Groceries')
  await page.getByRole('button', { name: rename.save }).click()
  await expect(heading).toHaveText(/^Groceries …[\w-]{4}$/)
  await expect(page.getByRole('button', { name: rename.button })).toBeFocused()
  await expect(shown(page, `${one.ownName}: Claude Code`)).toBeVisible()

  await agent.push((await agent.purchase({ amount_minor: 1_200 })).form)
  await page.goto('/')
  await reviewLink(page, '€12.00').click()
  await expect(page.getByRole('article').getByRole('link', { name: /^Groceries …/ })).toHaveText(TAIL)
})

test.describe('with payments that nobody was asked about', () => {
  test.use({ personOptions: { card: 'success', approval_rule: 'above_limits' } })

  test('two agents of one long name are told apart among the last payments, and no tail is torn', {
    tag: '@phone',
  }, async ({ page, target, person }) => {
    const name = 'A shopping assistant with a very long name'
    for (let count = 0; count < 2; count += 1) {
      await buy(target, person.principalId, await Agent.register(target, person.principalId, { client_name: name }))
    }
    await page.goto('/')
    const rows = page.getByRole('list', { name: homeText.payments }).getByRole('listitem')
    await expect(rows).toHaveCount(2)
    const tails = rows.getByText(TAIL)
    const box = async (tail: Locator) => (await tail.boundingBox()) ?? { x: 0, width: 360 }
    for (const tail of [tails.first(), tails.last()]) {
      const { x, width } = await box(tail)
      expect(x + width).toBeLessThan(360)
    }
    await page.goto('/payments')
    const listed = page
      .getByRole('main')
      .getByRole('listitem')
      .getByText(/^…[\w-]{4}$/)
    await expect(listed).toHaveCount(2)
    for (const tail of await listed.all()) {
      expect(await tail.evaluate((element) => element.getClientRects().length)).toBe(1)
    }
  })
})

test('an agent is paused and resumed from its row, and the order is part of the address', async ({
  page,
  target,
  person,
}) => {
  await Agent.register(target, person.principalId, { client_name: 'Ape' })
  await Agent.register(target, person.principalId, { client_name: 'Zebra' })
  await page.goto('/agents?sort=name')
  const rows = page.getByRole('list', { name: agentsText.active }).getByRole('listitem')
  await expect(rows.first()).toContainText('Ape')
  for (const row of await rows.all()) expect((await row.boundingBox())?.height).toBeLessThanOrEqual(ROW_MAX_PX)
  await page.getByLabel(agentsText.sortBy).selectOption({ label: orders.connected })
  await expect(page).toHaveURL('/agents?sort=connected')
  await expect(rows.first()).toContainText('Zebra')
  await page.getByLabel(agentsText.search).fill('zeb')
  await expect(rows).toHaveCount(1)
  await expect(page).toHaveURL('/agents?sort=connected&q=zeb')
  await page.reload()
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText(agentsText.neverUsed)
  await expect(rows).toContainText(agentsText.nothing)

  await page.getByRole('button', { name: pause.name('Zebra') }).click()
  await expect(rows).toContainText(agentsText.paused)
  await page.getByRole('button', { name: pause.resumeName('Zebra') }).click()
  const dialog = page.getByRole('alertdialog', { name: pause.question('Zebra') })
  await expect(dialog.getByRole('button', { name: pause.keep })).toBeFocused()
  await dialog.getByRole('button', { name: pause.resume }).click()
  await expect(page.getByRole('button', { name: pause.name('Zebra') })).toBeVisible()
})

test.describe('an agent with limits of its own, which pays at two shops without asking', () => {
  const limits = { currency: 'EUR', daily_cap_minor: 5_000, single_txn_cap_minor: 2_000 }
  test.use({ personOptions: { card: 'success', approval_rule: 'new_merchants', limits } })

  for (const language of ['en', 'de'] as const) {
    test(`its page is no higher than 1,900 pixels on a phone, with three buttons in one row (${language})`, {
      tag: '@phone',
    }, async ({ page, target, person }) => {
      const agent = await Agent.register(target, person.principalId, { purpose: 'Buys books and paper' })
      const wallet = await Person.signIn(target, person.principalId)
      for (const shop of ['tallow-books', 'kumo-supplies', 'gilt-edge-prints']) {
        const merchant = `${target.baseUrl}/sandbox/merchants/${shop}`
        must(await agent.push((await agent.purchase({ merchant })).form), 201)
        const [asked] = await wallet.pending()
        await wallet.decide(String(asked?.['authorization_id']), 'approve')
      }
      for (const key of [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]) {
        const { access_token: token, mandate_jwt: mandate } = await agent.buy()
        must(await agent.settle(token, mandate, key), 200)
      }
      must(await wallet.call('POST', `/wallet/agents/${agent.clientId}/limits`, OWN_LIMITS), 200)

      await page.context().addCookies([{ name: 'locale', value: language, url: target.baseUrl }])
      await page.setViewportSize({ width: 360, height: 740 })
      await page.goto(`/agents/${agent.clientId}`)
      const { one: words, pause: pausing, rename: renaming, revoke: revoking } = language === 'en' ? agentsText : german
      await expect(page.getByRole('link', { name: words.allRemembered(3) })).toBeVisible()
      await expect(page.getByRole('button', { name: words.forgetName('Kumo Supplies') })).toBeVisible()
      const buttons = [pausing.button, renaming.button, revoking.confirm]
      const boxes = await Promise.all(
        buttons.map((name) => page.getByRole('button', { name, exact: true }).boundingBox()),
      )
      expect(new Set(boxes.map((box) => box?.y)).size).toBe(1)
      expect(await pageHeight(page)).toBeLessThanOrEqual(PAGE_MAX_PX)
    })
  }
})

test('who is about to revoke an agent can pause it instead', async ({ page, target, person }) => {
  const agent = await Agent.register(target, person.principalId)
  await page.goto(`/agents/${agent.clientId}`)
  await page.getByRole('button', { name: revoke.confirm, exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: revoke.pauseInstead }).click()
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await expect(shown(page, pause.body)).toBeVisible()
})

test('an agent gets a card of its own, which the approve page shows', async ({ page, target, person }) => {
  const agent = await Agent.register(target, person.principalId)
  const other = await Agent.register(target, person.principalId, { client_name: 'Somebody else' })
  await page.goto('/cards')
  await page.getByRole('button', { name: cardsText.test.addName('Decline') }).click()
  await expect(shown(page, OTHER)).toBeVisible()
  await page.goto(`/agents/${agent.clientId}`)
  const choice = page.getByRole('combobox', { name: card.title })
  await choice.selectOption({ label: OTHER })
  await page.getByRole('alertdialog').getByRole('button', { name: card.confirm }).click()
  await expect(choice.locator('option:checked')).toHaveText(OTHER)

  await page.goto('/cards')
  const bound = page.getByRole('listitem').filter({ hasText: OTHER })
  await expect(bound).toContainText(cardsText.bound)
  await expect(page.getByRole('button', { name: cardsText.makeDefaultName(OTHER) })).toHaveCount(0)
  for (const [asking, price, minor, shownCard] of [
    [agent, '€12.00', 1_200, OTHER],
    [other, '€13.00', 1_300, GOOD],
  ] as const) {
    await asking.push((await asking.purchase({ amount_minor: minor })).form)
    await page.goto('/')
    await reviewLink(page, price).click()
    await expect(shown(page, shownCard)).toBeVisible()
  }

  await page.goto('/cards')
  await page.getByRole('button', { name: cardsText.removeName(OTHER) }).click()
  const dialog = page.getByRole('alertdialog', { name: cardsText.removeTitle(OTHER) })
  await expect(dialog).toContainText(cardsText.removeBound)
  await dialog.getByRole('button', { name: cardsText.remove }).click()
  await expect(shown(page, cardsText.removed(OTHER))).toBeVisible()
  await page.goto(`/agents/${agent.clientId}`)
  await expect(choice.locator('option:checked')).toHaveText(card.none)
  await expect(shown(page, card.ownRemoved)).toBeVisible()
  await choice.selectOption({ label: card.default(GOOD) })
  await page.getByRole('alertdialog').getByRole('button', { name: card.confirm }).click()
  await expect(choice.locator('option:checked')).toHaveText(card.default(GOOD))
  await expect(shown(page, card.ownRemoved)).toBeHidden()
})

test.describe('with limits of €15 a day', () => {
  const limits = { currency: 'EUR', daily_cap_minor: 1_500 }
  test.use({ personOptions: { card: 'success', limits } })

  test('connecting proposes limits no higher than those, and none only when that is chosen', async ({
    page,
    person,
  }) => {
    expect(person.email).not.toBe('')
    const { new: plan } = agentsText
    await page.goto('/agents/new')
    await page.getByLabel(plan.name, { exact: true }).fill('New one')
    const own = page.getByRole('region', { name: plan.limits })
    await expect(own.getByLabel('Most per day')).toHaveValue('15.00')
    await expect(own.getByLabel('Most per payment')).toHaveValue('10.00')
    await own.getByLabel('Most per day').fill('')
    await own.getByLabel('Most per payment').fill('')
    await page.getByRole('button', { name: plan.submit }).click()
    await expect(shown(page, plan.limitsMissing)).toBeVisible()
    await own.getByRole('checkbox', { name: plan.unlimited }).check()
    await page.getByRole('button', { name: plan.submit }).click()
    await expect(shown(page, agentsText.handOver.waiting)).toBeVisible()
  })
})
