/**
 * A server and its shoppers: agents of different people, of several tenants, so that they do not all wait for the same
 * lock.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { openDemoSession } from '../../scripts/portal/session'
import { demoPerson } from '../../server/surfaces/seed/demo-person'
import { Agent, must, newPrincipal, newWalletClient, operate, Person, type Target } from '../../test/support/actors'
import { concurrently } from './concurrently'
import { letPeoplePay, MERCHANT } from './full-tables'
import { type Connections, openConnections } from './load'
import { withPayingServer } from './paying-server'
import { type Server, startCountersign, stopServer } from './servers'

export interface Shopper {
  readonly agent: Agent
  /** The newest nonce from the server, for its next proof. */
  nonce: string | undefined
}

export interface Crowd {
  readonly server: Server
  readonly connections: Connections
  readonly shoppers: readonly Shopper[]
  /** The session of the first shopper's person, who reads the home page. */
  readonly cookie: string
}

interface Options {
  readonly port: number
  readonly shoppers: number
  readonly env?: Readonly<Record<string, string>>
}

type Work = (crowd: Crowd) => Promise<void>

const TENANTS = 10
const REGISTRATIONS_AT_ONCE = 8
/** Limits that are never reached. */
const LIMITS = { currency: 'EUR', daily_cap_minor: 900_000_000_000 }

/**
 * Runs `work` with a crowd on its own PostgreSQL database, with Redis where REDIS_URL names one. Charges go to
 * bench/support/processor.ts.
 */
export function withCrowd(options: Options, work: Work): Promise<void> {
  return withPayingServer(options, async ({ server, databaseUrl }) => {
    const people = await newPeople(server, options.shoppers - 1, async (tenantId) => {
      const created = await operate(server, 'POST', '/principals', { wallet_client_id: tenantId })
      return must(created, 201)['principal_id'] ?? ''
    })
    await letPeoplePay(databaseUrl)
    await withShoppers(server, people, work)
  })
}

/** Runs `work` with a crowd on the embedded database. Charges go to the sandbox's own processor. */
export async function withEmbeddedCrowd({ port, shoppers, env }: Options, work: Work): Promise<void> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'countersign-bench-'))
  const embedded = { DATABASE_URL: '', REDIS_URL: '' }
  const server = await startCountersign({ port, lane: 'direct', dataDir, env: { ...embedded, ...env } })
  try {
    const people = await newPeople(server, shoppers - 1, async (tenantId) => {
      const person = { approval_rule: 'above_limits', limits: LIMITS, wallet_client_id: tenantId } as const
      return (await newPrincipal(server, person)).principalId
    })
    await withShoppers(server, people, async (crowd) => {
      await approveFirstPurchase(crowd)
      await work(crowd)
    })
  } finally {
    await stopServer(server)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function newPeople(target: Target, count: number, create: (tenantId: string) => Promise<string>) {
  const tenants = await Promise.all(Array.from({ length: TENANTS }, () => newWalletClient(target)))
  const turns = Array.from({ length: count }, (_, index) => tenants[index % TENANTS]?.clientId ?? '')
  return concurrently(turns, REGISTRATIONS_AT_ONCE, create)
}

/**
 * Approves the first purchase. The sandbox's built-in person has a card, and is asked when an agent first buys at a
 * merchant.
 */
async function approveFirstPurchase({ server, shoppers: [first] }: Crowd): Promise<void> {
  if (first === undefined) throw new Error('no shoppers')
  const { agent } = first
  const person = await Person.signIn(server, demoPerson.id)
  must(await person.call('POST', '/wallet/limits', LIMITS), 200)
  must(await agent.push((await agent.purchase({ merchant: MERCHANT, amount_minor: 1 })).form), 201)
  const [pending] = await person.pending()
  must(await person.decide(pending?.['authorization_id'], 'approve'), 200)
}

async function withShoppers(server: Server, people: readonly string[], work: Work): Promise<void> {
  const shoppers = await concurrently([demoPerson.id, ...people], REGISTRATIONS_AT_ONCE, async (id) => ({
    agent: await Agent.register(server, id),
    nonce: undefined,
  }))
  const { name, value } = await openDemoSession(server.baseUrl)
  const connections = openConnections(server.baseUrl)
  try {
    await work({ server, connections, shoppers, cookie: `${name}=${value}` })
  } finally {
    connections.close()
  }
}
