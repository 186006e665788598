import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { keyPurposes } from '@/server/base/core/platform'
import * as lifetimes from '@/server/base/protocol/lifetimes'
import * as contacts from '@/server/identity/contacts/contract'
import * as passkeys from '@/server/identity/passkeys/contract'
import * as sessions from '@/server/identity/sessions/contract'
import { SESSION_IDLE_SECONDS } from '@/server/identity/sessions/input'
import { operations } from '@/server/operations'
import * as audit from '@/server/shared/audit/contract'
import * as mailedLinks from '@/server/shared/mailed-links/contract'
import * as notifications from '@/server/shared/notifications/contract'
import * as bounds from '@/server/transport/http/bounds'
import { AGE_PROOF_MAX_SECONDS } from '@/server/wallet/age-proofs/input'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const page = read('docs/security.md')

/** A part of the page, from its heading to the next one of the same depth or above. */
function sectionOf(heading: string): string {
  const [, rest = ''] = page.split(`\n${heading}\n`)
  const depth = heading.indexOf(' ')
  return rest.split(new RegExp(`^#{2,${depth}} `, 'm'))[0] ?? ''
}

/** The cells of each row of a table, without its head. */
const rowsOf = (section: string): string[][] =>
  [...section.matchAll(/^\| (.+) \|$/gm)]
    .map(([, cells = '']) => cells.split(' | '))
    .filter(([first]) => first !== '---')

const bodyOf = (section: string): string[][] => rowsOf(section).slice(1)
const firstsOf = (section: string): string[] => bodyOf(section).map(([first = '']) => first.replaceAll('`', ''))

const requirements = [...sectionOf('## OWASP ASVS 5.0').matchAll(/^\| (V[\d.]+) \| ([12]) \| (.+?) \| (.+) \|$/gm)].map(
  ([, number = '', level, asks, status = '']) => ({ number, level: Number(level), asks, status }),
)
const practices = [...sectionOf('## RFC 9700').matchAll(/^\| ([24][\d.]+(?: \([a-z]\))?) \| (.+?) \| (.+) \|$/gm)].map(
  ([, number = '', asks, status = '']) => ({ number, asks, status }),
)

/** How many requirements of levels 1 and 2 each chapter of ASVS 5.0.0 has. */
const asvs: Readonly<Record<string, readonly [number, number]>> = {
  V1: [8, 19],
  V2: [4, 7],
  V3: [8, 11],
  V4: [2, 8],
  V5: [4, 5],
  V6: [13, 22],
  V7: [6, 12],
  V8: [4, 3],
  V9: [4, 3],
  V10: [5, 24],
  V11: [3, 11],
  V12: [3, 6],
  V13: [1, 12],
  V14: [2, 7],
  V15: [3, 10],
  V16: [0, 16],
  V17: [0, 7],
}

/** The sections of RFC 9700 that recommend something, or describe an attack. */
const rfc9700 =
  '2.1 2.1.1 2.1.2 2.2.1 2.2.2 2.3 2.4 2.5 2.6 4.1 4.2 4.3 4.4 4.5 4.6 4.7 4.8 4.9.1 4.9.2 4.10.1 4.10.2 4.11.1 4.11.2 4.12 4.13 4.14 4.15 4.16 4.17'

/** A file of tests, and the titles that follow it. */
const CITATION = /`([\w./-]+\.(?:test|spec)\.ts)`((?:,?\s+«[^»]+»)+)/g
const cited = [...page.matchAll(CITATION)].flatMap(([, file = '', titles = '']) =>
  [...titles.matchAll(/«([^»]+)»/g)].map(([, title = '']) => ({ file, title: title.replaceAll(/\s+/g, ' ') })),
)

/** Whether a source has the title as a text of its own. */
function hasTitle(source: string, title: string): boolean {
  return ["'", '"', '`'].some((quote) => source.includes(quote + title.replaceAll(quote, `\\${quote}`) + quote))
}

describe('docs/security.md', () => {
  test('cites tests that exist', () => {
    expect(cited.length).toBeGreaterThan(200)
    const missing = cited.filter(
      ({ file, title }) => !existsSync(path.join(root, file)) || !hasTitle(read(file), title),
    )
    expect(missing).toEqual([])
  })

  test('lists each requirement of ASVS 5.0 of levels 1 and 2 once, in order', () => {
    const numbers = requirements.map(({ number }) => number)
    expect(numbers).toEqual(
      [...new Set(numbers)].toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true })),
    )
    const counts = Object.keys(asvs).map((chapter) => {
      const own = requirements.filter(({ number }) => number.startsWith(`${chapter}.`))
      return [chapter, [1, 2].map((level) => own.filter((one) => one.level === level).length)]
    })
    expect(Object.fromEntries(counts)).toEqual(asvs)
  })

  test('lists each section of RFC 9700 that recommends something or describes an attack', () => {
    const numbers = practices.map(({ number }) => number)
    expect(numbers).toEqual([...new Set(numbers)])
    expect([...new Set(numbers.map((number) => number.split(' ')[0]))].join(' ')).toBe(rfc9700)
  })

  test('says of each line whether it is met, not applicable or open, and by what or why', () => {
    const wrong = [...requirements, ...practices].filter(({ status }) => {
      const [, word, rest = ''] = /^\*\*(met|not applicable|open)\*\*: (.+)$/.exec(status) ?? []
      return word === undefined || (word === 'met' ? rest.match(CITATION) === null : rest.length < 10)
    })
    expect(wrong).toEqual([])
  })

  test('names only duties of the deployment that it explains', () => {
    const explained = new Set(
      [...sectionOf('## What is left to the deployment').matchAll(/^- \*\*(D\d+) /gm)].map(([, one]) => one),
    )
    const others = page.replace(sectionOf('## Decisions'), '')
    const named = others.replaceAll(/«[^»]+»/g, '').match(/\bD\d+\b/g) ?? []
    expect(named.filter((one) => !explained.has(one))).toEqual([])
    expect(explained.size).toBe(12)
  })
})

/** How many sentences each part of the decisions has. */
const decisions: readonly (readonly [letter: string, first: number, last: number])[] = [
  ['A', 1, 4],
  ['B', 5, 17],
  ['C', 18, 23],
  ['D', 24, 33],
  ['E', 34, 36],
  ['F', 37, 44],
  ['G', 45, 57],
]
const numbers = decisions.flatMap(([letter, first, last]) =>
  Array.from({ length: last - first + 1 }, (_, at) => letter + String(first + at)),
)

describe('the decisions and attacks of docs/security.md', () => {
  /** The rows of the first table of a section. */
  const tableOf = (heading: string) => bodyOf(sectionOf(heading).split('\n### ')[0] ?? '')
  const titlesOf = (cells: string) => [...cells.matchAll(/«([^»]+)»/g)].map(([, title = '']) => title)
  const isAbout = (number: string, title: string) =>
    new RegExp(String.raw`^(?:[A-G]\d+,? )*${number}\b`).test(title) || title.startsWith('%s ')

  test('the page has each of the 57 decisions once, in order, with tests that begin with its number', () => {
    const rows = tableOf('## Decisions')
    expect(rows.map(([number]) => number)).toEqual(numbers)
    const strays = rows.filter(
      ([number = '', , tests = '']) =>
        titlesOf(tests).length === 0 || !titlesOf(tests).every((title) => isAbout(number, title)),
    )
    expect(strays).toEqual([])
  })

  test('a title whose number is filled in names it among its cases', () => {
    const filled = tableOf('## Decisions').filter(([, , tests = '']) =>
      titlesOf(tests).some((title) => title.startsWith('%s ')),
    )
    expect(filled.map(([number]) => number)).toEqual(['D25', 'G46'])
    for (const [number] of filled) expect(read('test/security/free-text.test.ts')).toContain(`'${number}'`)
  })

  test('the page has each of the ten attacks, with decisions that it explains and tests', () => {
    const rows = bodyOf(sectionOf('### Ten attacks'))
    expect(rows.map(([number]) => number)).toEqual(Array.from({ length: 10 }, (_, at) => String(at + 1)))
    for (const [, , named = '', tests = ''] of rows) {
      expect(numbers).toEqual(expect.arrayContaining(named.split(', ')))
      expect(titlesOf(tests)).not.toEqual([])
    }
  })

  test('the page lists everything that the operator token opens outside the sandbox', () => {
    const opened = operations
      .map(({ endpoint }) => endpoint)
      .filter(({ access, sandboxOnly }) => ['operator', 'backend'].includes(access.actor) && sandboxOnly !== true)
    expect(firstsOf(sectionOf('## What the operator can do')).toSorted()).toEqual(
      opened.map(({ operationId }) => operationId).toSorted(),
    )
  })

  test('the page names what wallet clients may do as well', () => {
    const named = bodyOf(sectionOf('## What the operator can do')).filter(([, does = '']) =>
      does.includes('wallet clients may'),
    )
    const shared = operations
      .map(({ endpoint }) => endpoint)
      .filter(({ access }) => access.actor === 'backend' && access.operatorOnly !== true)
    expect(named.map(([name = '']) => name.replaceAll('`', '')).toSorted()).toEqual(
      shared.map(({ operationId }) => operationId).toSorted(),
    )
  })
})

/** Seconds and bytes as the page writes them. */
function inWords(name: string, value: number): string {
  if (name.endsWith('_BYTES')) return `${value / 1024} KiB`
  if (name.endsWith('_HOURS')) return `${value} h`
  if (!name.endsWith('_SECONDS')) return String(value)
  if (value < 120) return `${value} s`
  return value % 3600 === 0 ? `${value / 3600} h` : `${value / 60} min`
}

/** Bounds and tolerances that keep nobody from anything, which the page leaves out. */
const untold = [
  'CLOCK_SKEW_SECONDS',
  'PASSKEY_NAME_MAX',
  'PROCESS_CLOCKS_APART_SECONDS',
  'SESSION_TOUCH_SECONDS',
  'SMALL_CLOCK_SKEW_SECONDS',
  'STATUS_LIST_MAX_BYTES',
  'UNREAD_MAX_BYTES',
]

describe('what docs/security.md says of the code', () => {
  const sources = readdirSync(path.join(root, 'server'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => read(path.join('server', file)))
    .join('\n')

  test('the page gives every lifetime and bound as the code has it', () => {
    const listed: Readonly<Record<string, unknown>> = {
      ...lifetimes,
      ...contacts,
      ...passkeys,
      ...sessions,
      ...audit,
      ...notifications,
      ...mailedLinks,
      ...bounds,
    }
    const others = sources.matchAll(/const ([A-Z][A-Z\d_]+) = (\d+)$/gm)
    const constants: Readonly<Record<string, unknown>> = {
      ...Object.fromEntries([...others].map(([, name = '', value]) => [name, value])),
      ...listed,
      SESSION_IDLE_SECONDS,
      AGE_PROOF_MAX_SECONDS,
    }
    const rows = bodyOf(sectionOf('## Lifetimes and bounds')).map(([, value, name = '']) => [
      name.replaceAll('`', ''),
      value,
    ])
    const real = rows.map(([name = '']) => [name, inWords(name, Number(constants[name]))])
    expect(rows).toEqual(real)
    const told = new Set(rows.map(([name]) => name))
    const missing = Object.keys(listed).filter(
      (name) => /_(?:SECONDS|BYTES|MAX|PER_[A-Z\d_]+)$/.test(name) && !told.has(name),
    )
    expect(missing.toSorted()).toEqual(untold)
  })

  test('the page lists every way to sign in', () => {
    const providers = [...read('server/identity/sessions/next-auth.ts').matchAll(/\bid: '([\w-]+)'/g)].map(
      ([, id = '']) => id,
    )
    expect(firstsOf(sectionOf('## How people sign in')).toSorted()).toEqual(providers.toSorted())
  })

  const settings = [...read('README.md').matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name = '']) => name)

  test('the page lists every key that the service makes or is given', () => {
    const derived = [...sources.matchAll(/(?:sealer\.derive(?:All)?\(|PURPOSE = )'([\w-]+)'/g)].map(
      ([, purpose]) => purpose,
    )
    const given = settings.filter((name) => /_(?:KEY|SECRET|TOKEN)$/.test(name))
    expect([derived.length, given.length]).toEqual([6, 8])
    expect(firstsOf(sectionOf('## Keys'))).toEqual(expect.arrayContaining([...keyPurposes, ...derived, ...given]))
  })

  test('the page lists every address that the service connects to', () => {
    const addresses = settings.filter((name) => /_(?:URL|BASE|ENDPOINT)$/.test(name) && name !== 'BASE_URL')
    expect(firstsOf(sectionOf('## Connections')).toSorted()).toEqual(addresses.toSorted())
  })

  test('the page lists every log line that the code writes, with its level', () => {
    const written = new Map<string, Set<string>>()
    for (const [, level = 'by what prints', one, other] of sources.matchAll(
      /\blog(?:\.(info|warn|error)|\[level\])\(\s*(?:'([^']+)'|"([^"]+)")/g,
    )) {
      const message = one ?? other ?? ''
      written.set(message, (written.get(message) ?? new Set()).add(level))
    }
    const lines = bodyOf(sectionOf('## Logs')).map(
      ([message = '', level]) => `${message.replaceAll('`', '')}: ${level}`,
    )
    const expected = [...written].map(([message, levels]) => `${message}: ${[...levels].toSorted().join(', ')}`)
    expect(lines.toSorted()).toEqual(expected.toSorted())
  })
})

test('the page says for each severity of an advisory within how many days it is answered', () => {
  const rows = bodyOf(sectionOf('## Components')).map((cells) => cells.map((cell) => cell.trim()))
  expect(rows.map(([severity]) => severity)).toEqual(['critical', 'high', 'moderate', 'low'])
  const days = rows.map(([, within = '']) => Number(/^(\d+) days$/.exec(within)?.[1]))
  expect(days).toEqual(days.toSorted((one, other) => one - other))
})
