'use client'

import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { PortalConsent } from '@/components/lib/api-types'
import { ForeignText } from '@/components/ui/foreign-text'
import { DeclineAll } from './decline-all'
import { consentTexts } from './messages'
import { RequestRows } from './request-rows'

/** What waits, agent by agent, with the way to decline all that one of them asks. */
export function RequestsByAgent({ consents }: { readonly consents: readonly PortalConsent[] }) {
  const groups = groupByAgent(consents)
  return (
    <div className="grid gap-6">
      {[...groups].map(([clientId, asked]) => (
        <AgentRequests key={clientId} consents={asked} />
      ))}
    </div>
  )
}

/** In the order of what ends first with each. */
function groupByAgent(consents: readonly PortalConsent[]): ReadonlyMap<string, readonly PortalConsent[]> {
  const groups = new Map<string, PortalConsent[]>()
  for (const consent of consents) {
    const { client_id: clientId } = consent.agent
    groups.set(clientId, [...(groups.get(clientId) ?? []), consent])
  }
  return groups
}

function AgentRequests({ consents }: { readonly consents: readonly PortalConsent[] }) {
  const { list } = useText(consentTexts)
  const totals = useTotals(consents)
  const { client_id: clientId, label } = consents[0]?.agent ?? { client_id: '', label: '' }
  const heading = `waiting-${clientId}`
  return (
    <section aria-labelledby={heading} className="grid gap-3">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 id={heading} className="wrap-anywhere text-lg font-semibold tracking-tight">
          <ForeignText text={label} />
          <span className="font-normal text-muted">
            {' '}
            · {list.waitingCount(consents.length)}
            {totals === '' ? null : ` · ${totals}`}
          </span>
        </h2>
        <DeclineAll agent={label} consents={consents} />
      </div>
      <RequestRows consents={consents} />
    </section>
  )
}

/** The sum in each currency. */
function useTotals(consents: readonly PortalConsent[]): string {
  const format = useFormat()
  const sums = new Map<string, number>()
  for (const { amount_minor: minor = 0, currency } of consents) {
    if (currency !== undefined) sums.set(currency, (sums.get(currency) ?? 0) + minor)
  }
  return [...sums].map(([currency, minor]) => format.money(minor, currency)).join(', ')
}
