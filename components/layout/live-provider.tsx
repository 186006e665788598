'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, startTransition, useContext, useEffect, useMemo, useState } from 'react'
import { followChanges, isPortalError, leaveByItself, useTRPC } from '@/components/api/client'
import { useClock } from '@/components/i18n/clock'
import type { CardholderChallenge, LimitBump, PendingList } from '@/components/lib/api-types'
import { useHandIn } from '@/components/push/use-hand-in'
import type { RefusalData } from '@/server/transport/trpc/refusal'
import { useSignedInAs } from './use-signed-in-as'

const POLL_INTERVAL_MS = 5000
const STALE_AFTER_MS = 15_000
/** How often a page in use is reported as use of the session, also while nothing else is sent. */
const USE_INTERVAL_MS = 60_000

interface Live {
  readonly pending: PendingList['pending']
  readonly stepUps: readonly CardholderChallenge[]
  readonly bumps: readonly LimitBump[]
  /** When the page was last known to be up to date; null while it is kept so. */
  readonly lastKnownAt: number | null
}

const LiveContext = createContext<Live>({ pending: [], stepUps: [], bumps: [], lastKnownAt: null })

interface LiveProviderProps {
  /** The signed-in person. */
  readonly principalId: string
  readonly initialPending: PendingList
  readonly initialStepUps: CardholderChallenge[]
  readonly initialBumps: { readonly limit_bumps: LimitBump[] }
  readonly children: ReactNode
}

/**
 * Keeps a page up to date: refetches all shown queries on each change event, or every five seconds without a stream.
 */
export function LiveProvider({
  principalId,
  initialPending,
  initialStepUps,
  initialBumps,
  children,
}: LiveProviderProps) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [lostAt, setLostAt] = useState<number | null>(null)
  useSignedInAs(principalId)
  useHandIn()
  useEffect(
    () =>
      followChanges({
        onChange: () => void queries.invalidateQueries(),
        // Without a transition, React would show a page's skeleton again while its texts are being loaded.
        onConnection: (silence) => startTransition(() => setLostAt(silence === null ? null : Date.now() - silence)),
        onSignedOut: leaveByItself,
      }),
    [queries],
  )
  const { data, dataUpdatedAt, error } = useQuery({
    ...trpc.approvals.pending.queryOptions(),
    initialData: initialPending,
  })
  const { data: stepUps, error: stepUpsError } = useQuery({
    ...trpc.payments.stepUps.queryOptions(),
    initialData: initialStepUps,
    refetchInterval: USE_INTERVAL_MS,
  })
  const {
    data: { limit_bumps: bumps },
  } = useQuery({ ...trpc.limits.bumps.queryOptions(), initialData: initialBumps })

  const refusal = signedOutIn(error) ?? signedOutIn(stepUpsError)
  useEffect(() => {
    if (refusal !== null) leaveByItself(refusal)
  }, [refusal])

  // The stream only says that something changed; the data must be read, which may fail on its own.
  const upToDate = lostAt === null && error === null
  useEffect(() => {
    if (upToDate) return
    const poll = setInterval(() => void queries.invalidateQueries(), POLL_INTERVAL_MS)
    return () => clearInterval(poll)
  }, [upToDate, queries])

  const lastKnownAt = upToDate ? null : Math.max(dataUpdatedAt, lostAt ?? 0)
  const { pending } = data
  const live = useMemo(() => ({ pending, stepUps, bumps, lastKnownAt }), [pending, stepUps, bumps, lastKnownAt])
  return <LiveContext value={live}>{children}</LiveContext>
}

/** Shows what waited when the page was loaded, and asks for nothing by itself. */
export function StillProvider({
  principalId,
  initialPending: { pending },
  initialStepUps: stepUps,
  initialBumps: { limit_bumps: bumps },
  children,
}: LiveProviderProps) {
  useSignedInAs(principalId)
  const live = useMemo(() => ({ pending, stepUps, bumps, lastKnownAt: null }), [pending, stepUps, bumps])
  return <LiveContext value={live}>{children}</LiveContext>
}

/** Returns the refusal of a request without a session of this person; null for other errors. */
const signedOutIn = (error: unknown): RefusalData | null =>
  isPortalError(error) && error.data?.httpStatus === 401 ? error.data : null

/** Returns the approvals that wait for the person and can still be decided, the earliest to expire first. */
export function usePending(): PendingList['pending'] {
  const { pending } = useContext(LiveContext)
  return useStillOpen(useMemo(() => pending.toSorted(byEnd), [pending]))
}

const endOf = ({ expires_at: end }: Pick<CardholderChallenge, 'expires_at'>): number => Date.parse(end)

const byEnd = (one: PendingList['pending'][number], other: PendingList['pending'][number]): number =>
  endOf(one) - endOf(other)

/** Returns the payments whose bank waits for the person and that can still be confirmed, the most urgent first. */
export function useStepUps(): readonly CardholderChallenge[] {
  return useStillOpen(useContext(LiveContext).stepUps)
}

/** Returns the limit requests of refused payments that the person may still approve, newest first. */
export function useBumps(): readonly LimitBump[] {
  return useStillOpen(useContext(LiveContext).bumps)
}

/** Returns how many items wait for the person. */
export function useWaitingCount(): number {
  return usePending().length + useStepUps().length + useBumps().length
}

function useStillOpen<T extends { readonly expires_at: string }>(items: readonly T[]): readonly T[] {
  const lastEnd = useClock((now) => Math.max(0, ...items.map(endOf).filter((end) => end <= now)))
  return useMemo(() => (lastEnd === 0 ? items : items.filter((item) => endOf(item) > lastEnd)), [items, lastEnd])
}

/** Returns true once the page has not been confirmed as up to date for fifteen seconds. */
export function useStale(): boolean {
  const { lastKnownAt } = useContext(LiveContext)
  return useClock((now) => lastKnownAt !== null && now - lastKnownAt > STALE_AFTER_MS)
}
