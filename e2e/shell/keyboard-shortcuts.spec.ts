import type { Page } from '@playwright/test'
import { layoutText } from '@/components/layout/messages'
import { shortcutsText } from '@/components/shortcuts/messages'
import { Agent, Person } from '@/test/support/actors'
import { expectNoViolations } from '../support/accessible'
import { expect, test } from '../support/fixtures'
import { openAccount, pressUntil, shown } from '../support/portal'

const AGENT = 'Research helper'
/** Phones have no keys. */
const withKeys = { tag: '@desktop' }

const palette = (page: Page) => page.getByRole('dialog', { name: shortcutsText.palette.title })
const search = (page: Page) => palette(page).getByRole('combobox', { name: shortcutsText.palette.search })
const option = (page: Page, name: string) => palette(page).getByRole('option', { name })
const help = (page: Page) => page.getByRole('dialog', { name: shortcutsText.help.title })

test('the palette goes to pages and agents by name, and signs out', withKeys, async ({ page, target, person }) => {
  const agent = await Agent.register(target, person.principalId, { client_name: AGENT })
  await page.goto('/')
  await pressUntil(page, ['Control+k'], () => expect(search(page)).toBeFocused({ timeout: 1_000 }))
  await expectNoViolations(page, 'the palette')
  await search(page).fill(layoutText.nav.limits.slice(0, 4).toLowerCase())
  await expect(palette(page).getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/limits')
  await expect(palette(page)).toBeHidden()

  await page.keyboard.press('Meta+k')
  await expect(search(page)).toBeFocused()
  await search(page).fill('research')
  await expect(option(page, AGENT)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/agents/${encodeURIComponent(agent.clientId)}`)

  await page.keyboard.press('Control+k')
  await search(page).fill('nothing has this name')
  await expect(shown(page, shortcutsText.palette.none)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(palette(page)).toBeHidden()
  await page.keyboard.press('Control+k')
  await search(page).fill(layoutText.signOut)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/sign-in')
})

test('the key g and a letter open a page, and "/" its filter', withKeys, async ({ page, person }) => {
  expect(person.email).not.toBe('')
  await page.goto('/')
  await pressUntil(page, ['g', 'a'], () => expect(page).toHaveURL('/approvals', { timeout: 1_000 }))
  const ways = { g: '/agents', l: '/limits', p: '/payments', h: '/' }
  for (const [key, path] of Object.entries(ways)) {
    await page.keyboard.press('g')
    await page.keyboard.press(key)
    await expect(page).toHaveURL(path)
  }
  await page.goto('/merchants')
  await pressUntil(page, ['/'], () => expect(page.locator('[data-filter]')).toBeFocused({ timeout: 1_000 }))
  await page.keyboard.type('g/?h')
  await expect(page.locator('[data-filter]')).toHaveValue('g/?h')
  await expect(page).toHaveURL('/merchants')
  await expect(help(page)).toBeHidden()
})

test('shortcuts of one key can be switched off, and the choice is kept', withKeys, async ({ page, person }) => {
  expect(person.email).not.toBe('')
  await page.goto('/')
  await pressUntil(page, ['?'], () => expect(help(page)).toBeVisible({ timeout: 1_000 }))
  await expectNoViolations(page, 'shortcuts')
  const choice = help(page).getByRole('checkbox', { name: shortcutsText.help.single.label })
  await expect(choice).toBeChecked()
  await choice.press('Space')
  await expect(choice).not.toBeChecked()
  await page.keyboard.press('Escape')
  await expect(help(page)).toBeHidden()

  await page.reload()
  await pressUntil(page, ['Control+k'], () => expect(search(page)).toBeFocused({ timeout: 1_000 }))
  await page.keyboard.press('Escape')
  await expect(palette(page)).toBeHidden()
  for (const key of ['?', 'g', 'l', '/']) await page.keyboard.press(key)
  await expect(help(page)).toBeHidden()
  await expect(page).toHaveURL('/')

  await openAccount(page)
  await page.getByRole('menuitem', { name: layoutText.shortcuts }).click()
  await choice.press('Space')
  await page.keyboard.press('Escape')
  await pressUntil(page, ['g', 'l'], () => expect(page).toHaveURL('/limits', { timeout: 1_000 }))
})

test('no shortcut approves or declines a request', withKeys, async ({ page, target, person }) => {
  const agent = await Agent.register(target, person.principalId)
  expect((await agent.push((await agent.purchase()).form)).status).toBe(201)
  const wallet = await Person.signIn(target, person.principalId)
  const [asked] = await wallet.pending()
  const id = String(asked?.['authorization_id'])
  await page.goto(`/approve/${id}`)
  await pressUntil(page, ['?'], () => expect(help(page)).toBeVisible({ timeout: 1_000 }))
  await page.keyboard.press('Escape')
  await expect(help(page)).toBeHidden()
  const letters = Array.from({ length: 26 }, (_, position) => String.fromCharCode(97 + position))
  for (const key of [...letters, ...letters.map((letter) => letter.toUpperCase()), 'Enter', 'Space', '1', '0', '.']) {
    await page.keyboard.press(key)
    // Whatever `g` has begun ends here, so that the page stays.
    await page.keyboard.press('Escape')
  }
  await expect(page).toHaveURL(`/approve/${id}`)
  expect((await wallet.pending()).map((one) => one['authorization_id'])).toEqual([id])
})
