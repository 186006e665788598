import 'server-only'
import { headers } from 'next/headers'
import { type SandboxMode, sandboxMode } from '../../base/core/sandbox-mode'
import { getPlatform } from '../../base/platform/container'
import { readPasskeyStatus, webauthnRelyingParty } from '../../identity/passkeys'
import { findPortalSession } from '../../identity/sessions'
import { type MagicLinkView, readMagicLinkView } from '../../surfaces/portal'

/** Reads the data of the sign-in pages. */
export async function readSignInOptions(): Promise<{
  /** When the session was opened, in milliseconds since 1970; null when no person is signed in. */
  readonly signedInAt: number | null
  readonly sandbox: SandboxMode
  /** Whether to offer a passkey: false when this server supports none, or the signed-in person has none. */
  readonly passkeys: boolean
  /** The e-mail address of the signed-in person; null when there is none. */
  readonly email: string | null
}> {
  const platform = getPlatform()
  const session = await findPortalSession(platform, await headers(), { passive: true })
  const { config, db } = platform
  const status = session === null ? null : await readPasskeyStatus(db, session.principalId)
  return {
    signedInAt: session?.authenticatedAt.getTime() ?? null,
    sandbox: sandboxMode(config),
    passkeys: webauthnRelyingParty(config) !== null && status?.passkeys !== 0,
    email: status?.email ?? null,
  }
}

/** Returns the operator's contact for people; null when none is configured. */
export function readOperatorContact(): { readonly name: string; readonly href: string } | null {
  const contact = getPlatform().config.operatorContact
  if (contact === null) return null
  return { name: contact, href: contact.startsWith('https:') ? contact : `mailto:${contact}` }
}

/** Reads the page of a magic link, which anyone with the link may see, signed in or not. */
export async function readMagicLinkPage(
  token: string,
): Promise<{ readonly sandbox: SandboxMode; readonly link: MagicLinkView }> {
  const platform = getPlatform()
  return { sandbox: sandboxMode(platform.config), link: await readMagicLinkView(platform, token) }
}
