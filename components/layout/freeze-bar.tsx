'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Snowflake } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTRPC } from '@/components/api/client'
import type { SessionView } from '@/components/lib/api-types'
import { Button } from '@/components/ui/button'

/** Spending is seldom frozen and processing seldom restricted, so pages load this only then. */
const Stopped = lazy(() => import('./stopped').then(({ Stopped: view }) => ({ default: view })))

const loadFailure = () => import('@/components/ui/request-failure')
/** Fetched once the page works, so that it is there when the server is not. */
const RequestFailure = lazy(() => loadFailure().then(({ RequestFailure: view }) => ({ default: view })))

interface FreezeBarProps {
  readonly me: SessionView
  /** What the button says. */
  readonly label: string
}

/**
 * One press that stops all agents, on every page; while they are stopped, or processing is restricted, that they are, and
 * the way back.
 */
export function FreezeBar({ me, label }: FreezeBarProps) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const { data } = useQuery({ ...trpc.session.me.queryOptions(), initialData: me })
  const freeze = useMutation(trpc.limits.freeze.mutationOptions({ onSettled: () => queries.invalidateQueries() }))
  const [pressed, setPressed] = useState(false)
  useEffect(() => {
    loadFailure().catch(() => undefined)
  }, [])
  const press = () => {
    setPressed(true)
    freeze.mutate()
  }
  return (
    <>
      {data.frozen_at === null ? (
        <Button variant="secondary" size="sm" className="ms-auto" busy={freeze.isPending} onClick={press}>
          <Snowflake aria-hidden />
          {label}
        </Button>
      ) : null}
      {data.frozen_at === null && !data.processing_restricted ? null : (
        <Suspense fallback={null}>
          <Stopped me={data} takesFocus={pressed} />
        </Suspense>
      )}
      <Suspense fallback={null}>{freeze.isError ? <RequestFailure error={freeze.error} /> : null}</Suspense>
    </>
  )
}
