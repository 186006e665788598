import { maskMailAddress } from '../../base/core/mask-mail-address'
import type { Platform } from '../../base/core/platform'
import { sha256Base64url } from '../../base/protocol/encoding'
import type { SignInLinkView } from './contract'
import { findOpenRequest, type OpenSignInRequest } from './sign-in-request-store'

/** 32 bytes as base64url. */
const SIGN_IN_TOKEN = /^[\w-]{43}$/

/** Reads a link without using it up; null when it is unknown or no longer signs in. */
export async function readSignInLink(
  platform: Platform,
  { token, browser }: { readonly token: string; readonly browser: string | null },
): Promise<SignInLinkView | null> {
  const request = await findLinkedRequest(platform, token)
  if (request === null) return null
  return { email: maskMailAddress(request.email ?? ''), asks_code: !isAsker(request, browser) }
}

/** Returns the request behind the token of a link that still signs in. */
export async function findLinkedRequest(platform: Platform, token: string): Promise<OpenSignInRequest | null> {
  if (!SIGN_IN_TOKEN.test(token)) return null
  return findOpenRequest(platform.db, sha256Base64url(token), platform.clock.now())
}

/** Returns whether the browser with this secret is the one that asked for the link. */
export function isAsker({ browser_hash: hash }: OpenSignInRequest, browser: string | null): boolean {
  return browser !== null && sha256Base64url(browser) === hash
}
