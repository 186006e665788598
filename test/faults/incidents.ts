import { setTimeout as delay } from 'node:timers/promises'
import { failpointNames } from '@/server/base/core/failpoints'
import type { FaultyMember } from './member'
import type { LineFault } from './processor-line'
import type { Random } from './random'
import { calm, type World } from './world'

const SUPERVISE_EVERY_MS = 100
const HOUR_MS = 3_600_000
const PAUSE_MS: readonly [number, number] = [150, 900]

/** Instants that settlements, webhooks, revocations and background work pass. */
const instants = failpointNames.filter((name) => !name.startsWith('token.') && name !== 'boot.mid_migrate')

type Incident = () => Promise<void>

/** Brings faults of every kind over a world, one or two at a time, and restarts what has died. */
export class Incidents {
  #stopped = false
  #isJumping = false

  constructor(
    private readonly world: World,
    private readonly random: Random,
  ) {}

  stop(): void {
    this.#stopped = true
  }

  async run(): Promise<void> {
    await Promise.all([this.#supervise(), this.#haunt(), this.#haunt()])
  }

  async #supervise(): Promise<void> {
    while (!this.#stopped) {
      const dead = this.world.members.filter((member) => !member.isAlive)
      await Promise.all(dead.map((member) => this.#revive(member)))
      await delay(SUPERVISE_EVERY_MS)
    }
  }

  /** A member whose database is cut off cannot start; the next look tries again. */
  async #revive(member: FaultyMember): Promise<void> {
    await member.start().catch(() => member.kill())
  }

  async #haunt(): Promise<void> {
    while (!this.#stopped) {
      await this.#choose()()
      await delay(this.random.int(...PAUSE_MS))
    }
  }

  #choose(): Incident {
    const weighted: readonly (readonly [number, Incident])[] = [
      [3, () => this.#killAtRandom()],
      [7, () => this.#trap('kill')],
      [5, () => this.#trap('throw')],
      [5, () => this.#trap('sleep')],
      [4, () => this.#terminateBackends()],
      [3, () => this.#cutCable()],
      [2, () => this.#silenceCable()],
      [5, () => this.#loseCommit()],
      [2, () => this.#flushRedis()],
      [2, () => this.#stopRedis()],
      [3, () => this.#jump()],
      [3, () => this.#skew()],
      [8, () => this.#processorWeather()],
      [4, () => this.#webhookWeather()],
      [2, () => this.#replayWebhooks()],
    ]
    let left = this.random.next() * weighted.reduce((sum, [weight]) => sum + weight, 0)
    return weighted.find(([weight]) => (left -= weight) < 0)?.[1] ?? (() => Promise.resolve())
  }

  #someone(): FaultyMember {
    return this.random.pick(this.world.members)
  }

  async #killAtRandom(): Promise<void> {
    const member = this.#someone()
    if (!member.isAlive) return
    this.world.tally.fault('kill at a random time')
    await member.kill()
  }

  async #trap(action: 'kill' | 'throw' | 'sleep'): Promise<void> {
    this.#someone().arm({
      name: this.random.pick(instants),
      action,
      atPassing: this.random.int(1, 4),
      milliseconds: this.random.int(200, 3_000),
    })
  }

  async #terminateBackends(): Promise<void> {
    this.world.tally.fault('database connections terminated')
    await this.world.rows(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name <> 'harness' AND random() < 0.7`,
    )
  }

  async #cutCable(): Promise<void> {
    this.world.tally.fault('database cut off')
    const { cable } = this.#someone()
    cable.cut()
    await delay(this.random.int(50, 1_500))
    cable.mend()
  }

  async #silenceCable(): Promise<void> {
    this.world.tally.fault('database silent')
    const { cable } = this.#someone()
    cable.silence()
    await delay(this.random.int(200, 2_500))
    cable.mend()
  }

  async #loseCommit(): Promise<void> {
    // Texts are sent once per connection, but every transaction begins.
    const statement = this.random.pick(['BEGIN', 'BEGIN', 'INSERT INTO settlements', 'INSERT INTO webhook_events'])
    this.#someone().cable.loseCommitOf(statement, () => this.world.tally.fault("COMMIT's answer lost"))
  }

  async #flushRedis(): Promise<void> {
    if (this.world.redis === null) return
    this.world.tally.fault('redis flushed')
    await this.world.redis.flush().catch(() => undefined)
  }

  async #stopRedis(): Promise<void> {
    if (this.world.redis === null) return
    this.world.tally.fault('redis stopped')
    this.world.redis.cut()
    await delay(this.random.int(200, 2_000))
    this.world.redis.mend()
  }

  /** All servers' clocks jump, and after a while they are set right. Now and then an hour has really passed. */
  async #jump(): Promise<void> {
    if (this.#isJumping) return
    this.#isJumping = true
    const [name, by] = this.random.pick([
      ['+1 h', HOUR_MS],
      ['-1 h', -HOUR_MS],
      ['-5 min', -HOUR_MS / 12],
    ] as const)
    this.world.tally.fault(`clock ${name}`)
    this.world.clock.mislead(by)
    await delay(this.random.int(500, 4_000))
    this.world.clock.mislead(0)
    if (this.random.chance(0.2)) this.world.clock.jump(HOUR_MS)
    this.#isJumping = false
  }

  async #skew(): Promise<void> {
    const by = this.random.pick([-30_000, 30_000, 30_000, -30_000, HOUR_MS, -HOUR_MS])
    const member = this.#someone()
    this.world.tally.fault(Math.abs(by) < HOUR_MS ? 'clock skew of 30 s' : 'one clock 1 h off')
    member.skew(by)
    await delay(this.random.int(1_000, 6_000))
    member.skew(0)
  }

  async #processorWeather(): Promise<void> {
    const faults: readonly LineFault[] = [
      { kind: 'latency', milliseconds: this.random.int(50, 1_500) },
      { kind: 'latency', milliseconds: this.random.int(50, 400) },
      { kind: 'error_before' },
      { kind: 'error_after' },
      { kind: 'drop_before' },
      { kind: 'drop_after' },
      { kind: 'drop_after' },
      { kind: 'slow', milliseconds: 30_000 },
    ]
    const fault = this.random.pick(faults)
    const probability = fault.kind === 'slow' ? 0.05 : this.random.pick([0.1, 0.3, 1])
    this.world.processorWeather = () => (this.random.chance(probability) ? fault : null)
    await delay(this.random.int(500, 3_000))
    this.world.processorWeather = () => null
  }

  async #webhookWeather(): Promise<void> {
    this.world.webhookWeather = { duplicate: 0.5, delay: 0.5, delayMilliseconds: this.random.int(100, 4_000) }
    await delay(this.random.int(1_000, 5_000))
    this.world.webhookWeather = calm
  }

  async #replayWebhooks(): Promise<void> {
    const known = [...this.world.webhooks.events.keys()]
    if (known.length === 0) return
    const chosen = Array.from({ length: 5 }, () => this.random.pick(known))
    for (const _ of chosen) this.world.tally.fault('webhook replayed')
    await Promise.all(chosen.map((id) => this.world.webhooks.replay(id)))
  }
}
