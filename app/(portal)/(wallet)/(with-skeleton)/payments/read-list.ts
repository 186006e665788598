import { TRPCError } from '@trpc/server'
import type { PartiesView } from '@/components/lib/api-types'
import { readMember, type Search } from '@/components/lib/read-member'
import { readFilter, toApiFilter } from '@/components/payments/filter'
import { portal } from '@/server/transport/trpc/rsc'

/** Returns the list that the address selects. Unreadable members are left out, and set `unread`. */
export async function readList(search: Search) {
  const api = await portal()
  const parties = await api.payments.parties()
  const { filter, unread } = readFilter(search, await knownAgents(search, parties))
  const selection = toApiFilter(filter)
  const cursor = readMember(search, 'cursor', () => true) ?? ''
  const found = cursor === '' ? null : await nullIfRefused(api.payments.list({ ...selection, cursor }))
  return {
    filter,
    parties,
    page: found === null ? {} : { cursor },
    initial: found ?? (await api.payments.list(selection)),
    unread: unread || (found === null && (search['cursor'] ?? '') !== ''),
  }
}

/** Returns the agents that have paid; every agent of the person when the address names another one. */
async function knownAgents(search: Search, { agents }: PartiesView): Promise<string[]> {
  const paying = agents.map(({ client_id: id }) => id)
  const { agent } = search
  if (typeof agent !== 'string' || paying.includes(agent)) return paying
  const api = await portal()
  const { agents: all } = await api.agents.list()
  return [...paying, ...all.map(({ client_id: id }) => id)]
}

/** Resolves with the result of `work`; null when the server refuses the cursor, which only the server can read. */
async function nullIfRefused<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof TRPCError && error.code === 'BAD_REQUEST') return null
    throw error
  }
}
