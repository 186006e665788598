import { expect, type Locator, type Page, type Route } from '@playwright/test'
import { decisionText } from '@/components/approvals/decision-messages'
import { consentText } from '@/components/approvals/messages'
import { layoutText } from '@/components/layout/messages'
import type { Question } from './tool-agent'

/** The paths of all wallet pages without an id. */
export const WALLET_PAGES = [
  '/',
  '/approvals',
  '/approvals?tab=decided',
  '/agents',
  '/agents/new',
  '/limits',
  '/merchants',
  '/payments',
  '/payments?tab=spending',
  '/cards',
  '/activity',
  '/developers',
  '/settings/notifications',
  '/settings/security',
  '/settings/security/activity',
  '/settings/credentials',
  '/settings/privacy',
  '/settings/age',
  '/settings/privacy/erase',
  '/welcome?step=1',
  '/welcome?step=2',
  '/welcome?step=3',
  '/welcome?step=4',
  '/welcome?step=4&host=cursor',
  '/welcome?step=done',
] as const

/**
 * Opens a page and uses it before its scripts, which are held until then, have loaded. Let `after` wait for what a
 * working page shows.
 */
export async function useEarly(page: Page, path: string, use: () => Promise<unknown>, after: () => Promise<unknown>) {
  const held: Route[] = []
  let isHeld = true
  await page.route('**/_next/static/**/*.js', async (route) => {
    if (isHeld) held.push(route)
    else await route.continue()
  })
  await page.goto(path, { waitUntil: 'commit' })
  await use()
  isHeld = false
  for (const route of held) await route.continue()
  await after()
  await page.unrouteAll({ behavior: 'wait' })
}

/** Presses keys until they have worked: a page is seen a moment before it listens. */
export async function pressUntil(page: Page, keys: readonly string[], works: () => Promise<void>): Promise<void> {
  await expect(async () => {
    for (const key of keys) await page.keyboard.press(key)
    await works()
  }).toPass({ intervals: [300], timeout: 15_000 })
}

/** Opens a page, and waits until all of its content is there. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('.animate-pulse')).toHaveCount(0)
}

/** Returns a function that returns how often the page was loaded since this call; a change without a load came live. */
export function countLoads(page: Page): () => number {
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  return () => loads
}

/**
 * Returns a visible text. A page that streams may briefly contain it a second time, hidden, so a test that counted both
 * would sometimes fail.
 */
export function shown(page: Page, text: string, options?: { exact: boolean }): Locator {
  return page.getByText(text, options).filter({ visible: true })
}

/** The largest number of presses of Tab that any element needs. */
const MAX_TABS = 40

/** Presses Tab until the element is focused, and expects every focused element to be visible. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible()
  for (let presses = 0; presses < MAX_TABS; presses += 1) {
    await page.keyboard.press('Tab')
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await expect(page.locator(':focus')).toBeInViewport()
  }
  throw new Error(`Tab does not lead to ${String(wanted)}`)
}

/** Returns the row of a waiting item, which links to the page that decides it. */
export function reviewLink(page: Page, amount: string, payee = 'Tallow Books'): Locator {
  return page.getByRole('link', { name: `${amount} ${consentText.payTo} ${payee}, ` })
}

/** Expects the approve page to show the same question as the agent in the chat. */
export async function expectSameQuestion(page: Page, question: Question, shownAmount: string): Promise<void> {
  const number = question.amount.split(' ')[1] ?? question.amount
  expect(shownAmount).toContain(number)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(shownAmount)
  await expect(shown(page, question.payee, { exact: true })).toBeVisible()
  await expect(matchCode(page)).toHaveText(question.matchCode)
}

/** Returns the two digits beside the words "Match code". */
function matchCode(page: Page): Locator {
  return decideBar(page)
    .getByRole('definition')
    .filter({ hasText: /^\d\d$/ })
}

/** Returns the bar with the buttons that approve and decline. */
export function decideBar(page: Page): Locator {
  return page.getByRole('region', { name: decisionText.decide })
}

export function approveButton(page: Page, amount: string): Locator {
  return page.getByRole('button', { name: decisionText.approve(amount) })
}

export function declineButton(page: Page): Locator {
  return page.getByRole('button', { name: decisionText.decline })
}

/** Returns a heading of the outcome. */
export function outcome(page: Page, heading: string | RegExp): Locator {
  return page.getByRole('heading', { level: 2, name: heading })
}

/** Opens the account's menu, which a phone has behind "More". */
export async function openAccount(page: Page): Promise<void> {
  const more = page.getByRole('button', { name: layoutText.nav.more })
  const menu = page.getByRole('complementary').getByRole('button')
  await more.or(menu).click()
  await expect(signOutButton(page, layoutText.signOut)).toBeVisible()
}

/** Signs out of this browser's session with its button. */
export async function signOut(page: Page): Promise<void> {
  await openAccount(page)
  await signOutButton(page, layoutText.signOut).click()
}

/** Signs out of every session of the person with its button. */
export async function signOutEverywhere(page: Page): Promise<void> {
  await openAccount(page)
  await signOutButton(page, layoutText.signOutEverywhere).click()
}

/** What ends the session, or every session, in the opened account. */
export function signOutButton(page: Page, name: string): Locator {
  return page.getByRole('menuitem', { name, exact: true }).or(page.getByRole('button', { name, exact: true }))
}
