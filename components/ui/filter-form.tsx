'use client'

import { ChevronDown, Filter } from 'lucide-react'
import type { ReactNode, SyntheticEvent } from 'react'
import { cn } from '@/components/lib/cn'
import { plainName } from '@/components/lib/plain-text'
import { Button, ButtonLink } from './button'
import { Field } from './field'
import { Select } from './select'

interface FilterFormProps {
  readonly text: { readonly title: string; readonly apply: string; readonly clear: string }
  /** Whether a filter is set; the form is then open, and can be cleared. */
  readonly active: boolean
  /** The address of the page without a filter. */
  readonly href: string
  readonly className?: string
  readonly onApply: () => void
  readonly children: ReactNode
}

/** Shows the filters of a list, folded at first. */
export function FilterForm({ text, active, href, className, onApply, children }: FilterFormProps) {
  const apply = (event: SyntheticEvent) => {
    event.preventDefault()
    onApply()
  }
  return (
    <details open={active} className="group rounded-card border border-line bg-surface shadow-card">
      <summary
        data-filter
        className="flex min-h-12 cursor-pointer list-none items-center gap-2.5 rounded-card px-5 font-medium"
      >
        <Filter aria-hidden className="size-4 text-muted" />
        {text.title}
        <ChevronDown
          aria-hidden
          className="ms-auto size-5 shrink-0 text-muted transition-transform group-open:rotate-180"
        />
      </summary>
      <form onSubmit={apply} noValidate className={cn('grid gap-4 border-t border-line p-5 sm:grid-cols-2', className)}>
        {children}
        <div className="flex flex-wrap items-end gap-3">
          <Button type="submit">{text.apply}</Button>
          {active ? (
            <ButtonLink href={href} variant="secondary">
              {text.clear}
            </ButtonLink>
          ) : null}
        </div>
      </form>
    </details>
  )
}

interface AgentFilterProps {
  readonly text: { readonly agent: string; readonly any: string }
  readonly agents: readonly { readonly client_id: string; readonly label: string }[]
  /** The agent's id; empty for all agents. */
  readonly value: string
  readonly onChange: (clientId: string) => void
}

export function AgentFilter({ text, agents, value, onChange }: AgentFilterProps) {
  return (
    <Field label={text.agent}>
      <Select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{text.any}</option>
        {agents.map((agent) => (
          <option key={agent.client_id} value={agent.client_id}>
            {plainName(agent.label)}
          </option>
        ))}
      </Select>
    </Field>
  )
}
