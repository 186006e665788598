import { expect, test } from 'vitest'
import { runCampaign } from './campaign'
import { newSeed } from './random'

const SECONDS = 45

test(
  'no payment is lost or made twice while servers, database, cache, clocks and processor fail at random',
  async () => {
    const seed = newSeed()
    const report = await runCampaign({
      seed,
      settlements: 1_000,
      seconds: SECONDS,
      members: 2,
      workers: 24,
      replaysAfterRestart: 50,
    })
    const said = [`seed ${seed}`, ...report.lines].join('\n')
    expect(report.violations, said).toEqual([])
    expect(report.settlements, said).toBeGreaterThan(0)
    expect(report.faults.size, said).toBeGreaterThan(0)
  },
  5 * 60_000,
)
