import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import type { Platform } from '@/server/base/core/platform'
import { composePlatform } from '@/server/base/platform/compose'
import { seedPortalTenant } from '@/server/surfaces/seed'
import { createDatabase, handOut, listen, query } from '../processes/cluster'
import type { Target } from '../support/actors'
import { FaultyMember, type MemberOptions } from './member'
import type { Trap } from './orders'
import { Population } from './population'
import { type Books, openBooks, PROCESSOR_KEY } from './processor-books'
import { type LineFault, layProcessorLine, type ProcessorLine } from './processor-line'
import type { Random } from './random'
import { layRedisLine, type RedisLine } from './redis-line'
import { dropDatabase } from './scratch'
import { bundleServer } from './server-bundle'
import { Tally } from './tally'
import { TimeOfDay } from './time-of-day'
import { layWebhookLine, type WebhookLine, type WebhookWeather } from './webhook-line'

export const calm: WebhookWeather = { duplicate: 0, delay: 0, delayMilliseconds: 0 }

interface WorldOptions {
  readonly members: number
  readonly random: Random
  /** What the clocks show first. */
  readonly start: Date
}

/** Servers on one database, the processor with its own books, and every line between them in the harness's hands. */
export class World implements Target {
  webhookWeather = calm
  /** Decides about each request to the processor. */
  processorWeather: (call: { readonly method: string; readonly path: string }) => LineFault | null = () => null
  readonly members: FaultyMember[] = []
  readonly #closers: (() => unknown)[] = []

  private constructor(
    readonly baseUrl: string,
    readonly operatorToken: string,
    readonly clock: TimeOfDay,
    readonly tally: Tally,
    readonly databaseUrl: string,
    readonly platform: Platform,
    readonly population: Population,
    readonly books: Books,
    readonly line: ProcessorLine,
    readonly webhooks: WebhookLine,
    readonly redis: RedisLine | null,
  ) {}

  static async open({ members, random, start }: WorldOptions): Promise<World> {
    const closers: (() => unknown)[] = []
    try {
      const world = await World.#lay({ random, start }, closers)
      world.#closers.push(...closers)
      for (let index = 0; index < members; index += 1) await world.#addMember()
      return world
    } catch (error) {
      await closeAll(closers)
      throw error
    }
  }

  static async #lay({ random, start }: Omit<WorldOptions, 'members'>, closers: (() => unknown)[]): Promise<World> {
    const clock = new TimeOfDay(start)
    const bundle = await bundleServer()
    closers.push(() => bundle.remove())
    const tally = new Tally()
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'countersign-faults-'))
    closers.push(() => rm(dataDir, { recursive: true, force: true }))
    const memberUrl = await createDatabase()
    const databaseUrl = `${memberUrl}?application_name=harness`
    closers.push(() => dropDatabase(databaseUrl))
    const redis = await layRedisLine()
    closers.push(() => redis?.close())
    const front = createServer({ keepAliveTimeout: 65_000 })
    const baseUrl = `http://localhost:${await listen(front)}`
    closers.push(() => {
      front.closeAllConnections()
      front.close()
    })
    const webhookSecret = `whsec_${randomBytes(24).toString('base64url')}`
    let world: World | null = null
    const webhooks = await layWebhookLine({
      target: () => `${baseUrl}/webhooks/stripe`,
      secret: webhookSecret,
      now: clock.now,
      random,
      weather: () => world?.webhookWeather ?? calm,
      count: (kind) => tally.fault(`webhook ${kind}`),
    })
    closers.push(() => webhooks.close())
    const books = await openBooks({
      clock: { now: clock.truth },
      webhookTarget: webhooks.baseUrl,
      webhookSecret,
    })
    closers.push(() => books.close())
    const line = await layProcessorLine({
      upstream: books.baseUrl,
      choose: (call) => {
        const fault = world?.processorWeather(call) ?? null
        if (fault !== null) tally.fault(`processor ${fault.kind}`)
        return fault
      },
    })
    closers.push(() => line.close())
    const operatorToken = randomBytes(24).toString('base64url')
    const env = {
      BASE_URL: baseUrl,
      DATA_DIR: dataDir,
      SANDBOX: 'true',
      REQUESTS_PER_MINUTE: '0',
      OPERATOR_TOKEN: operatorToken,
      PROCESSOR_WEBHOOK_SECRET: webhookSecret,
      RCS_CALLBACK_SECRET: randomBytes(24).toString('base64url'),
      KEY_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
      STRIPE_SECRET_KEY: PROCESSOR_KEY,
      STRIPE_PUBLISHABLE_KEY: 'pk_test_0123456789abcdef',
      STRIPE_API_BASE: line.baseUrl,
      LOG_LEVEL: 'silent',
    }
    const composed = await composePlatform({ ...env, DATABASE_URL: databaseUrl }, { clock })
    closers.push(() => composed.close())
    await seedPortalTenant(composed.platform)
    const target = { baseUrl, operatorToken, clock }
    const population = new Population(composed.platform, target)
    world = new World(
      baseUrl,
      operatorToken,
      clock,
      tally,
      databaseUrl,
      composed.platform,
      population,
      books,
      line,
      webhooks,
      redis,
    )
    handOut(front, world.members)
    world.#program = bundle.path
    world.#env = { ...env, DATABASE_URL: memberUrl, ...(redis === null ? {} : { REDIS_URL: redis.url }) }
    return world
  }

  #program = ''
  #env: Readonly<Record<string, string>> = {}

  async #addMember(): Promise<void> {
    const member = await FaultyMember.start(this.memberOptions())
    this.clock.onJump(() => member.tellTime())
    this.members.push(member)
  }

  /** How the servers are started. */
  memberOptions(): MemberOptions {
    return {
      program: this.#program,
      databaseUrl: this.#env['DATABASE_URL'] ?? '',
      env: this.#env,
      offsetMilliseconds: () => this.clock.offsetMilliseconds,
      onTime: (offset) => this.clock.noteShown(offset),
      onSprung: (trap: Trap) => this.tally.fault(`${trap.action} at ${trap.name}`),
    }
  }

  member(index: number): FaultyMember {
    const member = this.members[index]
    if (member === undefined) throw new Error(`no member ${index}`)
    return member
  }

  rows<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return query<Row>(this.databaseUrl, text, values)
  }

  /** Ends faults of every kind: all members live, all lines are whole, the clocks agree and are not behind. */
  async heal(): Promise<void> {
    this.processorWeather = () => null
    this.webhookWeather = calm
    this.redis?.mend()
    this.clock.catchUp()
    for (const member of this.members) {
      member.cable.mend()
      member.disarm()
      member.skew(0)
      if (!member.isAlive) await member.start()
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.members.map((member) => member.stop()))
    await closeAll(this.#closers)
  }
}

/** Last opened, first closed; one that fails does not keep the others open. */
async function closeAll(closers: (() => unknown)[]): Promise<void> {
  for (const close of closers.splice(0).toReversed()) await Promise.resolve(close()).catch(() => undefined)
}
