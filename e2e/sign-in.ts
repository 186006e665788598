import { expect, type Page } from '@playwright/test'
import { signInText } from '@/components/sign-in/messages'
import type { Target } from '@/test/actors'

const LINKS_PER_MINUTE_MS = 61_000

interface OutboxMessage {
  readonly to: string
  readonly subject?: string
  readonly links: readonly string[]
}

/** Messages to one address, the newest first, as the sandbox's outbox shows them. */
export async function readOutbox({ baseUrl }: Target, to: string): Promise<OutboxMessage[]> {
  const answer = await fetch(`${baseUrl}/sandbox/outbox`, { headers: { accept: 'application/json' } })
  const { messages } = (await answer.json()) as { messages: OutboxMessage[] }
  return messages.filter((message) => message.to === to)
}

/** Asks for a sign-in link, and is told to look at the mail. */
export async function requestLink(page: Page, email: string, next = '/'): Promise<void> {
  await page.goto(`/sign-in?next=${encodeURIComponent(next)}`)
  await page.getByLabel(signInText.email).fill(email)
  const sent = page.getByRole('heading', { name: signInText.sent.title })
  // All links together are limited per minute; a refused request may be repeated.
  await expect(async () => {
    await page.getByRole('button', { name: signInText.submit }).click()
    await expect(sent.or(page.getByRole('alert').filter({ hasText: /\w/ }))).toBeVisible()
    await expect(sent).toBeVisible({ timeout: 100 })
  }).toPass({ intervals: [5_000], timeout: LINKS_PER_MINUTE_MS })
}

/** Signs a person in as they would do it: asks for a link, follows it from the mail, confirms. */
export async function signIn(page: Page, target: Target, email: string, next = '/'): Promise<void> {
  await requestLink(page, email, next)
  const [message] = await readOutbox(target, email)
  const [link = ''] = message?.links ?? []
  await page.goto(link)
  await page.getByRole('button', { name: signInText.confirm.submit }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'))
}

/** Signs in as the sandbox's built-in person, who is shared by everything that does so. */
export async function signInAsDemo(page: Page): Promise<void> {
  await page.goto('/sign-in')
  await page.getByRole('button', { name: signInText.demo.button }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'))
}
