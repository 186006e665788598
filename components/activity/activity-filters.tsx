'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { Field } from '@/components/ui/field'
import { AgentFilter, FilterForm } from '@/components/ui/filter-form'
import { Select } from '@/components/ui/select'
import { type ActivityFilter, queryOf } from './filter'
import { activityTexts } from './messages'

interface ActivityFiltersProps {
  readonly initial: ActivityFilter
  readonly events: readonly string[]
  readonly agents: readonly { readonly client_id: string; readonly label: string }[]
}

/**
 * The filters of the page, which its address holds, so that they can be bookmarked, shared and reached by the back
 * button.
 */
export function ActivityFilters({ initial, events, agents }: ActivityFiltersProps) {
  const activityText = useText(activityTexts)
  const text = activityText.filters
  const router = useRouter()
  const [filter, setFilter] = useState(initial)
  return (
    <FilterForm
      text={text}
      active={initial.event !== '' || initial.agent !== ''}
      href="/activity"
      onApply={() => router.push(`/activity${queryOf(filter)}`)}
    >
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
      <AgentFilter
        text={text}
        agents={agents}
        value={filter.agent}
        onChange={(agent) => setFilter({ ...filter, agent })}
      />
    </FilterForm>
  )
}
