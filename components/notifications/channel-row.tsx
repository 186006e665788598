'use client'

import { useMutation } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import { readRequestError } from '@/components/lib/request-error'
import { RelaxDialog } from '@/components/security/relax-dialog'
import { Button } from '@/components/ui/button'
import { Card, Section } from '@/components/ui/card'
import { RequestFailure } from '@/components/ui/request-failure'
import type { ChannelChoice } from '@/server/identity/contacts/input'
import { notificationsTexts } from './messages'
import type { useSaveChannels } from './use-save-channels'

interface ChannelRowProps {
  readonly id: string
  readonly title: string
  readonly isOn: boolean
  /** Where the messages go. */
  readonly detail: string
  readonly email: string | null
  readonly saving: ReturnType<typeof useSaveChannels>
  readonly children: ReactNode
}

/** Shows one channel: its state, the controls that change it, and what failed. */
export function ChannelRow({ id, title, isOn, detail, email, saving, children }: ChannelRowProps) {
  const text = useText(notificationsTexts).notifications
  const { save, dialog, from, to } = saving
  return (
    <Section id={id} title={title}>
      <Card className="grid gap-5">
        <p className="wrap-break-word">
          <span className="font-medium">{isOn ? text.on : text.off}</span> <span className="text-muted">{detail}</span>
        </p>
        {children}
        {save.isError && !dialog.open ? <RequestFailure error={save.error} /> : null}
        <p role="status" className="font-medium text-success empty:hidden">
          {save.isSuccess ? text.saved : null}
        </p>
      </Card>
      <RelaxDialog
        dialog={dialog}
        title={text.relax.title}
        from={waysOf(from, email) || text.relax.nothing}
        to={waysOf(to, email) || text.relax.nothing}
      >
        <p>{text.relax.body}</p>
      </RelaxDialog>
    </Section>
  )
}

/** Returns in words where a choice sends messages. */
function waysOf(
  { email_enabled: byMail, rcs_enabled: byPhone, rcs_phone_e164: phone }: ChannelChoice,
  email: string | null,
) {
  return [byMail ? email : null, byPhone ? phone : null].filter((way) => way !== null).join(', ')
}

/** Sends a test message through one channel, and says when and for which address it was accepted. */
export function TestChannel({ channel, name }: { readonly channel: 'email' | 'rcs'; readonly name: string }) {
  const text = useText(notificationsTexts).notifications.test
  const format = useFormat()
  const trpc = useTRPC()
  const send = useMutation(trpc.notifications.sendTest.mutationOptions())
  const isNowhere = send.isError && readRequestError(send.error).code === 'conflict'
  const accepted = (to: string, at: string) => text.accepted[channel](to, format.time(at, 'time'))
  return (
    <>
      <Button
        variant="secondary"
        aria-label={text.of(name)}
        busy={send.isPending}
        onClick={() => send.mutate({ channel })}
      >
        <Send aria-hidden />
        {text.button}
      </Button>
      <p role="status" className="w-full font-medium wrap-break-word empty:hidden">
        {send.isSuccess
          ? send.data.outcome === 'accepted'
            ? accepted(send.data.to, send.data.at)
            : text.failed
          : null}
        {isNowhere ? text.nowhere : null}
      </p>
      {send.isError && !isNowhere ? <RequestFailure error={send.error} /> : null}
    </>
  )
}
