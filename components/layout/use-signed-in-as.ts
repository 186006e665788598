'use client'

import { useEffect } from 'react'
import { setWayOut, watchPresence } from '@/components/api/client'
import { watchTyping } from '@/components/lib/typed-controls'
import type * as keptPage from './kept-page'

/**
 * Ties the page to this person: every request names them, an ended session leads to the sign-in page, and what was typed is
 * restored after signing in again.
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

/** Fetches the module once the page works. If that fails, an ended session is noticed again later. */
function withKeptPage(use: (page: typeof keptPage) => void): void {
  import('./kept-page').then(use, () => undefined)
}
