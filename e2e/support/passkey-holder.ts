import { expect, type Page } from '@playwright/test'
import type { PasskeyCreation } from '@/server/identity/passkeys/contract'

/** The ways to confirm a change that lets agents or others do more; `npm test` and a desktop run the first. */
export const waysToConfirm = [
  { way: 'a passkey', tag: [] },
  { way: 'a mailed link', tag: ['@long', '@phone'] },
]

/**
 * Gives the browser an authenticator with a passkey of the signed-in person, without the page on which people add one.
 */
export async function holdPasskey(page: Page, name = 'Phone'): Promise<void> {
  const context = page.context()
  await context.credentials.install()
  // The virtual authenticator accepts an offer in the autofill at once, before a test can press a button.
  await context.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false)
  })
  const started = await mutate<{ challenge_id: string; options: PasskeyCreation }>(page, 'startRegistration', {})
  await page.goto('/readyz')
  const response = await page.evaluate(async (options) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    const made = await navigator.credentials.create({ publicKey })
    return made instanceof PublicKeyCredential ? made.toJSON() : null
  }, started.options)
  await mutate(page, 'register', { challenge_id: started.challenge_id, name, response })
}

/** Calls one of the portal's mutations about security in the session of the page. */
async function mutate<Data>(page: Page, procedure: string, input: object): Promise<Data> {
  const answer = await page.request.post(`/api/trpc/security.${procedure}?batch=1`, { data: { 0: input } })
  expect(answer.ok(), await answer.text()).toBe(true)
  const [{ result }] = (await answer.json()) as [{ result: { data: Data } }]
  return result.data
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
