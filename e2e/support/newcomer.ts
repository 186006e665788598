import { expect, type Page } from '@playwright/test'
import { setupText } from '@/components/welcome/setup-messages'
import { must, operate, type Target } from '@/test/support/actors'

/** Creates a person with a new wallet and only its defaults. */
export async function newcomer(target: Target): Promise<{ readonly email: string; readonly principalId: string }> {
  const email = `${crypto.randomUUID()}@example.com`
  const asked = await operate<{ principal_id: string }>(target, 'POST', '/principals', {
    wallet_client_id: 'portal',
    email,
  })
  return { email, principalId: must(asked, 201).principal_id }
}

/** Expects the home page to show the progress of the set-up, and continues from there to the given address. */
export async function continueFromHome(page: Page, done: number, address: string): Promise<void> {
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('heading', { name: done === 0 ? setupText.title : setupText.count(done) })).toBeVisible()
  await page.getByRole('link', { name: setupText.continue }).click()
  await expect(page).toHaveURL(address)
}
