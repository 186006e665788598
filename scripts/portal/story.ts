/**
 * Three weeks of the sandbox's built-in person, played over HTTP: two agents that buy books and paper, one that was
 * revoked, a dispute, a limit request, and a purchase that waits for an approval.
 */
import { demoPerson } from '../../server/surfaces/seed/demo-person'
import { Agent, must, operate, Person } from '../../test/support/actors'
import type { PortalServer } from './server'

/** The end of the story, on a Friday afternoon. */
export const STORY_NOW = new Date('2026-11-20T14:30:00Z')
const STORY_START = new Date('2026-10-29T16:05:00Z')
const HALF_A_MINUTE_MS = 30_000

/**
 * Returns when the server must start for the story to end at `endAt`. Browsers whose clock cannot be moved need a story
 * that ends now.
 */
export function storyStart(endAt = STORY_NOW): Date {
  return new Date(STORY_START.getTime() + endAt.getTime() - STORY_NOW.getTime())
}
const LIMITS = {
  currency: 'EUR',
  daily_cap_minor: 5_000,
  single_txn_cap_minor: 2_000,
  velocity_count: 5,
  velocity_window_seconds: 3_600,
}

interface Item {
  readonly sku: string
  readonly title: string
  readonly qty: number
  readonly unit_price_minor: number
  readonly currency: string
}

const item =
  (sku: string, title: string, price: number, currency = 'EUR') =>
  (qty: number): Item => ({
    sku,
    title,
    qty,
    unit_price_minor: price,
    currency,
  })

const kindred = item('kindred', 'Kindred', 1_350)
const leftHand = item('left-hand-of-darkness', 'The Left Hand of Darkness', 1_200)
const solaris = item('solaris', 'Solaris', 1_820)
const notebook = item('field-notebook', 'Field notebook, 96 pages', 750)
const linen = item('linen-notebook', 'Linen notebook', 980)
const kozo = item('kozo-paper', 'Kozo paper, 50 sheets', 1_800, 'JPY')
const poems = item('prompt-garden', 'The Prompt Garden: Collected Poems', 4_400)

type Shop = 'tallow-books' | 'kumo-supplies'

interface Order {
  readonly agent: Agent
  readonly shop: Shop
  readonly items: readonly Item[]
}

/** The ids for the addresses of the story's pages. */
export interface Story {
  readonly agentId: string
  readonly revokedAgentId: string
  /** The approval that waits. */
  readonly pendingId: string
  readonly approvedId: string
  readonly declinedId: string
  readonly paymentId: string
  readonly disputedPaymentId: string
}

class StoryClient {
  constructor(
    private readonly server: PortalServer,
    private readonly endAt: Date,
  ) {}

  /** Sets the clock. Agents forget the server's nonces, which have expired by then. */
  async at(instant: string, ...agents: readonly Agent[]): Promise<void> {
    const beforeEnd = STORY_NOW.getTime() - new Date(instant).getTime()
    await this.server.moveClock(new Date(this.endAt.getTime() - beforeEnd))
    for (const agent of agents) agent.forgetNonce()
  }

  /** Opens the person's wallet app, in a new session. */
  wallet(): Promise<Person> {
    return Person.signIn(this.server, demoPerson.id)
  }

  register(clientName: string, purpose: string): Promise<Agent> {
    return Agent.register(this.server, demoPerson.id, { client_name: clientName, purpose })
  }

  /** Requests a purchase, without waiting for a decision. */
  async ask({ agent, shop, items }: Order) {
    const asked = await agent.purchase({
      merchant: `${this.server.baseUrl}/sandbox/merchants/${shop}`,
      amount_minor: items.reduce((sum, { qty, unit_price_minor: price }) => sum + qty * price, 0),
      currency: items[0]?.currency ?? 'EUR',
      line_items: items.map((one) => ({ ...one })),
    })
    const pushed = must(await agent.push(asked.form), 201)
    return { agent, verifier: asked.verifier, requestUri: pushed.request_uri }
  }

  /** Decides the newest waiting purchase, and returns its id; null when none waits. */
  async decide(decision: 'approve' | 'decline'): Promise<string | null> {
    const wallet = await this.wallet()
    const [newest] = await wallet.pending()
    if (newest === undefined) return null
    must(await wallet.decide(newest['authorization_id'], decision), 200)
    return String(newest['authorization_id'])
  }

  async redeem({ agent, verifier, requestUri }: Awaited<ReturnType<StoryClient['ask']>>) {
    const { result } = await agent.authorize(requestUri)
    return must(await agent.redeem(result['code'] ?? '', verifier), 200)
  }

  /** Makes a purchase from the pushed request to the receipt; the person approves it where they are asked. */
  async buy(order: Order): Promise<{ readonly paymentId: string; readonly authorizationId: string | null }> {
    const asked = await this.ask(order)
    const authorizationId = await this.decide('approve')
    const { access_token: token, mandate_jwt: mandate, mandate_id: id } = await this.redeem(asked)
    const settled = await order.agent.settle<{ payment_intent_id: string }>(token, mandate, `order-${id}`)
    return { paymentId: must(settled, 200).payment_intent_id, authorizationId }
  }
}

/** Plays the story on a server that started at {@link storyStart}, and leaves its clock at the end. */
export async function playStory(server: PortalServer, endAt = STORY_NOW): Promise<Story> {
  const client = new StoryClient(server, endAt)
  const earlier = await firstWeeks(client)
  const { desk, research } = earlier
  await client.at('2026-11-17T10:05:00Z', desk, research)
  const disputed = await client.buy({ agent: research, shop: 'kumo-supplies', items: [linen(1)] })
  await client.at('2026-11-18T08:40:00Z', desk, research)
  await operate(server, 'POST', '/sandbox/disputes', {
    payment_intent_id: disputed.paymentId,
    dispute_status: 'pending',
  })
  await client.buy({ agent: desk, shop: 'tallow-books', items: [notebook(2)] })
  await client.at('2026-11-19T17:55:00Z', desk, research)
  await client.buy({ agent: desk, shop: 'tallow-books', items: [solaris(1)] })
  await client.buy({ agent: research, shop: 'kumo-supplies', items: [linen(1)] })
  const today = await lastDay(client, earlier)
  return {
    agentId: desk.clientId,
    revokedAgentId: earlier.revoked.clientId,
    approvedId: earlier.approvedId,
    declinedId: earlier.declinedId,
    disputedPaymentId: disputed.paymentId,
    ...today,
  }
}

interface FirstWeeks {
  readonly desk: Agent
  readonly research: Agent
  readonly revoked: Agent
  readonly approvedId: string
  readonly declinedId: string
}

async function firstWeeks(client: StoryClient): Promise<FirstWeeks> {
  const wallet = await client.wallet()
  const desk = await client.register('Claude Code on ada-mbp', 'Finds and buys books for the reading group')
  const research = await client.register('Research helper', 'Keeps paper and notebooks in stock')
  const revoked = await client.register('Old assistant', 'Tried out in October')
  must(await wallet.call('POST', `/wallet/agents/${revoked.clientId}/revoke`), 200)
  // The limits are removed, since they are in one currency and the paper is paid in another one.
  must(await wallet.call('POST', '/wallet/limits', {}), 200)
  const first = await client.buy({ agent: desk, shop: 'tallow-books', items: [kindred(1)] })
  await client.buy({ agent: research, shop: 'kumo-supplies', items: [kozo(1)] })
  must(await wallet.call('POST', '/wallet/limits', LIMITS), 200)
  const gilt = { merchant_audience: 'https://gilt-edge.example', verdict: 'deny' }
  must(await wallet.call('POST', '/wallet/merchant-rules', gilt), 200)
  await client.at('2026-11-04T11:20:00Z', desk, research)
  await client.buy({ agent: desk, shop: 'tallow-books', items: [notebook(1)] })
  await client.at('2026-11-06T19:02:00Z', desk, research)
  await client.buy({ agent: desk, shop: 'tallow-books', items: [solaris(1)] })
  await client.at('2026-11-09T09:31:00Z', desk, research)
  await client.buy({ agent: research, shop: 'kumo-supplies', items: [linen(2)] })
  await client.at('2026-11-12T13:47:00Z', desk, research)
  await client.buy({ agent: desk, shop: 'tallow-books', items: [leftHand(1)] })
  await client.at('2026-11-13T21:15:00Z', desk, research)
  await client.ask({ agent: desk, shop: 'tallow-books', items: [poems(1)] })
  const declinedId = await client.decide('decline')
  await client.at('2026-11-16T07:50:00Z', desk, research)
  await client.buy({ agent: desk, shop: 'tallow-books', items: [kindred(1)] })
  return { desk, research, revoked, approvedId: first.authorizationId ?? '', declinedId: declinedId ?? '' }
}

async function lastDay(client: StoryClient, { desk, research }: FirstWeeks) {
  await client.at('2026-11-20T09:12:00Z', desk, research)
  const paid = await client.buy({ agent: desk, shop: 'tallow-books', items: [leftHand(1)] })
  await client.at('2026-11-20T13:05:00Z', desk, research)
  await client.buy({ agent: research, shop: 'kumo-supplies', items: [linen(1)] })
  await client.at('2026-11-20T14:20:00Z', desk, research)
  await exceedLimit(client, desk)
  await client.at(new Date(STORY_NOW.getTime() - HALF_A_MINUTE_MS).toISOString(), desk, research)
  await client.ask({ agent: research, shop: 'tallow-books', items: [notebook(2)] })
  const [pending] = await (await client.wallet()).pending()
  await client.at(STORY_NOW.toISOString(), desk, research)
  return { paymentId: paid.paymentId, pendingId: String(pending?.['authorization_id']) }
}

/**
 * Lowers the agent's limit after a purchase was approved and before it is paid, so that the agent makes a limit
 * request.
 */
async function exceedLimit(client: StoryClient, agent: Agent): Promise<void> {
  const allowed = await client.redeem(await client.ask({ agent, shop: 'tallow-books', items: [solaris(1)] }))
  const wallet = await client.wallet()
  const own = { currency: 'EUR', single_txn_cap_minor: 1_500 }
  must(await wallet.call('POST', `/wallet/agents/${agent.clientId}/limits`, own), 200)
  must(await agent.settle(allowed.access_token, allowed.mandate_jwt, 'order-above-the-limit'), 403)
}
