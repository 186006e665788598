import 'server-only'
import { headers } from 'next/headers'
import { type SandboxMode, sandboxMode } from '../../base/core/sandbox-mode'
import { getPlatform } from '../../base/platform/container'
import { getPasskeyStatus, webauthnRelyingParty } from '../../identity/passkeys'
import { findPortalSession } from '../../identity/sessions'
import { readMagicLink } from '../../oauth/authorization'

/** What the sign-in pages need to know before anybody is signed in. */
export async function readSignInOptions(): Promise<{
  /** When the session was opened, in milliseconds; null for nobody signed in. */
  readonly signedInAt: number | null
  readonly sandbox: SandboxMode
  /** Whether a passkey may sign in: not where there can be none, nor for a signed-in person who has none. */
  readonly passkeys: boolean
  /** E-mail address of the signed-in person. */
  readonly email: string | null
}> {
  const platform = getPlatform()
  const session = await findPortalSession(platform, await headers(), { passive: true })
  const { config, db } = platform
  const status = session === null ? null : await getPasskeyStatus(db, session.principalId)
  return {
    signedInAt: session?.authenticatedAt.getTime() ?? null,
    sandbox: sandboxMode(config),
    passkeys: webauthnRelyingParty(config) !== null && status?.passkeys !== 0,
    email: status?.email ?? null,
  }
}

/** Where people reach the operator; null where no address is named. */
export function readOperatorContact(): { readonly name: string; readonly href: string } | null {
  const contact = getPlatform().config.operatorContact
  if (contact === null) return null
  return { name: contact, href: contact.startsWith('https:') ? contact : `mailto:${contact}` }
}

/** What a magic link confirms; null when it is unknown or has expired. */
export type MagicLinkView = Awaited<ReturnType<typeof readMagicLink>>

/** What the page behind a magic link shows; the holder of the link may see it, signed in or not. */
export async function readMagicLinkPage(
  token: string,
): Promise<{ readonly sandbox: SandboxMode; readonly link: MagicLinkView }> {
  const platform = getPlatform()
  return { sandbox: sandboxMode(platform.config), link: await readMagicLink(platform, token) }
}
