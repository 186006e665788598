'use client'

import { useEffect } from 'react'
import { setWayOut, watchPresence } from '@/components/api/client'
import { watchTyping } from '@/components/lib/typed-controls'
import type * as keptPage from './kept-page'

/**
 * Makes the page that of this person: it says with each request whose it is, leads to the sign-in page where that is needed,
 * and holds afterwards what was typed.
 */
export function useSignedInAs(principalId: string): void {
  useEffect(() => watchPresence(principalId), [principalId])
  useEffect(watchTyping, [])
  useEffect(() => withKeptPage(({ restorePage }) => restorePage(principalId)), [principalId])
  useEffect(
    () => setWayOut((refusal) => withKeptPage(({ leavePage }) => leavePage(principalId, refusal))),
    [principalId],
  )
}

/** Fetched once the page works. Where it cannot be, an ended session is noticed again in a while. */
function withKeptPage(use: (page: typeof keptPage) => void): void {
  import('./kept-page').then(use, () => undefined)
}
