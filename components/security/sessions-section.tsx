'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { MonitorSmartphone, UserCheck } from 'lucide-react'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { useSignOut } from '@/components/layout/use-sign-out'
import type { SessionRecord } from '@/components/lib/api-types'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { RowList, Section } from '@/components/ui/card'
import { Ago, Moment } from '@/components/ui/moment'
import { RequestFailure } from '@/components/ui/request-failure'
import { securityTexts } from './messages'

interface SessionsSectionProps {
  readonly sessions: readonly SessionRecord[]
}

/** Lists the person's sessions, with the buttons that end them. */
export function SessionsSection({ sessions }: SessionsSectionProps) {
  const text = useText(securityTexts).sessions
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [news, setNews] = useState('')
  const again = { onSettled: () => queries.invalidateQueries() }
  const end = useMutation(trpc.security.endSession.mutationOptions(again))
  const endOthers = useMutation(
    trpc.security.endOtherSessions.mutationOptions({
      ...again,
      onSuccess: ({ sessions_ended: count }) => setNews(text.others(count)),
    }),
  )
  const { signOutEverywhere, failure } = useSignOut()
  const refusal = end.error ?? endOthers.error ?? failure
  return (
    <Section id="sessions" title={text.title} description={text.description}>
      <RowList aria-labelledby="sessions">
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            busy={end.isPending && end.variables.id === session.id}
            onEnd={(name) => end.mutate({ id: session.id }, { onSuccess: () => setNews(text.ended(name)) })}
          />
        ))}
      </RowList>
      {refusal === null ? null : <RequestFailure error={refusal} />}
      <p role="status" className="font-medium text-success empty:hidden">
        {news}
      </p>
      <div className="flex flex-wrap gap-3">
        {sessions.length > 1 ? (
          <Button variant="secondary" busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
            {text.endOthers}
          </Button>
        ) : null}
        <Button variant="secondaryDanger" onClick={signOutEverywhere}>
          {text.endAll}
        </Button>
      </div>
    </Section>
  )
}

interface SessionRowProps {
  readonly session: SessionRecord
  readonly busy: boolean
  /** Called with the name of the device in the row. */
  readonly onEnd: (name: string) => void
}

function SessionRow({ session, busy, onEnd }: SessionRowProps) {
  const text = useText(securityTexts).sessions
  const { device } = session
  const name = device === null ? text.unknown : text.device(device.browser, device.system)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-5 py-4">
      <div className="flex min-w-0 gap-3">
        <MonitorSmartphone aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
        <div className="grid min-w-0 gap-1">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
            {name}
            {session.this_one ? (
              <Badge tone="success" icon={UserCheck}>
                {text.current}
              </Badge>
            ) : null}
          </p>
          <p className="text-sm text-muted">
            {text.method[session.method]} · <Moment at={session.created_at} />
            {session.this_one ? null : (
              <>
                {' · '}
                {text.used}: <Ago at={session.last_used_at} />
              </>
            )}
          </p>
        </div>
      </div>
      {session.this_one ? null : (
        <Button
          variant="secondary"
          size="sm"
          className="max-sm:ms-8"
          aria-label={text.endOf(name)}
          busy={busy}
          onClick={() => onEnd(name)}
        >
          {text.end}
        </Button>
      )}
    </li>
  )
}
