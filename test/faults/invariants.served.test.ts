import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { FailpointName } from '@/server/base/core/failpoints'
import { sql } from '@/server/base/core/sql'
import { at, createDatabase, many, query, until } from '../processes/cluster'
import { type Agent, operate, REDIRECT_URI, type TokenAnswer } from '../support/actors'
import { gather } from './evidence'
import { isFinal, newHistory } from './history'
import { FaultyMember } from './member'
import type { Trap } from './orders'
import type { PayerLimits, Purchase, Shop } from './population'
import { randomFrom } from './random'
import { dropDatabase } from './scratch'
import { Settling } from './settling'
import { judge } from './verdict'
import { World } from './world'

const MEMBERS = 3
const TRIES = 12
const DECIDED_WITHIN_SECONDS = 300
const AMOUNT = 1_000

describe('under the faults that are the most dangerous to it', () => {
  let world: World
  let settling: Settling
  let tenantId: string
  let shop: Shop
  beforeAll(async () => {
    world = await World.open({
      members: MEMBERS,
      random: randomFrom(7),
      start: new Date(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`),
    })
    settling = new Settling(world, newHistory())
    tenantId = await world.population.tenant()
    shop = await world.population.shop('tallow')
  })
  afterAll(() => world.close())
  /** What an earlier test has to answer for. */
  const reported = new Set<string>()
  // Whatever a test has done, the books of both sides must agree in the end, and every chain must be whole.
  afterEach(async () => {
    await world.heal()
    await untilDecided()
    const findings = await judge(await gather(world, settling.history), world.platform)
    const fresh = findings.filter((text) => !reported.has(text))
    for (const text of fresh) reported.add(text)
    if (fresh.length > 0) throw new Error(fresh.join('\n'))
  })

  const payer = async ({ limits = null, card = 'success', agents = 1 }: PayerOptions = {}) => {
    const principalId = randomUUID()
    const onFile = await world.books.card(principalId, card)
    const made = await world.population.payer(tenantId, { card: onFile, limits, principalId })
    for (let count = 0; count < agents; count += 1) await world.population.agent(made)
    return made
  }
  interface PayerOptions {
    readonly limits?: PayerLimits | null
    readonly card?: Parameters<World['books']['card']>[1]
    readonly agents?: number
  }

  const agentOf = async (options: PayerOptions = {}): Promise<Agent> => {
    const { agents } = await payer(options)
    return agents[0] ?? expect.fail('no agent')
  }
  const purchaseOf = (agent: Agent, amountMinor = AMOUNT): Promise<Purchase> =>
    world.population.purchase(agent, { shop, amountMinor })

  const persistently = (purchase: Purchase, key: string = randomUUID(), headers = {}) =>
    settling.persistently({ purchase, key, headers }, TRIES)

  const stateOf = async (key: string): Promise<string | undefined> =>
    (await world.rows<{ state: string }>('SELECT state FROM settlements WHERE idempotency_key = $1', [key]))[0]?.state

  const untilDecided = () =>
    until(
      async () => {
        world.clock.jump(1_000)
        await world.books.answerCardholders()
        const open = await world.rows(
          `SELECT 1 FROM settlements WHERE state NOT IN ('succeeded', 'failed')
           UNION ALL SELECT 1 FROM jobs WHERE state <> 'done'`,
        )
        return open.length + world.webhooks.pending()
      },
      (open) => open === 0,
      60_000,
    )

  const trap = (name: FailpointName, action: Trap['action'] = 'kill', milliseconds = 0): Trap => ({
    name,
    action,
    atPassing: 1,
    milliseconds,
  })
  const armAll = (set: Trap): void => {
    for (const member of world.members) member.arm(set)
  }
  /** Whichever server passes the instant first dies there; it is started again, and the others go on. */
  const crashAt = async (name: FailpointName): Promise<void> => {
    const before = world.members.map(({ deaths }) => deaths)
    armAll(trap(name))
    await until(async () => world.members.some(({ deaths }, index) => deaths > (before[index] ?? 0)), Boolean, 30_000)
    for (const member of world.members) member.disarm()
    // Another one may be about to die by the same trap.
    await delay(300)
    await reviveDead()
  }
  /** Lets the servers' time run faster while something takes its time. */
  const hurrying = async <T>(work: Promise<T>): Promise<T> => {
    const isOver = new AbortController()
    const hurry = async (): Promise<void> => {
      while (!isOver.signal.aborted) {
        await delay(500)
        world.clock.jump(2_000)
      }
    }
    const hurried = hurry()
    try {
      return await work
    } finally {
      isOver.abort()
      await hurried
    }
  }
  const reviveDead = () =>
    Promise.all(world.members.filter((member) => !member.isAlive).map((member) => member.start()))

  test('M1 the limit of each day holds exactly, over midnight and with a server killed', async () => {
    const people = await payer({ limits: { dailyCapMinor: 10 * AMOUNT }, agents: 4 })
    const tonight = world.clock.now().toISOString().slice(0, 10)
    world.clock.set(new Date(`${tonight}T23:59:00Z`))
    const purchases = await many(60, (index) => purchaseOf(agentAt(people.agents, index)))
    world.clock.set(new Date(`${tonight}T23:59:59.400Z`))
    const crashed = crashAt('settle.after_reserve_commit')
    const before = purchases.slice(0, 30).map((purchase) => persistently(purchase))
    await delay(700)
    const after = purchases.slice(30).map((purchase) => persistently(purchase))
    await crashed
    await hurrying(Promise.all([...before, ...after]))
    const days = await world.rows<{ held: number }>(
      `SELECT sum(amount_minor)::int AS held FROM settlements WHERE principal_id = $1 AND state <> 'failed' GROUP BY day ORDER BY day`,
      [people.principalId],
    )
    expect(days.at(-1)?.held).toBe(10 * AMOUNT)
    expect(days.every(({ held }) => held <= 10 * AMOUNT)).toBe(true)
  })

  test('M5 50 parallel requests, a crash after the charge, a restart and a month give one answer', async () => {
    const purchase = await purchaseOf(await agentOf())
    const key = randomUUID()
    const crashed = crashAt('settle.after_confirm_before_db')
    const answers = await hurrying(many(50, () => persistently(purchase, key)))
    await crashed
    expect(new Set(answers.filter(isFinal).map(({ body }) => body)).size).toBe(1)
    await Promise.all(world.members.map((member) => member.kill()))
    await reviveDead()
    world.clock.jump(31 * 86_400_000)
    const late = await persistently(purchase, key)
    expect([late.status, late.isReplay, late.body]).toEqual([200, true, answers.find(isFinal)?.body])
  })

  test('M9 an outcome stays unknown and its money held until the processor answers again', async () => {
    const agent = await agentOf({ limits: { dailyCapMinor: AMOUNT } })
    const [purchase, second] = [await purchaseOf(agent), await purchaseOf(agent)]
    const key = randomUUID()
    let isCharged = false
    world.processorWeather = ({ path }) => {
      const isFirstConfirm = path.endsWith('/confirm') && !isCharged
      isCharged ||= isFirstConfirm
      return { kind: isFirstConfirm ? 'drop_after' : isCharged ? 'drop_before' : 'latency' }
    }
    const answers = await Promise.all([settling.once({ purchase, key }), delay(12_000)])
    expect(answers[0].status).toBe(502)
    expect(await stateOf(key)).toBe('unknown')
    expect((await persistently(second)).error).toBe('limit_exceeded')
    world.processorWeather = () => null
    const healedAt = world.clock.now().getTime()
    expect((await persistently(purchase, key)).status).toBe(200)
    expect((world.clock.now().getTime() - healedAt) / 1000).toBeLessThan(DECIDED_WITHIN_SECONDS)
  })

  test('M14 parallel approval and decline have one winner, and the grant is used once', async () => {
    const owner = await payer({ limits: { dailyCapMinor: AMOUNT } })
    const agent = owner.agents[0] ?? expect.fail('no agent')
    await persistently(await purchaseOf(agent))
    for (let round = 0; round < 4; round += 1) {
      // Dearer than before, since nobody is asked again about a purchase that was declined.
      const purchases = await many(4, () => purchaseOf(agent, AMOUNT + round))
      const asked = await persistently(purchases[0] ?? expect.fail('no purchase'))
      const { bump_id: bumpId } = JSON.parse(asked.body) as { bump_id: string }
      const person = await world.population.person(owner.principalId)
      const decide = async (decision: 'approve' | 'decline') => {
        const answer = await person.call('POST', `/wallet/limit-bumps/${bumpId}/${decision}`).catch(() => null)
        if (answer?.status === 200) settling.history.bumpDecisions.push({ bumpId, decision })
        return answer?.status === 200
      }
      const deciding = Promise.all([decide('approve'), decide('decline'), decide('approve'), decide('decline')])
      if (round === 0) await world.member(1).kill()
      await deciding
      await reviveDead()
      const won = [await decide('approve'), await decide('decline')]
      expect(won.filter(Boolean)).toHaveLength(1)
      const settled = await Promise.all(purchases.map((purchase) => persistently(purchase)))
      expect(settled.filter(({ status }) => status === 200)).toHaveLength(won[0] ? 1 : 0)
    }
  })

  test('M15 no settlement begins under load while the switch is off', async () => {
    const agent = await agentOf()
    const ending = new AbortController()
    const load = many(6, async () => {
      while (!ending.signal.aborted) await settling.once({ purchase: await purchaseOf(agent), key: randomUUID() })
    })
    for (const isOn of [false, true, false, true]) {
      const startedAt = performance.now()
      const { status } = await operate(world, 'PUT', '/switches/settlement', { enabled: isOn })
      settling.history.switchChanges.push({ isOn, isKnown: status === 200, startedAt, endedAt: performance.now() })
      await delay(700)
    }
    ending.abort()
    await load
    expect(settling.history.answers.some(({ status }) => status === 503)).toBe(true)
  })

  test.each<FailpointName>(['webhook.after_dedup_insert', 'webhook.before_commit', 'webhook.after_commit'])(
    'I1 an event whose server dies at %s takes effect once',
    async (name) => {
      const purchase = await purchaseOf(await agentOf({ card: 'timeout' }))
      const key = randomUUID()
      world.webhookWeather = { duplicate: 1, delay: 0, delayMilliseconds: 0 }
      const crashed = crashAt(name)
      const settled = hurrying(persistently(purchase, key))
      await crashed
      expect((await settled).status).toBe(200)
      await many(6, (index) => world.webhooks.replay([...world.webhooks.events.keys()].at(-1 - (index % 2)) ?? ''))
    },
  )

  test('I2 a card is enrolled once from repeated events, with servers dying', async () => {
    const { principalId } = await payer()
    world.webhookWeather = { duplicate: 1, delay: 0.5, delayMilliseconds: 300 }
    const intents = await many(12, async () => {
      const person = await world.population.person(principalId)
      const started = await person.call<{ setup_intent_id: string }>('POST', '/wallet/setup-intent')
      expect(started.status, started.text).toBe(200)
      return { person, id: started.json.setup_intent_id }
    })
    const crashed = crashAt('audit.before_commit')
    const confirmed = await Promise.all(
      intents.map(async ({ person, id }) => {
        await world.books.enrol(id, 'success')
        const answers = await many(10, () =>
          person
            .call<{ reconciled: boolean }>('POST', '/wallet/setup-intent/confirm', { setup_intent_id: id })
            .catch(() => null),
        )
        return answers.filter((answer) => answer?.status === 200 && answer.json.reconciled).length
      }),
    )
    await crashed
    expect(Math.max(...confirmed)).toBeLessThanOrEqual(1)
    await untilDecided()
    const rows = await world.rows<{ cards: number; entries: number }>(
      `SELECT (SELECT count(*)::int FROM card_mandates c WHERE c.setup_intent_id = asked.id) AS cards,
              (SELECT count(*)::int FROM audit_entries a WHERE a.event = 'oid4ac.mandate.issued'
                  AND a.payload::jsonb->>'setup_intent_id' = asked.id) AS entries
         FROM unnest($1::text[]) AS asked (id)`,
      [intents.map(({ id }) => id)],
    )
    expect(rows).toEqual(intents.map(() => ({ cards: 1, entries: 1 })))
  })

  test('I3 a key with another body is a conflict without effect, and the same key of another agent is independent', async () => {
    const [one, other] = [await agentOf(), await agentOf()]
    const key = randomUUID()
    const [purchase, changed, foreign] = [await purchaseOf(one), await purchaseOf(one), await purchaseOf(other)]
    const answers = await many(9, (index) =>
      settling.persistently({ purchase: index === 0 ? purchase : changed, key, feeMinor: index }, TRIES),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ error }) => error === 'idempotency_conflict')).toHaveLength(8)
    const own = await persistently(foreign, key)
    expect(own.status).toBe(200)
    expect(own.isReplay).toBe(false)
  })

  test('M13 disputes never go back, in any order of events', async () => {
    const answers = await many(6, async () => persistently(await purchaseOf(await agentOf())))
    world.webhookWeather = { duplicate: 0.7, delay: 1, delayMilliseconds: 1_500 }
    await Promise.all(
      answers.map(async ({ body }, index) => {
        const { payment_intent_id: intent } = JSON.parse(body) as { payment_intent_id: string }
        await world.books.dispute(intent, 'pending')
        if (index > 0) await world.books.dispute(intent, index % 2 === 0 ? 'won' : 'lost')
      }),
    )
    await untilDecided()
    await Promise.all([...world.webhooks.events.keys()].slice(-20).map((id) => world.webhooks.replay(id)))
  })

  test.each<FailpointName>(['revoke.after_db_commit', 'revoke.before_cache', 'revoke.after_cache'])(
    'R1, R3 a revocation whose server dies at %s is complete and holds on every server',
    async (name) => {
      const owner = await payer()
      const agent = owner.agents[0] ?? expect.fail('no agent')
      const purchases = await many(6, () => purchaseOf(agent))
      const person = await world.population.person(owner.principalId)
      const crashed = crashAt(name)
      const revoke = () => person.call('POST', `/wallet/agents/${agent.clientId}/revoke`).catch(() => null)
      const startedAt = performance.now()
      await Promise.all([settling.once({ purchase: purchases[0] ?? expect.fail('none'), key: randomUUID() }), revoke()])
      const done = await settling.persistentlyDone(revoke)
      expect(done?.status).toBe(200)
      settling.history.revocations.push({
        clientId: agent.clientId,
        startedAt,
        endedAt: performance.now(),
        unsubmitted: [],
      })
      await crashed
      const refused = await many(purchases.length, (index) =>
        persistently(purchases[index] ?? expect.fail('none'), randomUUID(), at(index % MEMBERS)),
      )
      expect(refused.map(({ status }) => status)).toEqual(purchases.map(() => 401))
      const [families] = await world.rows<{ active: number }>(
        'SELECT count(*)::int AS active FROM token_families WHERE client_id = $1 AND revoked_at IS NULL',
        [agent.clientId],
      )
      expect(families).toEqual({ active: 0 })
    },
  )

  test('R2 a waiting settlement is not submitted once its agent is revoked', async () => {
    const owner = await payer()
    const agent = owner.agents[0] ?? expect.fail('no agent')
    const purchase = await purchaseOf(agent)
    const key = randomUUID()
    armAll(trap('settle.before_pi_create', 'sleep', 2_500))
    const settled = settling.once({ purchase, key })
    await until(
      () => stateOf(key),
      (state) => state === 'reserved',
      5_000,
    )
    const person = await world.population.person(owner.principalId)
    const startedAt = performance.now()
    expect((await person.call('POST', `/wallet/agents/${agent.clientId}/revoke`)).status).toBe(200)
    const rows = await world.rows<{ id: string }>(
      `SELECT id FROM settlements WHERE client_id = $1 AND state = 'reserved'`,
      [agent.clientId],
    )
    settling.history.revocations.push({
      clientId: agent.clientId,
      startedAt,
      endedAt: performance.now(),
      unsubmitted: rows.map(({ id }) => id),
    })
    await settled
    await untilDecided()
    expect([rows.length, await stateOf(key)]).toEqual([1, 'failed'])
  })

  test('R2 a settlement is not submitted even when its statement began before the revocation and was held up', async () => {
    const owner = await payer()
    const agent = owner.agents[0] ?? expect.fail('no agent')
    const key = randomUUID()
    armAll(trap('settle.after_pi_create', 'sleep', 2_000))
    const settled = settling.once({ purchase: await purchaseOf(agent), key })
    await until(
      () => stateOf(key),
      (state) => state === 'reserved',
      5_000,
    )
    const holder = new Client({ connectionString: world.databaseUrl })
    await holder.connect()
    await holder.query(sql`BEGIN`)
    await holder.query(sql`SELECT 1 FROM settlements WHERE idempotency_key = ${key} FOR UPDATE`)
    const isHeldUp = () =>
      world.rows(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
            AND query LIKE '%UPDATE settlements AS s SET state%'`,
      )
    await until(isHeldUp, (waiting) => waiting.length > 0, 5_000)
    const person = await world.population.person(owner.principalId)
    const startedAt = performance.now()
    const revoking = person.call('POST', `/wallet/agents/${agent.clientId}/revoke`)
    const inTime = await Promise.race([revoking, delay(1_000, null)])
    const endedAt = performance.now()
    await holder.query(sql`COMMIT`)
    await holder.end()
    expect((await revoking).status).toBe(200)
    const [row] = await world.rows<{ id: string }>('SELECT id FROM settlements WHERE idempotency_key = $1', [key])
    settling.history.revocations.push({
      clientId: agent.clientId,
      startedAt,
      endedAt: inTime === null ? performance.now() : endedAt,
      unsubmitted: inTime === null ? [] : [row?.id ?? ''],
    })
    await settled
  })

  const agentAt = (agents: readonly Agent[], index: number): Agent =>
    agents[index % agents.length] ?? expect.fail('no agent')

  test.each<FailpointName>(['audit.after_head_lock', 'audit.before_commit', 'settle.before_outcome_commit'])(
    'A3 a crash at %s leaves both change and audit entry, or neither',
    async (name) => {
      const people = await payer({ agents: 2 })
      const purchases = await many(6, (index) => purchaseOf(agentAt(people.agents, index)))
      const crashed = crashAt(name)
      const settled = hurrying(Promise.all(purchases.map((purchase) => persistently(purchase))))
      await crashed
      expect((await settled).map(({ status }) => status)).toEqual(purchases.map(() => 200))
    },
  )

  const codeForm = async (agent: Agent) => {
    const { code, verifier } = await agent.code({ merchant: shop.audience })
    return {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      code_verifier: verifier,
      client_assertion: await agent.assertion(),
    }
  }
  const redeem = (agent: Agent, form: Record<string, string>, key: string) =>
    agent.mint<TokenAnswer & { error?: string }>('/oauth/token', form, { 'idempotency-key': key }).catch(() => null)
  /** Refusals after which the same request is to be sent again. */
  const passing = new Set(['idempotency_in_flight', 'use_dpop_nonce'])
  const untilRedeemed = (agent: Agent, form: Record<string, string>, key: string) =>
    until(
      () => redeem(agent, form, key),
      (answer) => answer !== null && answer.status < 500 && !passing.has(String(answer.json.error)),
      30_000,
    )

  test.each<FailpointName>(['token.after_consume', 'token.before_commit', 'token.after_commit'])(
    'I4 a token request whose server dies at %s gets its one answer when repeated with the same key',
    async (name) => {
      const agent = await agentOf()
      const [form, key] = [await codeForm(agent), randomUUID()]
      const crashed = crashAt(name)
      const first = await redeem(agent, form, key)
      await crashed
      // The dead server's lease runs out by the database's clock.
      await world.rows(`UPDATE idempotent_replies SET lease_until = lease_until - interval '1 minute'`)
      const answers = [await untilRedeemed(agent, form, key), await untilRedeemed(agent, form, key)]
      expect(first).toBeNull()
      expect(answers.map((answer) => answer?.status)).toEqual([200, 200])
      expect(answers[0]?.text).toBe(answers[1]?.text)
      expect((await agent.refresh(answers[0]?.json.refresh_token ?? '')).status).toBe(200)
    },
  )

  test('I4 parallel token requests with one key get one answer, on servers whose clocks are half a minute apart', async () => {
    for (let round = 0; round < 4; round += 1) {
      world.member(1).skew(0)
      const agent = await agentOf()
      const [form, key] = [await codeForm(agent), randomUUID()]
      world.member(1).skew(30_000)
      const answers = await many(12, () => untilRedeemed(agent, form, key))
      expect([...new Set(answers.map((answer) => `${answer?.status} ${answer?.text}`))]).toEqual([
        expect.stringMatching(/^200 /),
      ])
      expect((await agent.refresh(answers[0]?.json.refresh_token ?? '')).status).toBe(200)
    }
  })

  test('R1 a revoked token is refused by every server', async () => {
    const agent = await agentOf()
    const inTime = await many(20, async (index) => {
      const purchase = await purchaseOf(agent)
      const token = world.population.accessToken(purchase)
      let revokedAt = Number.POSITIVE_INFINITY
      const asking = many(9, async (turn) => {
        await delay(turn * 12)
        const startedAt = performance.now()
        const answer = await settling.once({ purchase, key: `${index}-${turn}`, headers: at(turn % MEMBERS) })
        return { startedAt, isRefused: answer.status === 401 }
      })
      await delay(30)
      const revoked = await agent.mint('/oauth/revoke', { token }, at(index % MEMBERS))
      revokedAt = performance.now()
      expect(revoked.status).toBe(200)
      return (await asking).every(({ startedAt, isRefused }) => startedAt < revokedAt || isRefused)
    })
    expect(inTime.every(Boolean)).toBe(true)
  })

  test('I7 the message about a payment is sent and marked once when a server dies in between', async () => {
    const crashed = crashAt('outbox.after_send_before_mark')
    const agent = await agentOf()
    const answers = await hurrying(many(4, async () => persistently(await purchaseOf(agent))))
    await hurrying(crashed)
    const keys = answers.map(({ body }) => `payment:${(JSON.parse(body) as { settlement_id: string }).settlement_id}`)
    await hurrying(
      until(
        () =>
          world.rows<{ sent: number }>(
            `SELECT count(*)::int AS sent FROM messages WHERE event_key = ANY ($1) AND sent_at IS NOT NULL`,
            [keys],
          ),
        ([row]) => row?.sent === keys.length,
        60_000,
      ),
    )
  })

  test('a server that dies during a migration leaves nothing of it, and the next start continues', async () => {
    const databaseUrl = await createDatabase()
    const options = { ...world.memberOptions(), databaseUrl }
    const member = await FaultyMember.start({ ...options, firstTrap: { ...trap('boot.mid_migrate'), atPassing: 2 } })
    const [half] = await query<{ applied: number }>(
      databaseUrl,
      'SELECT count(*)::int AS applied FROM _prisma_migrations',
    )
    expect([member.isAlive, half?.applied]).toEqual([false, 1])
    expect(await member.start()).toBe(true)
    await member.stop()
    await dropDatabase(databaseUrl)
  })

  test('settlements leased by a server that died are resolved by another', async () => {
    const purchases = await many(4, async () => purchaseOf(await agentOf()))
    world.processorWeather = ({ path }) => (path.endsWith('/confirm') ? { kind: 'drop_before' } : null)
    const asked = many(purchases.length, (index) =>
      settling.once({ purchase: purchases[index] ?? expect.fail('none'), key: `recover-${index}` }),
    )
    expect((await asked).map(({ status }) => status)).toEqual(purchases.map(() => 502))
    world.processorWeather = () => null
    await hurrying(crashAt('boot.mid_recover'))
    const answers = await hurrying(
      many(purchases.length, (index) => persistently(purchases[index] ?? expect.fail('none'), `recover-${index}`)),
    )
    expect(answers.map(({ status }) => status)).toEqual(purchases.map(() => 200))
  })

  test('a key rotation that dies in the middle leaves one current and one next key for each purpose', async () => {
    const crashed = crashAt('keys.mid_rotate')
    const rotate = () => operate(world, 'POST', '/signing-keys/rotate', {}).catch(() => null)
    await many(2, rotate)
    await crashed
    expect((await settling.persistentlyDone(rotate))?.status).toBe(200)
    const rows = await world.rows<{ current: number; next: number }>(
      `SELECT count(*) FILTER (WHERE state = 'current')::int AS current, count(*) FILTER (WHERE state = 'next')::int AS next
         FROM signing_keys GROUP BY purpose`,
    )
    expect(new Set(rows.map(({ current, next }) => `${current} ${next}`))).toEqual(new Set(['1 1']))
    expect((await persistently(await purchaseOf(await agentOf()))).status).toBe(200)
  })
})
