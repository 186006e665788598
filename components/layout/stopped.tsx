'use client'

import type { SessionView } from '@/components/lib/api-types'
import { Frozen } from './frozen'
import { Restricted } from './restricted'

interface StoppedProps {
  readonly me: Pick<SessionView, 'frozen_at' | 'processing_restricted'>
}

/** Says why all agents are stopped, and how to let them continue. */
export function Stopped({ me }: StoppedProps) {
  return (
    <>
      {me.frozen_at === null ? null : <Frozen since={me.frozen_at} />}
      {me.processing_restricted ? <Restricted /> : null}
    </>
  )
}
