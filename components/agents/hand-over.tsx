'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleX, LoaderCircle, TimerOff } from 'lucide-react'
import { Fragment, useEffect, useRef } from 'react'
import { useTRPC } from '@/components/api/client'
import { TimeLeft } from '@/components/approvals/time-left'
import { useText } from '@/components/i18n/locale-provider'
import type { SetupTokenView } from '@/components/lib/api-types'
import { Button, ButtonLink } from '@/components/ui/button'
import { Card, Section } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy-button'
import { EmptyState } from '@/components/ui/empty-state'
import { Notice } from '@/components/ui/notice'
import { PageHeader } from '@/components/ui/page-header'
import { QrCode } from '@/components/ui/qr-code'
import { RequestFailure } from '@/components/ui/request-failure'
import { HostTabs } from './host-tabs'
import { agentsTexts } from './messages'

const POLL_MS = 3000
/** The command of a tool server that is in the service's own checkout. */
const LOCAL_COMMAND = 'node'

interface HandOverProps {
  readonly connection: SetupTokenView
  readonly name: string
  /** The host that is shown first. */
  readonly host?: string | undefined
  /** The link back; left out within a page that has its own. */
  readonly back?: { readonly href: string; readonly label: string } | undefined
  readonly onAgain: () => void
}

/** Shows the setup token in the forms in which it can be handed over, until the agent has used it. */
export function HandOver({ connection, name, host, back, onAgain }: HandOverProps) {
  const text = useText(agentsTexts).handOver
  const trpc = useTRPC()
  const queries = useQueryClient()
  const { data } = useQuery({
    ...trpc.agents.setupToken.queryOptions({ id: connection.id }),
    refetchInterval: ({ state }) => ((state.data?.status ?? 'waiting') === 'waiting' ? POLL_MS : false),
  })
  const cancel = useMutation(
    trpc.agents.cancelSetupToken.mutationOptions({ onSettled: () => queries.invalidateQueries() }),
  )
  const status = data?.status ?? 'waiting'
  const title = status === 'waiting' ? text.title(name) : name
  const top = useRef<HTMLDivElement>(null)
  // The form that had the focus is gone, so the focus moves here.
  useEffect(() => top.current?.focus(), [])
  return (
    <div ref={top} tabIndex={-1} className="grid grid-cols-[minmax(0,1fr)] gap-6 outline-none">
      {back === undefined ? <h2 className="text-xl font-semibold tracking-tight">{title}</h2> : null}
      {back === undefined ? null : <PageHeader title={title} back={back} />}
      <div role="status" className="grid gap-4">
        {status === 'waiting' ? (
          <p className="flex items-center gap-2.5 text-muted">
            <LoaderCircle aria-hidden className="size-5 shrink-0 animate-spin motion-reduce:animate-none" />
            {text.waiting}
          </p>
        ) : (
          <Ended status={status} clientId={data?.client_id ?? null} name={name} onAgain={onAgain} />
        )}
      </div>
      {status === 'waiting' ? (
        <>
          <Notice tone="warning">{text.once}</Notice>
          <Code connection={connection} host={host} />
          {cancel.isError ? <RequestFailure error={cancel.error} /> : null}
          <Button
            variant="secondary"
            className="w-full sm:w-fit"
            busy={cancel.isPending}
            onClick={() => cancel.mutate({ id: connection.id })}
          >
            {text.cancel}
          </Button>
        </>
      ) : null}
    </div>
  )
}

function Code({ connection, host }: Pick<HandOverProps, 'connection' | 'host'>) {
  const text = useText(agentsTexts).handOver
  return (
    <>
      <Section id="code" title={text.connect}>
        <Card className="grid gap-6 md:grid-cols-[auto_minmax(0,1fr)]">
          <div className="grid content-start justify-items-center gap-2 md:justify-items-start">
            <p className="text-muted">{text.scan}</p>
            <QrCode svg={connection.qr_svg} alt={text.qr} className="size-56" />
          </div>
          <div className="grid min-w-0 content-start gap-3">
            <p className="text-muted">{text.run}</p>
            <code
              dir="ltr"
              className="rounded-control bg-sunken p-4 font-mono text-sm wrap-anywhere"
              aria-label={text.command}
            >
              <Words of={connection.command} />
            </code>
            <CopyButton value={connection.command} what={text.command} className="w-fit" />
            <p className="text-sm text-muted">
              {text.expires} <TimeLeft until={connection.expires_at} />
            </p>
          </div>
        </Card>
      </Section>
      <Section id="host" title={text.host} description={text.hostHint}>
        <Card>
          <HostTabs program={connection.program} first={host} />
          {connection.program[0] === LOCAL_COMMAND ? <p className="mt-4 text-sm text-muted">{text.sandbox}</p> : null}
        </Card>
      </Section>
    </>
  )
}

/** The length in characters above which a word may be broken anywhere. */
const WHOLE_CHARS = 24

/** Shows a command; a line never breaks within an option. */
function Words({ of: command }: { readonly of: string }) {
  return command.split(' ').map((word, index) => (
    <Fragment key={`${index} ${word}`}>
      {index === 0 ? null : ' '}
      <span className={word.length > WHOLE_CHARS ? 'break-all' : 'whitespace-nowrap'}>{word}</span>
    </Fragment>
  ))
}

interface EndedProps {
  readonly status: 'connected' | 'cancelled' | 'expired'
  readonly clientId: string | null
  readonly name: string
  readonly onAgain: () => void
}

function Ended({ status, clientId, name, onAgain }: EndedProps) {
  const text = useText(agentsTexts).handOver
  if (status === 'connected') {
    return (
      <Notice
        tone="success"
        title={text.connected.title}
        action={
          <ButtonLink href={clientId === null ? '/agents' : `/agents/${encodeURIComponent(clientId)}`}>
            {text.connected.see}
          </ButtonLink>
        }
      >
        {text.connected.body(name)}
      </Notice>
    )
  }
  const words = text[status]
  return (
    <EmptyState
      icon={status === 'cancelled' ? CircleX : TimerOff}
      title={words.title}
      action={<Button onClick={onAgain}>{text.another}</Button>}
    >
      {words.body}
    </EmptyState>
  )
}
