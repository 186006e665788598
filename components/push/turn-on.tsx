'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { useTRPC } from '@/components/api/client'
import { useLocale, useText } from '@/components/i18n/locale-provider'
import { readRequestError } from '@/components/lib/request-error'
import { RelaxDialog } from '@/components/security/relax-dialog'
import { useRelaxing } from '@/components/security/use-relaxing'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { RequestFailure } from '@/components/ui/request-failure'
import type { HandedSubscription } from '@/server/identity/contacts/contract'
import { relaxedByDevice } from '@/server/identity/contacts/input'
import { noteHandedIn, PushBlockedError, subscribeBrowser, toHanded } from './browser'
import { pushTexts } from './messages'

/** Asks for the browser's permission and then for the person's confirmation, since messages show purchases. */
export function TurnOn({ serverKey }: { readonly serverKey: string }) {
  const text = useText(pushTexts)
  const trpc = useTRPC()
  const locale = useLocale()
  const queries = useQueryClient()
  const add = useMutation(
    trpc.notifications.addDevice.mutationOptions({
      onSuccess: (_kept, { endpoint }) => noteHandedIn(endpoint),
      onSettled: () => queries.invalidateQueries(),
    }),
  )
  const { ask, dialog } = useRelaxing<HandedSubscription, ReturnType<typeof relaxedByDevice>>(add)
  const subscribe = useMutation({
    mutationFn: () => subscribeBrowser(serverKey),
    onSuccess: (subscription) => {
      const change = toHanded(subscription, locale)
      ask({ change, subject: relaxedByDevice(change.endpoint) })
    },
  })
  const isFull = add.isError && readRequestError(add.error).code === 'conflict'
  return (
    <div className="grid justify-items-start gap-3">
      <Button busy={subscribe.isPending} onClick={() => subscribe.mutate()}>
        <Bell aria-hidden />
        {text.turnOn}
      </Button>
      {subscribe.error === null ? null : subscribe.error instanceof PushBlockedError ? (
        <Notice tone="warning" role="alert">
          {text.blocked}
        </Notice>
      ) : (
        <RequestFailure error={subscribe.error} />
      )}
      <RelaxDialog dialog={dialog} title={text.ask.title} from={text.off} to={text.on}>
        <p>{text.ask.body}</p>
        {isFull ? <p className="font-medium text-danger">{text.full}</p> : null}
      </RelaxDialog>
    </div>
  )
}
