'use client'

import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX, Network } from 'lucide-react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { RequestLogView } from '@/components/lib/api-types'
import { Badge } from '@/components/ui/badge'
import { RowList, Section } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy-button'
import { EmptyState } from '@/components/ui/empty-state'
import { ForeignText } from '@/components/ui/foreign-text'
import { Moment } from '@/components/ui/moment'
import { Notice } from '@/components/ui/notice'
import { developersTexts } from './messages'

/** How often the log is read; requests change no other page, so they are not announced. */
const READ_EVERY_MS = 5_000

export function RequestLog({ initial }: { readonly initial: RequestLogView }) {
  const text = useText(developersTexts).requests
  const trpc = useTRPC()
  const { data } = useQuery({
    ...trpc.developers.requests.queryOptions(),
    initialData: initial,
    refetchInterval: initial.kept ? READ_EVERY_MS : false,
  })
  return (
    <Section id="requests" title={text.title} description={data.kept ? text.body : undefined}>
      {data.kept ? <Requests requests={data.requests} /> : <Notice tone="info">{text.off}</Notice>}
    </Section>
  )
}

function Requests({ requests }: Pick<RequestLogView, 'requests'>) {
  const text = useText(developersTexts).requests
  if (requests.length === 0) {
    return (
      <EmptyState icon={Network} title={text.none.title}>
        {text.none.body}
      </EmptyState>
    )
  }
  return (
    <RowList aria-label={text.title}>
      {requests.map((request) => (
        <Row key={request.request_id} request={request} />
      ))}
    </RowList>
  )
}

function Row({ request }: { readonly request: RequestLogView['requests'][number] }) {
  const text = useText(developersTexts).requests
  const isRefused = request.status >= 400
  return (
    <li className="grid gap-1 px-5 py-3">
      <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="wrap-anywhere font-medium">
          <code className="font-mono text-sm">
            {request.method} {request.operation}
          </code>
        </span>
        <Badge icon={isRefused ? CircleX : CircleCheck} tone={isRefused ? 'danger' : 'success'}>
          {request.status}
          {request.error === null ? '' : ` ${request.error}`}
        </Badge>
      </p>
      <p className="text-sm text-muted">
        <Moment at={request.at} /> · {text.ms(request.ms)} · <Caller request={request} />
      </p>
      <p className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
        <span>
          {text.id} <code className="break-all font-mono">{request.request_id}</code>
        </span>
        <CopyButton value={request.request_id} what={text.id} />
      </p>
    </li>
  )
}

function Caller({ request }: { readonly request: RequestLogView['requests'][number] }) {
  const text = useText(developersTexts).requests
  if (request.client_id === null) return text.token
  return request.agent_label === null ? text.agent : <ForeignText text={request.agent_label} />
}
