'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { EventChoice } from '@/components/lib/api-types'
import { cn } from '@/components/lib/cn'
import { RelaxDialog } from '@/components/security/relax-dialog'
import { useRelaxing } from '@/components/security/use-relaxing'
import { Card } from '@/components/ui/card'
import { RequestFailure } from '@/components/ui/request-failure'
import { type RelaxedEvents, relaxedEvents } from '@/server/identity/contacts/input'
import { notificationsTexts } from './messages'

type Entry = EventChoice['muted'][number]
type Channel = 'email' | 'rcs' | 'push'

/** The kinds of events, in the order of the rows; those without a choice are always sent. */
const rows = ['approvals', 'security', 'payments', 'near_limit', 'disputes'] as const
type Row = (typeof rows)[number]

const entryOf = (row: Row, channel: Channel): Entry | null =>
  row === 'approvals' || row === 'security' ? null : `${row}:${channel}`

interface EventChoicesProps {
  readonly initial: EventChoice
  readonly channels: readonly Channel[]
}

/**
 * Lets the person choose which events each channel reports. Messages that need an answer cannot be switched off here,
 * and switching off those about payments and disputes is confirmed.
 */
export function EventChoices({ initial, channels }: EventChoicesProps) {
  const text = useText(notificationsTexts).notifications.events
  const trpc = useTRPC()
  const queries = useQueryClient()
  const { data } = useQuery({ ...trpc.notifications.events.queryOptions(), initialData: initial })
  const save = useMutation(
    trpc.notifications.saveEvents.mutationOptions({
      onSettled: () => queries.invalidateQueries(),
    }),
  )
  const { asked, ask, dialog } = useRelaxing<{ muted: Entry[] }, RelaxedEvents>(save)
  const muted = save.isPending ? save.variables.muted : data.muted
  const nameOf = (entry: string) => {
    const [row, channel] = entry.split(':') as [Row, Channel]
    return text.name(text.rows[row].label, text.channels[channel])
  }
  const change = (entry: Entry, wanted: boolean) => {
    if (save.isPending) return
    const next = wanted ? muted.filter((other) => other !== entry) : [...muted, entry]
    const subject = relaxedEvents(muted, next)
    if (subject === null) save.mutate({ muted: next })
    else ask({ change: { muted: next }, subject })
  }
  return (
    <Card className="grid gap-4">
      <table className="w-full table-fixed border-collapse text-start hyphens-auto">
        <caption className="sr-only">{text.caption}</caption>
        <Head channels={channels} />
        <tbody>
          {rows.map((row) => (
            <EventRow key={row} row={row} channels={channels} muted={muted} onChange={change} />
          ))}
        </tbody>
      </table>
      {save.isError && !dialog.open ? <RequestFailure error={save.error} /> : null}
      <p role="status" className="font-medium text-success empty:hidden">
        {save.isSuccess ? text.saved : null}
      </p>
      <RelaxDialog
        dialog={dialog}
        title={text.relax.title}
        from={Object.keys(asked?.subject ?? {})
          .map(nameOf)
          .join(', ')}
        to={text.relax.to}
      >
        <p>{text.relax.body}</p>
      </RelaxDialog>
    </Card>
  )
}

const cell = 'border-b border-line py-2'

function Head({ channels }: Pick<EventChoicesProps, 'channels'>) {
  const text = useText(notificationsTexts).notifications
  return (
    <thead>
      <tr>
        <th scope="col" className={cn(cell, 'text-start text-sm font-semibold text-muted')}>
          {text.events.column}
        </th>
        {channels.map((channel) => (
          <th
            key={channel}
            scope="col"
            className={cn(cell, 'w-14 text-center text-sm sm:w-24 font-semibold text-muted')}
          >
            {text.events.channels[channel]}
          </th>
        ))}
      </tr>
    </thead>
  )
}

interface EventRowProps extends Pick<EventChoicesProps, 'channels'> {
  readonly row: Row
  readonly muted: readonly Entry[]
  readonly onChange: (entry: Entry, wanted: boolean) => void
}

function EventRow({ row, channels, muted, onChange }: EventRowProps) {
  const text = useText(notificationsTexts).notifications.events
  const { label, hint } = text.rows[row]
  return (
    <tr>
      <th scope="row" className={cn(cell, 'pe-3 text-start font-normal')}>
        <span className="block font-medium">{label}</span>
        <span className="block text-sm text-muted">{hint}</span>
      </th>
      {channels.map((channel) => {
        const entry = entryOf(row, channel)
        return (
          <td key={channel} className={cn(cell, 'text-center')}>
            <label className="inline-grid size-11 place-items-center">
              <input
                type="checkbox"
                aria-label={text.name(label, text.channels[channel])}
                checked={entry === null || !muted.includes(entry)}
                disabled={entry === null}
                onChange={(event) => entry !== null && onChange(entry, event.target.checked)}
                className="size-6 accent-accent disabled:opacity-60"
              />
            </label>
          </td>
        )
      })}
    </tr>
  )
}
