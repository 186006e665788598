'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleX, LoaderCircle, TimerOff } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTRPC } from '@/components/api/client'
import { TimeLeft } from '@/components/approvals/time-left'
import { CopyRow } from '@/components/developers/copy-row'
import { useText } from '@/components/i18n/locale-provider'
import type { TextOf } from '@/components/i18n/texts'
import type { AgeRequestStatus, AgeRequestView } from '@/components/lib/api-types'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Notice } from '@/components/ui/notice'
import { PageHeader } from '@/components/ui/page-header'
import { QrCode } from '@/components/ui/qr-code'
import { RequestFailure } from '@/components/ui/request-failure'
import { ageTexts } from './messages'

const POLL_MS = 2000

interface AgeRequestProps {
  readonly request: AgeRequestView
  readonly isSandbox: boolean
  /** Called when the person leaves the request, however it ended. */
  readonly onDone: () => void
}

/** Shows the request in the forms that a wallet app takes, until the app has answered. */
export function AgeRequest({ request, isSandbox, onDone }: AgeRequestProps) {
  const text = useText(ageTexts).request
  const trpc = useTRPC()
  const queries = useQueryClient()
  const { data } = useQuery({
    ...trpc.age.request.queryOptions({ id: request.id }),
    refetchInterval: ({ state }) => ((state.data?.status ?? 'pending') === 'pending' ? POLL_MS : false),
  })
  const leave = () => {
    void queries.invalidateQueries(trpc.age.read.queryFilter()).then(onDone)
  }
  const withdraw = useMutation(trpc.age.withdraw.mutationOptions({ onSuccess: leave }))
  const status = data?.status ?? 'pending'
  const top = useRef<HTMLDivElement>(null)
  // The button that had the focus is gone, so the focus moves here.
  useEffect(() => top.current?.focus(), [])
  return (
    <div ref={top} tabIndex={-1} className="grid grid-cols-[minmax(0,1fr)] gap-6 outline-none">
      <PageHeader title={text.title} />
      <div role="status" className="grid gap-4">
        {status === 'pending' ? (
          <p className="flex items-center gap-2.5 text-muted">
            <LoaderCircle aria-hidden className="size-5 shrink-0 animate-spin motion-reduce:animate-none" />
            {text.waiting}
          </p>
        ) : (
          <Ended status={status} error={data?.error ?? null} onDone={leave} />
        )}
      </div>
      {status === 'pending' ? (
        <>
          <Notice tone="warning">{text.yours}</Notice>
          <Code request={request} isSandbox={isSandbox} />
          {withdraw.isError ? <RequestFailure error={withdraw.error} /> : null}
          <Button
            variant="secondary"
            className="w-full sm:w-fit"
            busy={withdraw.isPending}
            onClick={() => withdraw.mutate({ id: request.id })}
          >
            {text.cancel}
          </Button>
        </>
      ) : null}
    </div>
  )
}

function Code({ request, isSandbox }: Pick<AgeRequestProps, 'request' | 'isSandbox'>) {
  const text = useText(ageTexts).request
  return (
    <Card className="grid gap-6 md:grid-cols-[auto_minmax(0,1fr)]">
      <div className="hidden content-start gap-2 sm:grid">
        <p className="text-muted">{text.scan}</p>
        <QrCode svg={request.qr_svg} alt={text.qr} />
      </div>
      <div className="grid min-w-0 content-start gap-3">
        <p className="hidden text-muted sm:block">{text.here}</p>
        <a href={request.link} className={buttonVariants({ className: 'w-full sm:w-fit' })}>
          {text.open}
        </a>
        {isSandbox ? (
          <>
            <p className="text-sm text-muted">{text.sandbox}</p>
            <CopyRow value={`npm run wallet -- present '${request.link}'`} what={text.command} />
          </>
        ) : null}
        <p className="text-sm text-muted">
          {text.expires} <TimeLeft until={request.expires_at} />
        </p>
      </div>
    </Card>
  )
}

interface EndedProps {
  readonly status: Exclude<AgeRequestStatus['status'], 'pending'>
  readonly error: string | null
  readonly onDone: () => void
}

function Ended({ status, error, onDone }: EndedProps) {
  const text = useText(ageTexts).request
  if (status === 'verified') {
    const { title, body, see } = text.verified
    return (
      <Notice tone="success" title={title} action={<Button onClick={onDone}>{see}</Button>}>
        {body}
      </Notice>
    )
  }
  const isExpired = status === 'expired'
  return (
    <EmptyState
      icon={isExpired ? TimerOff : CircleX}
      title={text[status].title}
      action={<Button onClick={onDone}>{text.another}</Button>}
    >
      {isExpired ? text.expired.body : whyRefused(error, text.refused)}
    </EmptyState>
  )
}

function whyRefused(error: string | null, words: TextOf<typeof ageTexts>['request']['refused']): string {
  if (error === 'issuer_untrusted') return words.untrusted
  return error === 'presentation_expired' || error === 'attestation_revoked' ? words.ended : words.body
}
