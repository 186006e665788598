import type { PartiesView } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { plainName } from '@/components/lib/plain-text'
import type { Party } from './party-select'

export function agentParties({ agents }: Pick<PartiesView, 'agents'>): Party[] {
  return agents.map(({ client_id: value, label }) => ({ value, name: plainName(label) }))
}

/** Returns the merchants by name; those with the same name are told apart by their addresses. */
export function merchantParties({ merchants }: Pick<PartiesView, 'merchants'>): Party[] {
  const parties = merchants.map(({ merchant_audience: value, merchant_name: name }) => ({
    value,
    name: merchantName(name, value),
  }))
  const times = new Map<string, number>()
  for (const { name } of parties) times.set(name, (times.get(name) ?? 0) + 1)
  return parties.map(({ value, name }) => ({
    value,
    name: times.get(name) === 1 ? name : `${name} (${merchantName(null, value)})`,
  }))
}

/** Returns the name of a party; null when it is not in the list. */
export function nameOf(parties: readonly Party[], value: string): string | null {
  return parties.find((party) => party.value === value)?.name ?? null
}
