'use client'

import type { SessionView } from '@/components/lib/api-types'
import { Frozen } from './frozen'
import { Restricted } from './restricted'

interface StoppedProps {
  readonly me: Pick<SessionView, 'frozen_at' | 'processing_restricted'>
  /** The button that was pressed is gone, so that the way back is where the person goes on. */
  readonly takesFocus: boolean
}

/** Says what has stopped all agents, and leads back. */
export function Stopped({ me, takesFocus }: StoppedProps) {
  return (
    <>
      {me.frozen_at === null ? null : <Frozen since={me.frozen_at} takesFocus={takesFocus} />}
      {me.processing_restricted ? <Restricted /> : null}
    </>
  )
}
