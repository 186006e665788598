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
 * Returns the portal's procedures for a server component, for the signed-in person. Without a session it redirects to
 * the sign-in page, which leads back to the present page.
 */
export const portal = cache(async () => {
  const incoming = await headers()
  const context = await openPage(getPlatform(), incoming)
  if (context.session === null) {
    redirect(signInPath(safeNext(incoming.get(REQUEST_PATH_HEADER)), context.ended))
  }
  return createCaller(context)
})

/** Reads the signed-in person and facts about the installation, once per request, for a page and its layout. */
export const readMe = cache(async () => (await portal()).session.me())

/** Shows the not-found page when the person has no such object. */
export async function orNotFound<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    // An id in the address is malformed or unknown.
    if (error instanceof TRPCError && (error.code === 'NOT_FOUND' || error.code === 'BAD_REQUEST')) notFound()
    throw error
  }
}
