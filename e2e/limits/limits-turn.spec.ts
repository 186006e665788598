import { agentsText } from '@/components/agents/messages'
import { consentText } from '@/components/approvals/messages'
import { limitsText } from '@/components/limits/messages'
import { hoursText } from '@/components/notifications/hours-messages'
import { Agent } from '@/test/support/actors'
import { expectNoViolations } from '../support/accessible'
import { expect, test } from '../support/fixtures'
import { reviewLink, shown, useEarly } from '../support/portal'
import { orderBook } from '../support/shop'

const { form, meters, raise, differences, asked } = limitsText

const limits = { currency: 'EUR', daily_cap_minor: 5000, single_txn_cap_minor: 2000 }
test.use({ personOptions: { card: 'success', approval_rule: 'above_limits', limits } })

test('limits per week and month are saved with their time zone, and each says when it turns', async ({
  page,
  agent,
}) => {
  await agent.pay(await orderBook(agent))
  await page.goto('/limits')
  await test.step('what new limits would have meant is said before they are saved', async () => {
    await page.getByLabel(form.single).fill('5')
    await expect(shown(page, asked.sentence(1, 1))).toBeVisible()
    await page.getByLabel(form.single).fill('20')
    await expect(shown(page, asked.sentence(0, 1))).toBeVisible()
  })

  await test.step('first limits per week and month are saved at once', async () => {
    await page.getByLabel(form.weekly).fill('100')
    await page.getByLabel(form.monthly).fill('300')
    await page.getByLabel(form.timeZone).selectOption('Europe/Berlin')
    await page.getByRole('button', { name: form.save }).click()
    const week = page.getByRole('meter', { name: `${meters.week}, EUR` })
    await expect(week).toHaveAttribute('aria-valuetext', meters.used('€12.00', '€100.00'))
    const month = page.getByRole('meter', { name: `${meters.month}, EUR` })
    await expect(month).toHaveAttribute('aria-valuetext', meters.used('€12.00', '€300.00'))
    await expect(page.getByText(meters.yourTime)).toHaveCount(2)
    await expect(shown(page, meters.midnightUtc)).toBeVisible()
    await expectNoViolations(page, 'limits per week and month')
  })

  await test.step('another time zone is a raise, which is compared and confirmed', async () => {
    await page.getByLabel(form.timeZone).selectOption('Asia/Tokyo')
    await page.getByRole('button', { name: form.save }).click()
    const dialog = page.getByRole('alertdialog', { name: raise.title })
    const rows = dialog.getByRole('list', { name: differences.label }).getByRole('listitem')
    await expect(rows).toHaveCount(1)
    await expect(rows).toContainText(differences.field.time_zone)
    await expect(rows).toContainText('Europe/Berlin')
    await expect(rows).toContainText('Asia/Tokyo')
    await dialog.getByRole('button', { name: raise.confirm }).click()
    await expect(dialog).toBeHidden()
    await page.reload()
    await expect(page.getByLabel(form.timeZone)).toHaveValue('Asia/Tokyo')
  })
})

test.describe('in Berlin', () => {
  test.use({ timezoneId: 'Europe/Berlin' })

  test('the time zone of the browser is proposed until one was chosen', { tag: '@phone' }, async ({ page, person }) => {
    expect(person.email).not.toBe('')
    await page.goto('/limits')
    const timeZone = page.getByLabel(form.timeZone)
    await expect(timeZone).toHaveValue('Europe/Berlin')
    await page.getByLabel(form.single).fill('19')
    await page.getByRole('button', { name: form.save }).click()
    await expect(shown(page, form.saved)).toBeVisible()
    await page.goto('/settings/notifications')
    await expect(shown(page, hoursText.zone('Europe/Berlin'))).toBeVisible()

    await page.goto('/limits')
    await timeZone.selectOption('Asia/Tokyo')
    await page.getByRole('button', { name: form.save }).click()
    await expect(shown(page, form.saved)).toBeVisible()
    await page.reload()
    await expect(timeZone).toHaveValue('Asia/Tokyo')
  })

  test('what was typed before the time zone of the browser was known stays', { tag: ['@phone', '@long'] }, async ({
    page,
    person,
  }) => {
    expect(person.email).not.toBe('')
    const single = page.getByLabel(form.single)
    const zoneIsKnown = () => expect(page.getByLabel(form.timeZone)).toHaveValue('Europe/Berlin')
    await useEarly(page, '/limits', () => single.fill('19'), zoneIsKnown)
    await expect(single).toHaveValue('19')
  })

  test('the first limit per week of an agent is in the time zone of the browser', { tag: ['@phone', '@long'] }, async ({
    page,
    target,
    person,
  }) => {
    const agent = await Agent.register(target, person.principalId)
    await page.goto(`/agents/${agent.clientId}`)
    await page.getByText(agentsText.one.limits, { exact: true }).click()
    await page.getByLabel(form.weekly).fill('10')
    await page.getByRole('button', { name: form.save }).click()
    await expect(shown(page, form.savedForAgent)).toBeVisible()
    await page.goto('/settings/notifications')
    await expect(shown(page, hoursText.zone('Europe/Berlin'))).toBeVisible()
  })

  test('the first quiet hours are in the time zone of the browser', { tag: ['@phone', '@long'] }, async ({
    page,
    person,
  }) => {
    expect(person.email).not.toBe('')
    await page.goto('/settings/notifications')
    await expect(shown(page, hoursText.zone('UTC'))).toBeVisible()
    await page.getByRole('button', { name: hoursText.turnOnOf(hoursText.quiet.title) }).click()
    await expect(shown(page, hoursText.zone('Europe/Berlin'))).toBeVisible()
  })
})

test("an agent's own limit per week is part of the question about a purchase above it", { tag: '@phone' }, async ({
  page,
  target,
  person,
}) => {
  const agent = await Agent.register(target, person.principalId)
  await page.goto(`/agents/${agent.clientId}`)
  const own = page.getByRole('region', { name: agentsText.one.limits })
  const spent = page.getByRole('region', { name: agentsText.one.spent, exact: true })
  await own.getByText(agentsText.one.limits, { exact: true }).click()
  await expect(own.getByLabel(form.timeZone)).toHaveCount(0)
  await own.getByLabel(form.weekly).fill('10')
  await own.getByRole('button', { name: form.save }).click()
  await expect(shown(page, form.savedForAgent)).toBeVisible()
  await expect(spent.getByRole('meter', { name: `${meters.week}, EUR` })).toHaveAttribute(
    'aria-valuetext',
    meters.used('€0.00', '€10.00'),
  )
  await agent.push((await agent.purchase({ amount_minor: 1_200 })).form)
  await page.goto('/')
  await reviewLink(page, '€12.00').click()
  await expect(shown(page, consentText.exceeded.heading(1))).toBeVisible()
  await expect(shown(page, consentText.exceeded.kind.weekly_cap)).toBeVisible()
  await expect(shown(page, consentText.exceeded.limit.agent('€10.00'))).toBeVisible()
})
