import type { Page } from '@playwright/test'
import { acceptOffer } from '@/scripts/wallet/accept-offer'
import { type Holder, openHolder } from '@/scripts/wallet/holder'
import { must, operate, type Target } from '@/test/support/actors'

interface Offered {
  readonly result: { readonly data: { readonly deep_link: string; readonly tx_code: string } }
}

/** Adds a wallet app for the signed-in person, as the credentials page does. Its files are below `home`. */
export async function addWalletApp(page: Page, target: Target, home: string): Promise<Holder> {
  must(await operate(target, 'PUT', '/trust-lists/EU', { issuers: [] }), 200)
  const answer = await page.request.post(`${target.baseUrl}/api/trpc/credentials.offer?batch=1`, {
    data: { 0: {} },
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  const [{ result }] = (await answer.json()) as [Offered]
  const holder = await openHolder(home)
  await acceptOffer(holder, result.data.deep_link, result.data.tx_code)
  return holder
}
