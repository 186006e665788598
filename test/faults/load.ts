import { randomUUID } from 'node:crypto'
import { sql } from '@/server/base/core/sql'
import type { TestCardName } from '@/server/base/platform/processor/sandbox-cards'
import { type Agent, type Answer, operate, type Person, REDIRECT_URI, type TokenAnswer } from '../support/actors'
import type { SettleAnswer } from './history'
import type { Payer, PayerLimits, Purchase, Shop } from './population'
import type { Random } from './random'
import type { SettleRequest, Settling } from './settling'
import type { World } from './world'

type Role = 'plain' | 'hot' | 'single' | 'fast' | 'frozen' | 'asking'

interface RolePlan {
  readonly count: number
  readonly agents: number
  readonly limits: PayerLimits | null
  readonly share: number
}

const plans: Readonly<Record<Role, RolePlan>> = {
  plain: { count: 16, agents: 2, limits: null, share: 60 },
  hot: { count: 2, agents: 4, limits: { dailyCapMinor: 400_000 }, share: 18 },
  single: { count: 2, agents: 2, limits: { singleTxnCapMinor: 2_500 }, share: 6 },
  fast: { count: 2, agents: 2, limits: { velocityCount: 25, velocityWindowSeconds: 20 }, share: 6 },
  frozen: { count: 4, agents: 2, limits: { dailyCapMinor: 1_000_000_000 }, share: 6 },
  asking: { count: 3, agents: 1, limits: { dailyCapMinor: 20_000 }, share: 4 },
}
const roles: readonly Role[] = ['plain', 'hot', 'single', 'fast', 'frozen', 'asking']

/** What the cards of the plain payers do; the others' always pay. */
const cards: readonly TestCardName[] = [
  'success',
  'success',
  'success',
  'timeout',
  'success',
  'decline',
  'success',
  'authentication_required',
]

interface Actor {
  readonly role: Role
  readonly payer: Payer
  person: Person | null
  isFrozen: boolean
}

const TRIES = 5
const AMOUNT_MAX = 5_000

/** People and agents that settle, change their minds, repeat themselves and get things wrong, all at random. */
export class Load {
  readonly #actors: Actor[] = []
  readonly #shops: Shop[] = []
  readonly #tenants: string[] = []
  #stopped = false

  constructor(
    private readonly world: World,
    private readonly settling: Settling,
    private readonly random: Random,
  ) {}

  async populate(): Promise<void> {
    const { population } = this.world
    this.#tenants.push(await population.tenant(), await population.tenant())
    for (const name of ['tallow', 'quill', 'ember']) this.#shops.push(await population.shop(name))
    for (const role of roles) {
      for (let index = 0; index < plans[role].count; index += 1) await this.#addActor(role, index)
    }
  }

  async #addActor(role: Role, index: number): Promise<Actor> {
    const { population, books } = this.world
    const principalId = randomUUID()
    const behaviour = role === 'plain' ? (cards[index % cards.length] ?? 'success') : 'success'
    const card = await books.card(principalId, behaviour)
    const payer = await population.payer(this.random.pick(this.#tenants), {
      card,
      limits: plans[role].limits,
      principalId,
    })
    for (let count = 0; count < plans[role].agents; count += 1) await population.agent(payer)
    const actor: Actor = { role, payer, person: null, isFrozen: false }
    this.#actors.push(actor)
    return actor
  }

  stop(): void {
    this.#stopped = true
  }

  /** Keeps `workers` requests going until stopped. */
  async run(workers: number): Promise<void> {
    const work = async (): Promise<void> => {
      while (!this.#stopped) await this.#step()
    }
    await Promise.all(Array.from({ length: workers }, work))
  }

  async #step(): Promise<void> {
    const actor = this.#choose()
    if (actor.role === 'frozen' && this.random.chance(0.12)) return this.#changeLimits(actor)
    if (actor.role === 'plain' && this.random.chance(0.006)) return this.#revoke(actor)
    if (this.random.chance(0.001)) return this.#toggle()
    if (this.random.chance(0.002)) return this.#rotateKeys()
    const agent = this.random.pick(actor.payer.agents)
    const shop = this.random.pick(this.#shops)
    const order = { shop, amountMinor: this.#amount(actor) }
    const isByProtocol = actor.role === 'plain' && this.random.chance(0.03)
    const purchase = isByProtocol ? await this.#buy(agent, order) : await this.world.population.purchase(agent, order)
    if (purchase !== null) await this.#settle(actor, purchase)
  }

  /** Tokens and mandate the long way: pushed request, code, token request with a key, which is repeated as it is. */
  async #buy(agent: Agent, order: { shop: Shop; amountMinor: number }): Promise<Purchase | null> {
    const bought = await agent
      .code({ merchant: order.shop.audience, amount_minor: order.amountMinor })
      .catch(() => null)
    if (bought === null) return null
    const [key, form] = [randomUUID(), await codeForm(agent, bought)]
    const ask = () => agent.mint<TokenAnswer>('/oauth/token', form, { 'idempotency-key': key }).catch(() => null)
    const answers = [await this.settling.persistentlyDone(ask, 4), await ask()]
    const tokens = answers.filter((answer) => answer?.status === 200)
    for (const answer of tokens) this.settling.history.tokenAnswers.push({ key, body: answer?.text ?? '' })
    for (const answer of answers) this.world.tally.answer(`tokens: ${answer?.status ?? 'no answer'}`)
    const [first] = tokens
    return first == null ? null : this.world.population.bought(agent, first.json, order)
  }

  #choose(): Actor {
    let left = this.random.next() * roles.reduce((sum, role) => sum + plans[role].share, 0)
    const role = roles.find((name) => (left -= plans[name].share) < 0) ?? 'plain'
    return this.random.pick(this.#actors.filter((actor) => actor.role === role))
  }

  #amount({ role }: Actor): number {
    if (role === 'single') return this.random.pick([2_499, 2_500, 2_501])
    return this.random.int(100, AMOUNT_MAX)
  }

  async #settle(actor: Actor, purchase: Purchase): Promise<void> {
    const request: SettleRequest = {
      purchase,
      key: randomUUID(),
      ...(this.random.chance(0.3) ? { account: purchase.merchant.account, feeMinor: this.random.int(0, 50) } : {}),
    }
    const [answer] = await Promise.all([this.settling.persistently(request, TRIES), this.#misbehave(request)])
    if (answer.status === 402) await this.#sometimes(0.3, { ...request, key: randomUUID() })
    if (answer.status === 200 && this.random.chance(0.02)) await this.#dispute(answer)
    if (answer.error === 'rate_limited') await this.#replace(actor.payer, purchase.agent)
    if (actor.role === 'asking' && answer.error === 'limit_exceeded') await this.#decideBump(actor, answer, request)
  }

  /** The same again meanwhile, other bytes under the same key, the same mandate under another key, another account. */
  async #misbehave(request: SettleRequest): Promise<void> {
    await Promise.all([
      this.#sometimes(0.08, request),
      this.#sometimes(0.04, { ...request, feeMinor: 77 }),
      this.#sometimes(0.04, { ...request, key: randomUUID() }),
      this.#sometimes(0.02, { ...request, account: 'acct_of_somebody_else' }),
    ])
  }

  async #sometimes(probability: number, request: SettleRequest): Promise<void> {
    if (this.random.chance(probability)) await this.settling.persistently(request, TRIES)
  }

  /** The cardholder disputes a payment, and mostly their bank decides soon. */
  async #dispute({ body }: SettleAnswer): Promise<void> {
    const intent = memberOf(body, 'payment_intent_id')
    if (intent === null) return
    await this.world.books.dispute(intent, 'pending')
    if (this.random.chance(0.7)) await this.world.books.dispute(intent, this.random.pick(['won', 'lost']))
  }

  /** The person answers a request to exceed a limit, sometimes both ways at once, and the agent tries again. */
  async #decideBump(actor: Actor, answer: SettleAnswer, request: SettleRequest): Promise<void> {
    const bumpId = memberOf(answer.body, 'bump_id')
    if (bumpId === null) return
    const decide = async (decision: 'approve' | 'decline') => {
      const decided = await this.#asPerson(actor, 'POST', `/wallet/limit-bumps/${bumpId}/${decision}`)
      if (decided?.status === 200) this.settling.history.bumpDecisions.push({ bumpId, decision })
    }
    const first = this.random.chance(0.7) ? 'approve' : 'decline'
    const second = first === 'approve' ? 'decline' : 'approve'
    await Promise.all([decide(first), ...(this.random.chance(0.2) ? [decide(second)] : [])])
    await this.settling.persistently(request, TRIES)
  }

  async #changeLimits(actor: Actor): Promise<void> {
    const isFrozen = !actor.isFrozen
    actor.isFrozen = isFrozen
    const startedAt = performance.now()
    const cap = isFrozen ? 0 : plans.frozen.limits?.dailyCapMinor
    const answer = await this.#asPerson(actor, 'POST', '/wallet/limits', { daily_cap_minor: cap, currency: 'EUR' })
    this.settling.history.limitChanges.push({
      principalId: actor.payer.principalId,
      isFrozen,
      isKnown: answer?.status === 200,
      startedAt,
      endedAt: performance.now(),
    })
    // An event that may still happen at any time proves nothing; another person takes the place.
    if (answer?.status !== 200) {
      this.#actors.splice(this.#actors.indexOf(actor), 1)
      await this.#addActor('frozen', 0)
    }
  }

  async #revoke(actor: Actor): Promise<void> {
    const agent = this.random.pick(actor.payer.agents)
    await this.#replace(actor.payer, agent)
    const startedAt = performance.now()
    const last = await this.settling.persistentlyDone(() =>
      this.#asPerson(actor, 'POST', `/wallet/agents/${agent.clientId}/revoke`),
    )
    if (last?.status !== 200) return
    this.settling.history.revocations.push({
      clientId: agent.clientId,
      startedAt,
      endedAt: performance.now(),
      unsubmitted: await this.#unsubmittedOf(agent),
    })
    const purchase = await this.world.population.purchase(agent, {
      shop: this.random.pick(this.#shops),
      amountMinor: 500,
    })
    await this.settling.once({ purchase, key: randomUUID() })
  }

  /** A new agent takes the place of one that was revoked, or whose charges have failed too often. */
  async #replace(payer: Payer, agent: Agent): Promise<void> {
    if (!payer.agents.includes(agent)) return
    await this.world.population.agent(payer)
    payer.agents = payer.agents.filter((other) => other !== agent)
  }

  async #unsubmittedOf(agent: Agent): Promise<string[]> {
    const rows = await this.world.platform.db.query<{ id: string }>(
      sql`SELECT id FROM settlements WHERE client_id = ${agent.clientId} AND payment_intent_id IS NULL AND state IN ('reserved', 'unknown')`,
    )
    return rows.map(({ id }) => id)
  }

  async #toggle(): Promise<void> {
    await this.#switch(false)
    await this.#switch(true)
  }

  async #switch(isOn: boolean): Promise<void> {
    await this.settling.persistentlyDone(async () => {
      const startedAt = performance.now()
      const answer = await operate(this.world, 'PUT', '/switches/settlement', { enabled: isOn }).catch(() => null)
      const isKnown = answer?.status === 200
      this.settling.history.switchChanges.push({ isOn, isKnown, startedAt, endedAt: performance.now() })
      return answer
    })
  }

  /** Leaves nothing switched off; call it when nothing fails any more. */
  async tidyUp(): Promise<void> {
    await this.#switch(true)
  }

  async #rotateKeys(): Promise<void> {
    await operate(this.world, 'POST', '/signing-keys/rotate', { purpose: 'receipt' }).catch(() => null)
  }

  /** A call with the person's own session; a new one is opened when the old one is not taken any more. */
  async #asPerson(actor: Actor, method: string, path: string, body?: unknown): Promise<Answer | null> {
    actor.person ??= await this.world.population.person(actor.payer.principalId)
    const answer = await actor.person.call(method, path, body).catch(() => null)
    if (answer?.status === 401) actor.person = null
    return answer
  }
}

/** The form of a token request; the same bytes each time it is sent. */
async function codeForm(agent: Agent, { code, verifier }: { code: string; verifier: string }) {
  return {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
    code_verifier: verifier,
    client_assertion: await agent.assertion(),
  }
}

function memberOf(body: string, name: string): string | null {
  const parsed: unknown = JSON.parse(body)
  if (typeof parsed !== 'object' || parsed === null) return null
  const value: unknown = Object.entries(parsed).find(([key]) => key === name)?.[1]
  return typeof value === 'string' ? value : null
}
