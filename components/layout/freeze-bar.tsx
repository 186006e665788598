'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Snowflake } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTRPC } from '@/components/api/client'
import type { SessionView } from '@/components/lib/api-types'
import { Button } from '@/components/ui/button'
import { RequestFailure } from '@/components/ui/request-failure'

/** Spending is seldom frozen, so pages load this only then. */
const Frozen = lazy(() => import('./frozen').then(({ Frozen: view }) => ({ default: view })))

interface FreezeBarProps {
  readonly me: SessionView
  /** What the button says. */
  readonly label: string
}

/** One press that stops all agents, on every page; while they are stopped, that they are, and the way back. */
export function FreezeBar({ me, label }: FreezeBarProps) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const { data } = useQuery({ ...trpc.session.me.queryOptions(), initialData: me })
  const freeze = useMutation(trpc.limits.freeze.mutationOptions({ onSettled: () => queries.invalidateQueries() }))
  const [pressed, setPressed] = useState(false)
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
      ) : (
        <Suspense fallback={null}>
          <Frozen since={data.frozen_at} takesFocus={pressed} />
        </Suspense>
      )}
      {freeze.isError ? <RequestFailure error={freeze.error} /> : null}
    </>
  )
}
