import 'server-only'
import { TRPCError } from '@trpc/server'
import { headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { REQUEST_PATH_HEADER } from '../../base/contract/request-headers'
import { safeNext, signInPath } from '../../base/core/sign-in-input'
import { getPlatform } from '../../base/platform/container'
import { openPage } from './context'
import { createCaller } from './router'

/**
 * The portal's procedures for a server component, as the person who is signed in. Without a session the page is left
 * for the sign-in page, which comes back here.
 */
export const portal = cache(async () => {
  const incoming = await headers()
  const context = await openPage(getPlatform(), incoming)
  if (context.session === null) {
    redirect(signInPath(safeNext(incoming.get(REQUEST_PATH_HEADER)), context.ended))
  }
  return createCaller(context)
})

/** Who is signed in and what this installation is: a page and its layout ask in one request, which reads it once. */
export const readMe = cache(async () => (await portal()).session.me())

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
