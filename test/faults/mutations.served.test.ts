import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase } from '../processes/cluster'
import { chargedOnce, dailyCap, mandateOnce, sameAnswers } from './money-checks'
import { brokenCaps, capTables, overspend, soundCaps } from './mutations-of-caps'
import { brokenOnces, type OnceStrategy, onceTables, repeatYourself, soundOnce } from './mutations-of-once'
import { oneRequestPerKey } from './record-checks'
import { dropDatabase } from './scratch'

const CLIENTS = 12

describe('the checks of the fault harness find what is broken', () => {
  let databaseUrl: string
  let clients: Client[]
  beforeAll(async () => {
    databaseUrl = await createDatabase()
    clients = await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        const client = new Client({ connectionString: databaseUrl })
        await client.connect()
        return client
      }),
    )
    await clients[0]?.query(capTables)
    await clients[0]?.query(onceTables)
  })
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.end()))
    await dropDatabase(databaseUrl)
  })

  test.each(brokenCaps)('M1 catches a store that uses $name at $isolation', async (strategy) => {
    expect(dailyCap(await overspend(clients, strategy))).toHaveLength(1)
  })

  test.each(soundCaps)(
    'M1 passes a store that uses $name at $isolation, which stops at the limit',
    async (strategy) => {
      const evidence = await overspend(clients, strategy)
      expect(dailyCap(evidence)).toEqual([])
      expect(evidence.settlements).toHaveLength(40)
    },
  )

  const findings = async (strategy: OnceStrategy): Promise<string[]> => {
    const evidence = await repeatYourself(clients, strategy)
    const found = {
      M5: sameAnswers(evidence),
      M6: chargedOnce(evidence),
      M7: mandateOnce(evidence),
      I3: oneRequestPerKey(evidence),
    }
    return Object.entries(found).flatMap(([name, texts]) => (texts.length === 0 ? [] : [name]))
  }

  test.each(brokenOnces)('$caughtBy catch a store that $name', async ({ caughtBy, ...strategy }) => {
    expect(await findings(strategy)).toEqual(expect.arrayContaining([...caughtBy]))
  })

  test(`M5, M6, M7 and I3 pass a store that ${soundOnce.name}`, async () => {
    expect(await findings(soundOnce)).toEqual([])
  })
})
