import 'server-only'
import { TRPCError } from '@trpc/server'
import { headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { REQUEST_ID_HEADER, REQUEST_PATH_HEADER } from '../../base/contract/request-headers'
import { type SandboxMode, sandboxMode } from '../../base/core/sandbox-mode'
import { safeNext, signInPath } from '../../base/core/sign-in-input'
import { getPlatform } from '../../base/platform/container'
import { getPasskeyStatus, relyingParty } from '../../identity/passkeys'
import { findPortalSession } from '../../identity/sessions'
import { readMagicLink } from '../../oauth/authorization'
import { createContext } from './context'
import { createCaller } from './router'

/**
 * The portal's procedures for a server component, as the person who is signed in. Without a session the page is left
 * for the sign-in page, which comes back here.
 */
export const portal = cache(async () => {
  const platform = getPlatform()
  const incoming = await headers()
  const requestId = incoming.get(REQUEST_ID_HEADER) ?? platform.random.uuid()
  const context = await createContext(platform, { headers: incoming, requestId })
  if (context.session === null) {
    redirect(signInPath(safeNext(incoming.get(REQUEST_PATH_HEADER)), context.ended))
  }
  return createCaller(context)
})

/** Who is signed in and what this installation is: a page and its layout ask in one request, which reads it once. */
export const readMe = cache(async () => (await portal()).session.me())

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
    passkeys: relyingParty(config) !== null && status?.passkeys !== 0,
    email: status?.email ?? null,
  }
}

/** Where people reach the operator; null where no address is named. */
export function readOperatorContact(): { readonly name: string; readonly href: string } | null {
  const contact = getPlatform().config.operatorContact
  if (contact === null) return null
  return { name: contact, href: contact.startsWith('https:') ? contact : `mailto:${contact}` }
}

export type MailedLink = Awaited<ReturnType<typeof readMagicLink>>

/** What the page behind a mailed link shows; the holder of the link may see it, signed in or not. */
export async function readMailedLink(
  token: string,
): Promise<{ readonly sandbox: SandboxMode; readonly link: MailedLink }> {
  const platform = getPlatform()
  return { sandbox: sandboxMode(platform.config), link: await readMagicLink(platform, token) }
}

/** Shows the page for things that are not there when the person has no such thing. */
export async function orNotFound<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    // An address that names nothing cannot be read, or is not there.
    if (error instanceof TRPCError && (error.code === 'NOT_FOUND' || error.code === 'BAD_REQUEST')) notFound()
    throw error
  }
}
