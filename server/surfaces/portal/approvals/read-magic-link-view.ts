import type { Platform } from '../../../base/core/platform'
import { readMagicLink } from '../../../oauth/authorization'
import { checkMerchant } from '../shared/check-merchant'
import type { MagicLinkView } from './view'

/** Reads the page behind a magic link, which anyone with the link may see. It does not use the link up. */
export async function readMagicLinkView(platform: Platform, token: string): Promise<MagicLinkView> {
  const link = await readMagicLink(platform, token)
  if (link === null) return null
  const { principalId, payment, ...rest } = link
  if (payment === null) return { ...rest, payment }
  const merchant = { audience: payment.merchant_audience, principalId, now: platform.clock.now() }
  return { ...rest, payment: { ...payment, ...(await checkMerchant(platform.db, merchant)) } }
}
