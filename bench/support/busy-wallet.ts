/**
 * A wallet in daily use, for which the measured limits of the portal are set: 500 payments, 40 agents, eight waiting
 * approvals.
 */
import { type PortalServer, withPortalServer } from '../../scripts/portal/server'
import { sql } from '../../server/base/core/sql'
import { openDatabase } from '../../server/base/platform/database/client'
import { demoPerson } from '../../server/surfaces/seed/demo-person'
import { Agent, must, Person, type Target } from '../../test/support/actors'
import { type FullWallet, fillWallet } from './pages-wallet'

/** The size of the filled wallet; the agents that request something make them forty. */
const SIZE = { payments: 500, days: 60, agents: 36, merchants: 6, approvals: 60 }
const LONGER = { weekly_cap_minor: 500_000, monthly_cap_minor: 2_000_000 }
const OWN_LIMITS = { currency: 'EUR', daily_cap_minor: 10_000, weekly_cap_minor: 30_000, single_txn_cap_minor: 2_000 }
const OVER_TWO_LIMITS_MINOR = 5_500

/**
 * The agents that wait, and the amounts that they request. Two have the same name, like two windows of the same
 * program.
 */
const ASKING = [
  { name: 'Claude Code', amounts: [OVER_TWO_LIMITS_MINOR, 1_200, 990] },
  { name: 'Claude Code', amounts: [2_550, 480] },
  { name: 'Research helper', amounts: [6_100, 1_950] },
  { name: 'Shopping list', amounts: [700] },
]

/** The ids for the addresses of the wallet's pages. */
export interface BusyWallet extends FullWallet {
  /** The waiting approval that exceeds two limits. */
  readonly pendingId: string
}

/** Starts a server for `work`, with a wallet in daily use. */
export async function withBusyServer<T>(work: (server: PortalServer, wallet: BusyWallet) => Promise<T>): Promise<T> {
  let filled: FullWallet | undefined
  const prepare = async (dataDir: string) => {
    filled = await fillBusyWallet({ databaseUrl: null, dataDir })
  }
  return withPortalServer({ prepare }, async (server) => {
    if (filled === undefined) throw new Error('the wallet was not filled')
    return work(server, await askInBusyWallet(server, filled))
  })
}

/** The location of the database; embedded below the data directory when no URL is given. */
interface Location {
  readonly databaseUrl: string | null
  readonly dataDir: string
}

/** Fills the wallet of the sandbox's built-in person while no server uses the database. */
async function fillBusyWallet(location: Location): Promise<FullWallet> {
  const db = await openDatabase({ ...location, databasePoolSize: 1 })
  try {
    const filled = await fillWallet(db, SIZE)
    await db.query(sql`
      INSERT INTO remembered_approvals (principal_id, client_id, subject, created_at, up_to_minor, currency, merchant_name, card_id)
      SELECT ${demoPerson.id}, ${filled.agentId}, 'merchant:' || ${filled.merchant}::text, now(), 2920, 'EUR', 'Shop',
             (SELECT min(id) FROM card_mandates WHERE principal_id = ${demoPerson.id})`)
    return filled
  } finally {
    await db.close()
  }
}

/** Sets limits, and has four agents request eight purchases, on the server of a filled wallet. */
async function askInBusyWallet(target: Target, filled: FullWallet): Promise<BusyWallet> {
  const person = await Person.signIn(target, demoPerson.id)
  const { currency, dailyCapMinor, singleTxnCapMinor } = demoPerson.limits
  const own = { currency, daily_cap_minor: dailyCapMinor, single_txn_cap_minor: singleTxnCapMinor, ...LONGER }
  must(await person.call('POST', '/wallet/limits', own), 200)
  must(await person.call('POST', `/wallet/agents/${filled.agentId}/limits`, OWN_LIMITS), 200)
  for (const { name, amounts } of ASKING) await ask(target, name, amounts)
  const waiting = await person.pending()
  const wanted = waiting.find(({ amount_minor: amount }) => amount === OVER_TWO_LIMITS_MINOR)
  if (wanted === undefined) throw new Error('no request over two limits waits')
  return { ...filled, pendingId: String(wanted['authorization_id']) }
}

async function ask(target: Target, name: string, amounts: readonly number[]): Promise<void> {
  const agent = await Agent.register(target, demoPerson.id, { client_name: name, purpose: 'Buys books and paper' })
  for (const amount of amounts) must(await agent.push((await agent.purchase({ amount_minor: amount })).form), 201)
}
