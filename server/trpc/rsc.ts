import 'server-only'
import { type inferRouterInputs, type inferRouterOutputs, TRPCError } from '@trpc/server'
import { headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { readMagicLink } from '../authorization'
import { safeNext } from '../core/sign-in-input'
import { readStanding, relyingParty } from '../passkeys'
import { getPlatform } from '../platform/container'
import { getPrincipal } from '../sessions'
import { createContext } from './context'
import { REQUEST_ID_HEADER, REQUEST_PATH_HEADER } from './request-headers'
import { type AppRouter, createCaller } from './router'

type Inputs = inferRouterInputs<AppRouter>
type Outputs = inferRouterOutputs<AppRouter>
/** Every procedure as a function whose result is typed as it travels, so that pages can hand it on to the browser. */
type PortalCaller = {
  readonly [A in keyof Outputs]: {
    readonly [P in keyof Outputs[A]]: (input: Inputs[A][P & keyof Inputs[A]]) => Promise<Outputs[A][P]>
  }
}

/**
 * The portal's procedures for a server component, as the person who is signed in. Without a session the page is left
 * for the sign-in page, which comes back here.
 */
export const portal = cache(async (): Promise<PortalCaller> => {
  const platform = getPlatform()
  const incoming = await headers()
  const requestId = incoming.get(REQUEST_ID_HEADER) ?? platform.random.uuid()
  const context = await createContext(platform, { headers: incoming, requestId })
  if (context.session === null) {
    const next = safeNext(incoming.get(REQUEST_PATH_HEADER))
    redirect(next === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`)
  }
  return createCaller(context) as unknown as PortalCaller
})

/** Who is signed in and what this installation is: a page and its layout ask in one request, which reads it once. */
export const readMe = cache(async () => (await portal()).session.me())

/** What the sign-in pages need to know before anybody is signed in. */
export async function readSignInOptions(): Promise<{
  readonly signedIn: boolean
  readonly sandbox: boolean
  /** Whether a passkey may sign in: not where there can be none, nor for somebody signed in who has none. */
  readonly passkeys: boolean
  /** Of whoever is signed in. */
  readonly email: string | null
}> {
  const platform = getPlatform()
  const session = await getPrincipal(platform, await headers(), { passive: true })
  const { config, db } = platform
  const standing = session === null ? null : await readStanding(db, session.principalId)
  return {
    signedIn: session !== null,
    sandbox: config.sandbox,
    passkeys: relyingParty(config) !== null && standing?.passkeys !== 0,
    email: standing?.email ?? null,
  }
}

export type MailedLink = Awaited<ReturnType<typeof readMagicLink>>

/** What the page behind a mailed link shows; whoever holds the link may see it, signed in or not. */
export async function readMailedLink(token: string): Promise<{ readonly sandbox: boolean; readonly link: MailedLink }> {
  const platform = getPlatform()
  return { sandbox: platform.config.sandbox, link: await readMagicLink(platform, token) }
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
