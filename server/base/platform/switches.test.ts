import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openTestDatabase } from '@/test/support/database'
import { type Config, switchNames } from '../core/platform'
import { sql } from '../core/sql'
import { createMemoryCache } from './cache/memory'
import { systemClock } from './clock'
import type { OpenDatabase } from './database/client'
import { createSwitches } from './switches'

const defaults = Object.fromEntries(
  switchNames.map((name) => [name, name !== 'federation']),
) as Config['switchDefaults']
let db: OpenDatabase
/** Creates the switches of another process; with a cache of its own it learns of changes only by reading. */
const newProcess = (cache = createMemoryCache()) => createSwitches({ db, cache, clock: systemClock, defaults })

beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())
beforeEach(() => db.query(sql`DELETE FROM switch_overrides`))

describe('switches', () => {
  test('switches have their defaults until an operator sets them', async () => {
    const switches = newProcess()
    expect(await switches.isOn('settlement')).toBe(true)
    expect(await switches.isOn('federation')).toBe(false)
    expect(await switches.list()).toContainEqual({ name: 'federation', enabled: false, default: false })
  })

  test('a change of a switch is effective at once where it is made, and outlives the process', async () => {
    const switches = newProcess()
    expect(await switches.isOn('settlement')).toBe(true)
    await switches.set('settlement', false)
    expect(await switches.isOn('settlement')).toBe(false)
    expect(await newProcess().isOn('settlement')).toBe(false)
    await switches.set('settlement', true)
    expect(await switches.isOn('settlement')).toBe(true)
    expect(await switches.list()).toContainEqual({ name: 'settlement', enabled: true, default: true })
  })

  test('every other process follows a switch within a second, without any message', async () => {
    const [here, there] = [newProcess(), newProcess()]
    expect(await there.isOn('settlement')).toBe(true)
    await here.set('settlement', false)
    const changedAt = performance.now()
    await vi.waitFor(async () => expect(await there.isOn('settlement')).toBe(false), { timeout: 1_000, interval: 20 })
    expect(performance.now() - changedAt).toBeLessThan(1_000)
  })

  test('a published change of a switch is effective at once', async () => {
    const cache = createMemoryCache()
    const [here, there] = [newProcess(cache), newProcess(cache)]
    expect(await there.isOn('settlement')).toBe(true)
    await here.set('settlement', false)
    expect(await there.isOn('settlement')).toBe(false)
  })

  test('a read that began before the change of a switch does not hide it', async () => {
    const switches = newProcess()
    const early = switches.isOn('settlement')
    await switches.set('settlement', false)
    await early
    expect(await switches.isOn('settlement')).toBe(false)
  })

  test('reading a switch inside a transaction always fails, not only when a read is due', async () => {
    const switches = newProcess()
    await switches.isOn('settlement')
    await expect(db.transaction(() => switches.isOn('settlement'))).rejects.toThrow('Inside a transaction')
  })
})
