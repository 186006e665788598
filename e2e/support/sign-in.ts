import { expect, type Page } from '@playwright/test'
import { signInText } from '@/components/sign-in/messages'
import type { Target } from '@/test/support/actors'
import { untilQuiet } from './browser-measures'

interface OutboxMessage {
  readonly to: string
  readonly subject?: string
  readonly text: string
  readonly links: readonly string[]
}

/** Returns the messages to one address, newest first, from the sandbox's outbox. */
export async function readOutbox({ baseUrl }: Target, to: string): Promise<OutboxMessage[]> {
  const answer = await fetch(`${baseUrl}/sandbox/outbox`, { headers: { accept: 'application/json' } })
  const { messages } = (await answer.json()) as { messages: OutboxMessage[] }
  return messages.filter((message) => message.to === to)
}

/** Requests a sign-in link, and expects the page to say that it was mailed. */
export async function requestLink(page: Page, email: string, next = '/'): Promise<void> {
  await page.goto(`/sign-in?next=${encodeURIComponent(next)}`)
  await page.getByLabel(signInText.email).fill(email)
  await submit(page)
}

async function submit(page: Page): Promise<void> {
  await page.getByRole('button', { name: signInText.submit }).click()
  await expect(page.getByRole('heading', { name: signInText.sent.title })).toBeVisible()
}

/** A link is mailed by a job, which begins at once. */
const MAIL_INTERVALS_MS = [20, 40, 80, 160]

/** Runs `ask`, which requests a link, and waits until the link is mailed, after the answer. Returns the link. */
export async function mailedLink(target: Target, email: string, ask: () => Promise<void>): Promise<string> {
  const before = await readOutbox(target, email)
  await ask()
  let mails = before
  const countMails = async () => {
    mails = await readOutbox(target, email)
    return mails.length
  }
  await expect.poll(countMails, { intervals: MAIL_INTERVALS_MS }).toBeGreaterThan(before.length)
  return mails[0]?.links[0] ?? ''
}

/** Signs a person in as they would: requests a link, opens it from the mail in the same browser, and confirms. */
export async function signIn(page: Page, target: Target, email: string, next = '/'): Promise<void> {
  await page.goto(await mailedLink(target, email, () => requestLink(page, email, next)))
  await page.getByRole('button', { name: signInText.confirm.submit }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'))
}

/** Requests the link on the page that asks a signed-in person to sign in again; returns it from the mail. */
export async function linkToSignInAgain(page: Page, target: Target, email: string): Promise<string> {
  await expect(page.getByRole('heading', { name: signInText.again.title })).toBeVisible()
  // A press before the page works loads it again, and the person presses once more.
  await untilQuiet(page)
  return mailedLink(target, email, () => submit(page))
}

/** Signs in again by the mailed link in another tab, which leads to `next`, and looks at the page again. */
export async function signInAgainElsewhere(
  page: Page,
  target: Target,
  { email, next }: { readonly email: string; readonly next: string },
): Promise<Page> {
  const link = await linkToSignInAgain(page, target, email)
  const elsewhere = await page.context().newPage()
  await elsewhere.goto(link)
  await elsewhere.getByRole('button', { name: signInText.confirm.submit }).click()
  await expect(elsewhere).toHaveURL(next)
  await page.bringToFront()
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  return elsewhere
}

/** Opens a session in the page's browser as the sign-in pages would, for flows about something else. */
export async function openSession(page: Page, target: Target, email: string): Promise<void> {
  const { request } = page.context()
  const post = async (path: string, data: Record<string, unknown>): Promise<void> => {
    const url = `${target.baseUrl}/api/auth/${path}`
    const answer = await request.post(url, { data, headers: { origin: target.baseUrl } })
    expect(answer.ok(), await answer.text()).toBe(true)
  }
  const link = await mailedLink(target, email, () => post('sign-in-link', { email }))
  const token = new URL(link).hash.replace('#token=', '')
  const { csrfToken } = (await (await request.get(`${target.baseUrl}/api/auth/csrf`)).json()) as { csrfToken: string }
  await post('callback/magic-link', { csrfToken, token })
}

/**
 * Removes the session from the page's browser. The page is left first: otherwise it would notice that the session is
 * gone and go to the sign-in page, and interrupt what the flow opens next.
 */
export async function dropSession(page: Page): Promise<void> {
  await page.goto('about:blank')
  await page.context().clearCookies()
}

/** Signs in as the sandbox's built-in person, whom all such tests share. */
export async function signInAsDemo(page: Page): Promise<void> {
  await page.goto('/sign-in')
  await page.getByRole('button', { name: signInText.demo.button }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'))
}
