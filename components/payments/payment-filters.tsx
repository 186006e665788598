'use client'

import { ChevronDown, Filter } from 'lucide-react'
import { useId, useState } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import type { PartiesView } from '@/components/lib/api-types'
import { cn } from '@/components/lib/cn'
import { Field, Input } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { type PaymentFilter, paymentStatuses, WORDS_MAX_CHARS } from './filter'
import { filterTexts } from './filter-messages'
import { agentParties, merchantParties } from './parties'
import { PartySelect } from './party-select'
import { paymentStatusTexts } from './status-messages'
import { useWantedFilter } from './use-wanted-filter'

interface PaymentFiltersProps {
  readonly filter: PaymentFilter
  readonly parties: PartiesView
}

interface ControlsProps {
  readonly wanted: PaymentFilter
  readonly parties: PartiesView
  readonly set: (member: keyof PaymentFilter, value: string) => void
}

/**
 * The search and the filters. They are kept in the address, so that it can be bookmarked, shared and reached by the
 * back button.
 */
export function PaymentFilters({ filter, parties }: PaymentFiltersProps) {
  const text = useText(filterTexts)
  const { wanted, set } = useWantedFilter(filter)
  const { q: _words, ...choices } = filter
  return (
    <search className="grid gap-4">
      <Field label={text.search.label} hint={text.search.hint}>
        <Input
          type="search"
          autoComplete="off"
          maxLength={WORDS_MAX_CHARS}
          value={wanted.q}
          onChange={({ target }) => set('q', target.value)}
        />
      </Field>
      <Folded label={text.filter} open={Object.values(choices).some((value) => value !== '')}>
        <Controls wanted={wanted} parties={parties} set={set} />
      </Folded>
    </search>
  )
}

interface FoldedProps {
  readonly label: string
  /** Whether it is unfolded at first. */
  readonly open: boolean
  readonly children: React.ReactNode
}

/** Folds its content behind a button on a phone; it is always shown where there is room. */
function Folded({ label, open: initial, children }: FoldedProps) {
  const id = useId()
  const [open, setOpen] = useState(initial)
  return (
    <div className="grid gap-3">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className="inline-flex min-h-11 w-fit items-center gap-2 rounded-control border border-control bg-surface px-4 font-medium hover:bg-sunken sm:hidden"
      >
        <Filter aria-hidden className="size-4 text-muted" />
        {label}
        <ChevronDown aria-hidden className={cn('size-5 text-muted transition-transform', open && 'rotate-180')} />
      </button>
      <div id={id} className={cn('gap-4 sm:grid sm:grid-cols-2 lg:grid-cols-5', open ? 'grid' : 'hidden')}>
        {children}
      </div>
    </div>
  )
}

function Controls({ wanted, parties, set }: ControlsProps) {
  const text = useText(filterTexts)
  const status = useText(paymentStatusTexts)
  const isOrdered = wanted.from === '' || wanted.to === '' || wanted.from <= wanted.to
  return (
    <>
      <PartySelect
        label={text.agent}
        any={text.any}
        parties={agentParties(parties)}
        value={wanted.agent}
        onChange={(agent) => set('agent', agent)}
      />
      <PartySelect
        label={text.merchant}
        any={text.any}
        parties={merchantParties(parties)}
        value={wanted.merchant}
        onChange={(merchant) => set('merchant', merchant)}
      />
      <Field label={text.from}>
        <Input type="date" value={wanted.from} onChange={({ target }) => set('from', target.value)} />
      </Field>
      <Field label={text.to} error={isOrdered ? undefined : text.order}>
        <Input type="date" value={wanted.to} onChange={({ target }) => set('to', target.value)} />
      </Field>
      <Field label={text.status}>
        <Select value={wanted.status} onChange={({ target }) => set('status', target.value)}>
          <option value="">{text.any}</option>
          {paymentStatuses.map((one) => (
            <option key={one} value={one}>
              {status[one]}
            </option>
          ))}
        </Select>
      </Field>
      <p className="col-span-full text-sm text-muted">{text.days(parties.time_zone)}</p>
    </>
  )
}
