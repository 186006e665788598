import { expect, type Page } from '@playwright/test'
import { securityText } from '@/components/security/messages'
import { shown } from './portal'

/** The ways to confirm a change that lets agents or others do more; `npm test` runs the first. */
export const waysToConfirm = [
  { way: 'a passkey', tag: [] },
  { way: 'a mailed link', tag: ['@long'] },
]

/** Gives the browser an authenticator with a passkey of the signed-in person. */
export async function holdPasskey(page: Page, name = 'Phone'): Promise<void> {
  const context = page.context()
  await context.credentials.install()
  // The virtual authenticator accepts an offer in the autofill at once, before a test can press a button.
  await context.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false)
  })
  await page.goto('/settings/security')
  await page.getByLabel(securityText.add.name).fill(name)
  await page.getByRole('button', { name: securityText.add.button }).click()
  await expect(shown(page, securityText.add.done(name))).toBeVisible()
}

/** Removes the passkeys from the browser. Returns a function that restores them. */
export async function losePasskeys(page: Page): Promise<() => Promise<void>> {
  const { credentials } = page.context()
  const held = await credentials.get()
  for (const { id } of held) await credentials.delete(id)
  return async () => {
    for (const { rpId, ...credential } of held) await credentials.create(rpId, credential)
  }
}
