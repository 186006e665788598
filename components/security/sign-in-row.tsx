'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { LogIn, TriangleAlert, UserCheck } from 'lucide-react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { SecuritySignIn } from '@/components/lib/api-types'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Moment } from '@/components/ui/moment'
import { RequestFailure } from '@/components/ui/request-failure'
import { securityActivityTexts } from './activity-messages'
import { HappenedRow } from './happened-row'
import { securityTexts } from './messages'

/** Shows one sign-in, with the button that ends its session. */
export function SignInRow({ signIn }: { readonly signIn: SecuritySignIn }) {
  const { sessions } = useText(securityTexts)
  const text = useText(securityActivityTexts)
  const { device, session } = signIn
  const name = device === null ? sessions.unknown : sessions.device(device.browser, device.system)
  const isOther = signIn.is_alive && !signIn.this_one
  return (
    <HappenedRow
      icon={LogIn}
      title={
        <>
          {sessions.method[signIn.method]}
          {signIn.is_new ? (
            <Badge tone="warning" icon={TriangleAlert}>
              {text.isNew}
            </Badge>
          ) : null}
          {signIn.this_one ? (
            <Badge tone="success" icon={UserCheck}>
              {sessions.current}
            </Badge>
          ) : null}
        </>
      }
      detail={name}
      origin={
        <>
          <Moment at={signIn.ts} style="long" /> · {signIn.is_alive ? text.alive : text.ended}
        </>
      }
      action={isOther ? <EndSession session={session} device={name} /> : null}
    />
  )
}

function EndSession({ session, device }: { readonly session: string; readonly device: string }) {
  const text = useText(securityTexts).sessions
  const trpc = useTRPC()
  const queries = useQueryClient()
  const end = useMutation(trpc.security.endSession.mutationOptions({ onSettled: () => queries.invalidateQueries() }))
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        aria-label={text.endOf(device)}
        busy={end.isPending}
        onClick={() => end.mutate({ id: session })}
      >
        {text.end}
      </Button>
      {end.isError ? <RequestFailure error={end.error} /> : null}
    </>
  )
}
