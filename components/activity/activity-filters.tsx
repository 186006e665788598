'use client'

import { Filter } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { type SyntheticEvent, useState } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { plainName } from '@/components/lib/plain-text'
import { Button, ButtonLink } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { type ActivityFilter, queryOf } from './filter'
import { activityTexts } from './messages'

interface ActivityFiltersProps {
  readonly initial: ActivityFilter
  readonly events: readonly string[]
  readonly agents: readonly { readonly client_id: string; readonly label: string }[]
}

/** The filters are the address of the page: they can be kept, shared and gone back to. */
export function ActivityFilters({ initial, events, agents }: ActivityFiltersProps) {
  const activityText = useText(activityTexts)
  const text = activityText.filters
  const router = useRouter()
  const [filter, setFilter] = useState(initial)
  const active = initial.event !== '' || initial.agent !== ''
  const apply = (event: SyntheticEvent) => {
    event.preventDefault()
    router.push(`/activity${queryOf(filter)}`)
  }
  return (
    <details open={active} className="group rounded-card border border-line bg-surface shadow-card">
      <summary
        data-filter
        className="flex min-h-12 cursor-pointer list-none items-center gap-2.5 rounded-card px-5 font-medium"
      >
        <Filter aria-hidden className="size-4 text-muted" />
        {text.title}
      </summary>
      <form onSubmit={apply} className="grid gap-4 border-t border-line p-5 sm:grid-cols-2">
        <Field label={text.event}>
          <Select value={filter.event} onChange={({ target }) => setFilter({ ...filter, event: target.value })}>
            <option value="">{text.any}</option>
            {events.map((event) => (
              <option key={event} value={event}>
                {activityText.events[event] ?? event}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={text.agent}>
          <Select value={filter.agent} onChange={({ target }) => setFilter({ ...filter, agent: target.value })}>
            <option value="">{text.any}</option>
            {agents.map((agent) => (
              <option key={agent.client_id} value={agent.client_id}>
                {plainName(agent.label)}
              </option>
            ))}
          </Select>
        </Field>
        <div className="flex flex-wrap items-end gap-3">
          <Button type="submit">{text.apply}</Button>
          {active ? (
            <ButtonLink href="/activity" variant="secondary">
              {text.clear}
            </ButtonLink>
          ) : null}
        </div>
      </form>
    </details>
  )
}
