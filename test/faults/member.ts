import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '@/scripts/portal/free-port'
import { type Cable, layCable, type Member } from '../processes/cluster'
import type { Order, Report, Trap } from './orders'

const READY_WITHIN_MS = 60_000

export interface MemberOptions {
  /** The server process as one file. */
  readonly program: string
  readonly databaseUrl: string
  readonly env: Readonly<Record<string, string>>
  readonly offsetMilliseconds: () => number
  /** Told what the member's clock shows from now on. */
  readonly onTime: (offsetMilliseconds: number) => void
  readonly onSprung: (trap: Trap) => void
  /** Springs while the process starts for the first time. */
  readonly firstTrap?: Trap
}

/** A server process that can be killed, trapped, cut off its database, and given another time of day. */
export class FaultyMember implements Member {
  #child: ChildProcess | null = null
  #skewMilliseconds = 0
  /** Ends of its life so far, wanted or not. */
  deaths = 0

  private constructor(
    readonly port: number,
    readonly cable: Cable,
    private readonly options: MemberOptions,
  ) {}

  static async start(options: MemberOptions): Promise<FaultyMember> {
    const member = new FaultyMember(await freePort(), await layCable(options.databaseUrl), options)
    await member.start(options.firstTrap)
    return member
  }

  get process(): ChildProcess {
    if (this.#child === null) throw new Error('the member was never started')
    return this.#child
  }

  get isAlive(): boolean {
    const child = this.#child
    return child !== null && child.exitCode === null && child.signalCode === null
  }

  /** Starts the process; a first trap springs while it starts. Returns false when it died on the way. */
  async start(firstTrap?: Trap): Promise<boolean> {
    const child = fork(this.options.program, [], {
      execArgv: [],
      env: {
        ...process.env,
        NODE_ENV: 'test',
        LOG_LEVEL: process.env['FAULTS_LOG_LEVEL'] ?? 'silent',
        ...this.options.env,
        DATABASE_URL: this.cable.databaseUrl,
        PORT: String(this.port),
        CLOCK_OFFSET_MILLISECONDS: String(this.#offset()),
        ...(firstTrap === undefined ? {} : { FIRST_TRAP: JSON.stringify(firstTrap) }),
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.#child = child
    child.once('exit', () => {
      this.deaths += 1
    })
    const isReady = await this.#untilReady(child)
    this.tellTime()
    return isReady
  }

  #untilReady(child: ChildProcess): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const timeout = setTimeout(() => reject(new Error('the server did not become ready')), READY_WITHIN_MS)
      const settle = (isReady: boolean) => {
        clearTimeout(timeout)
        resolve(isReady)
      }
      child.once('exit', () => settle(false))
      child.on('message', (message) => {
        const report = message as Report
        if (report.kind === 'ready') settle(true)
        else if (report.kind === 'sprung') this.options.onSprung(report.trap)
        else {
          clearTimeout(timeout)
          reject(new Error(report.message))
        }
      })
    })
  }

  arm(trap: Trap): void {
    this.#tell({ kind: 'trap', trap })
  }

  disarm(): void {
    this.#tell({ kind: 'disarm' })
  }

  /** Moves this member's clock away from the others'. */
  skew(milliseconds: number): void {
    this.#skewMilliseconds = milliseconds
    this.tellTime()
  }

  tellTime(): void {
    const offsetMilliseconds = this.#offset()
    this.options.onTime(offsetMilliseconds)
    this.#tell({ kind: 'clock', offsetMilliseconds })
  }

  /** Ends the process without warning, as a crash would. */
  async kill(): Promise<void> {
    if (!this.isAlive) return
    const gone = once(this.process, 'exit')
    this.process.kill('SIGKILL')
    await gone
  }

  async stop(): Promise<void> {
    await this.kill()
    this.cable.close()
  }

  #offset(): number {
    return this.options.offsetMilliseconds() + this.#skewMilliseconds
  }

  #tell(order: Order): void {
    if (!this.isAlive || this.#child?.connected !== true) return
    // It may die while it is told.
    this.#child.send(order, () => undefined)
  }
}
