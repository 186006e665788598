import {
  type Cache,
  type Clock,
  type Config,
  type Switches,
  type SwitchName,
  switchNames,
  type Transaction,
} from '../core/platform'
import type { Row } from '../core/rows'
import { type Sql, sql } from '../core/sql'
import type { OpenDatabase } from './database/client'

const SWITCHES_TOPIC = 'switches'
/** Short enough for a change to take effect in every process within one second, including the time of a read. */
const MAX_AGE_MILLISECONDS = 500

type OverrideRow = Row<'SwitchOverride', 'name' | 'enabled'>

type Overrides = ReadonlyMap<string, boolean>

interface Parts {
  readonly db: OpenDatabase
  readonly cache: Cache
  readonly clock: Clock
  readonly defaults: Config['switchDefaults']
}

/**
 * Creates the kill switches: each has a configured default and an override in the database, which all processes use.
 */
export function createSwitches(parts: Parts): Switches & { close(): void } {
  return new StoredSwitches(parts)
}

class StoredSwitches implements Switches {
  #overrides: Overrides = new Map()
  /** The time of the last read on the monotonic clock, which cannot be set back. */
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<Overrides> | undefined
  readonly #unsubscribe: () => void

  constructor(private readonly parts: Parts) {
    this.#unsubscribe = parts.cache.subscribe(SWITCHES_TOPIC, () => this.#forget())
  }

  async isOn(name: SwitchName): Promise<boolean> {
    // Also when no read is due, so that a call inside a transaction fails always and not only now and then.
    this.parts.db.checkUsable()
    const overrides = await this.#current()
    return overrides.get(name) ?? this.parts.defaults[name]
  }

  async list(): Promise<readonly { name: SwitchName; enabled: boolean; default: boolean }[]> {
    const overrides = await this.#read()
    const { defaults } = this.parts
    return switchNames.map((name) => ({
      name,
      enabled: overrides.get(name) ?? defaults[name],
      default: defaults[name],
    }))
  }

  async set(
    name: SwitchName,
    enabled: boolean,
    record?: (tx: Transaction, before: boolean) => Promise<void>,
  ): Promise<void> {
    const { db, clock, defaults } = this.parts
    await db.transaction(async (tx) => {
      const [row] = await tx.query<Pick<OverrideRow, 'enabled'>>(
        sql`SELECT enabled FROM switch_overrides WHERE name = ${name} FOR UPDATE`,
      )
      await tx.query(
        sql`INSERT INTO switch_overrides (name, enabled, updated_at) VALUES (${name}, ${enabled}, ${clock.now()})
         ON CONFLICT (name) DO UPDATE SET enabled = excluded.enabled, updated_at = excluded.updated_at`,
      )
      await record?.(tx, row?.enabled ?? defaults[name])
    })
    this.#forget()
    await this.parts.cache.publish(SWITCHES_TOPIC)
  }

  close(): void {
    this.#unsubscribe()
  }

  async #current(): Promise<Overrides> {
    if (performance.now() - this.#readAt < MAX_AGE_MILLISECONDS) return this.#overrides
    return this.#read()
  }

  /** Reads the overrides; concurrent readers share one read, but not one that began before the last change. */
  #read(): Promise<Overrides> {
    if (this.#reading) return this.#reading
    const startedAt = performance.now()
    this.#reading = this.#query()
    return this.#keep(this.#reading, startedAt)
  }

  async #query(): Promise<Overrides> {
    const rows = await this.parts.db.query<OverrideRow>(sql`SELECT name, enabled FROM switch_overrides`)
    return new Map(rows.map((row) => [row.name, row.enabled]))
  }

  /** Keeps the result of a read, unless there has been a change since it began. */
  async #keep(reading: Promise<Overrides>, startedAt: number): Promise<Overrides> {
    try {
      const overrides = await reading
      if (this.#reading === reading) {
        this.#overrides = overrides
        this.#readAt = startedAt
      }
      return overrides
    } finally {
      if (this.#reading === reading) this.#reading = undefined
    }
  }

  #forget(): void {
    this.#readAt = Number.NEGATIVE_INFINITY
    this.#reading = undefined
  }
}

/** Returns an expression for whether a switch is on, for a statement that must see the override under its own locks. */
export function isSwitchOnSql(name: SwitchName, switchDefault: boolean): Sql {
  return sql`coalesce((SELECT enabled FROM switch_overrides WHERE name = ${name}), ${switchDefault}::boolean)`
}
