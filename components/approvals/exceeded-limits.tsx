import { TriangleAlert } from 'lucide-react'
import type { LimitBump } from '@/components/lib/api-types'
import type { Words } from './words'

interface ExceededLimitsProps extends Words {
  readonly exceeds: LimitBump['exceeds']
  readonly currency: string
  /** The level of the heading. */
  readonly as: 'h2' | 'h3'
}

/** Lists the limits that approving the purchase lifts for it once. */
export function ExceededLimits({ exceeds, currency, as: Heading, text, format }: ExceededLimitsProps) {
  const { heading, kind: names, limit, once } = text.exceeded
  return (
    <section className="grid grid-cols-1 gap-2 rounded-card bg-warning-soft p-3 sm:p-4">
      <Heading className="flex items-center gap-2 font-semibold">
        <TriangleAlert aria-hidden className="size-5 shrink-0 text-warning" />
        {heading(exceeds.length)}
      </Heading>
      <ul className="grid grid-cols-1 gap-1">
        {exceeds.map(({ kind, scope, current_minor: current, requested_minor: requested }) => {
          const value = (minor: number) => (kind === 'velocity' ? String(minor) : format.money(minor, currency))
          return (
            <li key={`${scope} ${kind}`} className="flex flex-wrap gap-x-2 tabular-nums max-sm:text-sm sm:gap-x-4">
              <span className="min-w-[min(6rem,100%)] sm:min-w-32">{names[kind]}</span>
              <strong className="font-semibold">{value(requested)}</strong>
              <span>{limit[scope](value(current))}</span>
            </li>
          )
        })}
      </ul>
      <p className="text-sm">{once}</p>
    </section>
  )
}
