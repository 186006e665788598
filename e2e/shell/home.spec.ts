import type { Locator, Page } from '@playwright/test'
import { homeText } from '@/components/home/messages'
import { limitsText } from '@/components/limits/messages'
import { setupText } from '@/components/welcome/setup-messages'
import { Agent } from '@/test/support/actors'
import { expectNoViolations } from '../support/accessible'
import { expect, test } from '../support/fixtures'

const { meters } = limitsText
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test.describe('a person with limits per day, week and month', () => {
  const limits = { currency: 'EUR', daily_cap_minor: 5000, weekly_cap_minor: 10000, monthly_cap_minor: 30000 }
  test.use({ personOptions: { card: 'success', approval_rule: 'above_limits', limits } })

  test('sees at a glance what waits, what was spent, and how many agents there are', async ({
    page,
    target,
    person,
  }) => {
    const agent = await Agent.register(target, person.principalId)
    const { access_token: token, mandate_jwt: mandate } = await agent.buy()
    expect((await agent.settle(token, mandate, crypto.randomUUID())).status).toBe(200)
    await page.goto('/')
    await expect(region(page, homeText.waiting)).toContainText(homeText.nothingWaiting.title)
    const spent = region(page, homeText.spend)
    for (const [name, cap] of [
      [meters.today, '€50.00'],
      [meters.week, '€100.00'],
      [meters.month, '€300.00'],
    ] as const) {
      const meter = spent.getByRole('meter', { name, exact: true })
      await expect(meter).toHaveAttribute('aria-valuetext', meters.used('€12.00', cap))
    }
    await expect(page.getByRole('link', { name: homeText.agents(1, 0) })).toHaveAttribute('href', '/agents')
    // A card has its place here only when it needs something.
    await expect(page.getByRole('main').getByText('4242')).toHaveCount(0)
    await expectNoViolations(page, 'home')
  })

  test('has the money beside what waits on a wide screen, and below it on a phone', async ({ page, person }) => {
    expect(person.email).not.toBe('')
    await page.goto('/')
    const boxOf = async (name: string) =>
      (await region(page, name).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    await page.setViewportSize({ width: 1280, height: 800 })
    const [waiting, spent] = [await boxOf(homeText.waiting), await boxOf(homeText.spend)]
    expect(spent.x).toBeGreaterThan(waiting.x + waiting.width)
    expect(Math.abs(spent.y - waiting.y)).toBeLessThan(2)
    expect(waiting.width).toBeGreaterThan(1.7 * spent.width)
    await page.setViewportSize({ width: 360, height: 740 })
    const [first, next] = [await boxOf(homeText.waiting), await boxOf(homeText.spend)]
    expect(next.y).toBeGreaterThanOrEqual(first.y + first.height)
  })
})

test.describe('a person who has not set everything up', () => {
  test.use({ personOptions: { card: 'success' } })

  test('sees what waits above what is left to set up', async ({ page, target, person }) => {
    const agent = await Agent.register(target, person.principalId)
    expect((await agent.push((await agent.purchase()).form)).status).toBe(201)
    await page.goto('/')
    const setUp = page
      .getByRole('main')
      .getByRole('region')
      .filter({ has: page.locator('#setup') })
    const topOf = async (part: Locator) => (await part.boundingBox())?.y ?? 0
    expect(await topOf(setUp)).toBeGreaterThan(await topOf(region(page, homeText.waiting)))
  })
})

test.describe('a person who has set nothing up', () => {
  test.use({ personOptions: {} })

  test('reads no words of developers before saying where the agent runs', async ({ page, person }) => {
    expect(person.email).not.toBe('')
    await page.goto('/')
    await expect(page.getByRole('link', { name: setupText.continue })).toBeVisible()
    await expect(page.getByRole('main')).not.toContainText(/npm|npx|\btoken|\bCLI\b|OAuth|JSON/)
    await page.goto('/payments')
    await expect(page.getByRole('main')).not.toContainText(/npm|npx|\btoken|\bCLI\b|OAuth|JSON/)
  })
})
