'use client'

import { useMutation } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { readRequestError } from '@/components/lib/request-error'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { RequestFailure } from '@/components/ui/request-failure'
import { notificationsTexts } from './messages'

/** Sends a message that asks nothing, so that people see whether theirs arrive before something waits for them. */
export function TestMessage() {
  const text = useText(notificationsTexts).notifications.test
  const trpc = useTRPC()
  const send = useMutation(trpc.notifications.sendTest.mutationOptions())
  const hasNoChannel = send.isError && readRequestError(send.error).code === 'conflict'
  return (
    <div className="grid justify-items-start gap-3">
      <p className="max-w-prose text-muted">{text.hint}</p>
      {send.isError && !hasNoChannel ? <RequestFailure error={send.error} /> : null}
      {hasNoChannel ? (
        <Notice tone="warning" role="alert">
          {text.nowhere}
        </Notice>
      ) : null}
      <div className="flex flex-wrap items-center gap-4">
        <Button variant="secondary" busy={send.isPending} onClick={() => send.mutate()}>
          <Send aria-hidden />
          {text.button}
        </Button>
        <p role="status" className="font-medium text-success empty:hidden">
          {send.isSuccess ? text.sent(send.data.channels.map((channel) => text.channels[channel]).join(', ')) : null}
        </p>
      </div>
    </div>
  )
}
