import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { switchNames } from '@/server/base/core/platform'
import { histograms } from '@/server/base/core/telemetry'
import { operations } from '@/server/operations'

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/operating.md'), 'utf8')
const sectionOf = (heading: string) => page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''

test('docs/operating.md says of each switch how it is at first', () => {
  const rows = [...sectionOf('Switches').matchAll(/^\| `(\w+)` +\| \**(on|off)\** /gm)]
  const documented = rows.map(([, name = '', state = '']) => `${name} ${state}`)
  const expected = switchNames.map((name) => `${name} ${name === 'federation' ? 'off' : 'on'}`)
  expect(documented.toSorted()).toEqual(expected.toSorted())
})

test('each endpoint that the row of a switch names is behind that switch', () => {
  const rows = sectionOf('Switches')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  const named = rows.flatMap((row) => {
    const [, name = ''] = /^\| `(\w+)`/.exec(row) ?? []
    return [...row.matchAll(/`([A-Z]+ \/[^`]+)`/g)].map(([, address = '']) => [address, name])
  })
  const switches = new Map(operations.map(({ endpoint: { method, path: at, switch: by } }) => [`${method} ${at}`, by]))
  expect(named.length).toBeGreaterThan(4)
  expect(named.map(([address = '']) => [address, switches.get(address)])).toEqual(named)
})

test('each latency of the objectives is a bound of the histogram of requests', () => {
  const times = [...sectionOf('Objectives').matchAll(/ (\d+) ms /g)].map(
    ([, milliseconds]) => Number(milliseconds) / 1000,
  )
  expect(times).toHaveLength(10)
  expect(times.filter((seconds) => !histograms.requests.buckets.includes(seconds as never))).toEqual([])
})
