import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuditEntry, hashEntry } from '@/server/shared/audit'
import { clientAssertion, exchange, newWalletClient, operate } from '@/test/support/actors'
import { type App, startApp } from '@/test/support/app'
import { UsageError } from '../operator-client'
import { verifyCommand } from './command'
import { readKeys } from './keys'
import { readRange } from './read-range'
import { verifyExport } from './verify-export'

interface Entry {
  readonly seq: number
  readonly entry_hash?: string
  readonly actor: object
  readonly payload: object
}
interface Range {
  readonly entries: readonly Entry[]
  readonly checkpoint: string | null
}

let app: App
let directory = ''
let jwks = ''
let whole: Range
/** The chain before its last entry. */
let early: Range
/** The first two entries, each in its own answer. */
let pages: readonly Range[]
let text = ''

/** The chain of a wallet client after a person with a card was added, with the operator's actions. */
beforeAll(async () => {
  app = await startApp({ seed: false })
  directory = await mkdtemp(path.join(tmpdir(), 'countersign-audit-'))
  const wallet = await newWalletClient(app)
  const added = await operate(app, 'POST', '/sandbox/principals', { wallet_client_id: wallet.clientId })
  const url = `${app.baseUrl}/audit/${wallet.clientId}/range?client_id=${wallet.clientId}`
  const read = async (bounds = '') => {
    const headers = { authorization: `PrivateKeyJwt ${await clientAssertion(app, wallet)}` }
    return (await exchange<Range>(url + bounds, { headers })).json
  }
  early = await read()
  await operate(app, 'POST', '/sandbox/setup-tokens', { principal_id: added.json['principal_id'] })
  whole = await read()
  pages = [await read('&to_seq=1'), await read('&from_seq=2&to_seq=2')]
  text = JSON.stringify(whole)
  jwks = await save(JSON.stringify((await exchange(`${app.baseUrl}/oauth/jwks.json`)).json))
})
afterAll(async () => {
  await app.close()
  await rm(directory, { recursive: true })
})

let saved = 0
async function save(content: string): Promise<string> {
  saved += 1
  const file = path.join(directory, `${saved}.json`)
  await writeFile(file, content)
  return file
}

/** Runs the command on these files, without a server. */
async function verify(...contents: readonly (object | string)[]) {
  const files = await Promise.all(contents.map((one) => save(typeof one === 'string' ? one : JSON.stringify(one))))
  return verifyCommand([...files, '--jwks', jwks], {})
}

const part = (from: number, to: number): Range => ({
  ...whole,
  entries: whole.entries.filter(({ seq }) => seq >= from && seq <= to),
})
const changed = (seq: number, change: object): Range => ({
  ...whole,
  entries: whole.entries.map((entry) => (entry.seq === seq ? { ...entry, ...change } : entry)),
})
const without = (member: string): Range => ({
  ...whole,
  entries: whole.entries.map((entry) =>
    entry.seq === 2 ? (Object.fromEntries(Object.entries(entry).filter(([name]) => name !== member)) as never) : entry,
  ),
})
/** Returns the text with a member of entry 2 written twice. */
const doubled = (member: RegExp): string => {
  const at = text.indexOf('{"seq":2')
  return text.slice(0, at) + text.slice(at).replace(member, '$&,$&')
}

/** Returns the chain with one more entry, linked and hashed as the server would, but not signed. */
function withTail(change: object = {}, chain = whole): Range {
  const { entry_hash: prev, ...last } = chain.entries.at(-1) as AuditEntry
  const unhashed = { ...last, seq: last.seq + 1, prev_hash: prev, ...change }
  return { ...chain, entries: [...chain.entries, { ...unhashed, entry_hash: hashEntry(unhashed) }] }
}

describe('E65 intact', () => {
  test('E65 a whole chain is intact, with the keys from a file and from the server', async () => {
    const verdict = await verify(whole)
    expect(verdict).toMatchObject({ code: 0, text: expect.stringContaining('3 entries') })
    expect(verdict.text).toContain('from its beginning')
    const online = await verifyCommand([await save(text)], { BASE_URL: app.baseUrl })
    expect(online).toEqual(verdict)
  })

  test('E65 a chain in several files and the end of one are intact', async () => {
    expect((await verify(part(1, 1), part(2, 3))).code).toBe(0)
    expect(await verify(part(2, 3))).toMatchObject({ code: 0, text: expect.stringContaining('from entry 2') })
  })

  test('E65 E67 each answer that holds a part of the chain is intact alone, and the parts are together', async () => {
    for (const page of pages) {
      const verdict = await verify(page)
      expect(verdict).toMatchObject({ code: 0, text: expect.stringContaining('Intact: 1 entries') })
      expect(verdict.text).not.toContain('vouched')
    }
    expect((await verify(...pages, part(3, 3))).code).toBe(0)
  })

  test('E65 entries since the checkpoint are intact, and it is said that nothing vouches for them yet', async () => {
    expect((await verify(whole)).text).not.toContain('vouched')
    const told = [
      [{ ...whole, checkpoint: early.checkpoint }, 'entry 3 is not vouched for yet'],
      [withTail({}, withTail()), 'entries 4 to 5 are not vouched for yet'],
    ] as const
    for (const [chain, tail] of told) {
      expect(await verify(chain)).toMatchObject({ code: 0, text: expect.stringContaining(tail) })
    }
  })

  test('E65 the keys are read from a file without any server, or from the address that is given', async () => {
    const file = await save(text)
    const address = `${app.baseUrl}/oauth/jwks.json`
    expect((await verifyCommand([file, '--jwks', address], { BASE_URL: 'http://localhost:1' })).code).toBe(0)
    const foreign = await verifyCommand([file, '--jwks', 'http://localhost:1/jwks.json'], { BASE_URL: app.baseUrl })
    expect(foreign.code).toBe(1)
  })

  test('E65 other white space and another order of members are intact', async () => {
    expect((await verify(JSON.stringify(whole, null, 2))).code).toBe(0)
    const reversed = whole.entries.map((entry) => Object.fromEntries(Object.entries(entry).toReversed()))
    expect((await verify({ ...whole, entries: reversed })).code).toBe(0)
  })
})

describe('E65 not intact', () => {
  test.each([
    [
      'a changed payload',
      () => [changed(2, { payload: { amount_minor: 1 } })],
      'Entry 2: the entry does not match its hash',
    ],
    ['a changed link', () => [changed(2, { prev_hash: 'x' })], 'Entry 2: the entry does not continue'],
    [
      'a member beside the payload',
      () => [changed(2, { refunded_minor: 1300 })],
      'Entry 2: member "refunded_minor" cannot be in an entry',
    ],
    [
      'a member in actor',
      () => [changed(2, { actor: { ...whole.entries[1]?.actor, name: 'x' } })],
      'Entry 2: member "actor.name" cannot be in an entry',
    ],
    [
      'an appended entry with a member that no entry has and the right hash',
      () => [withTail({ refunded_minor: 1300 })],
      'Entry 4: member "refunded_minor" cannot be in an entry',
    ],
    [
      'an appended entry with a member in actor and the right hash',
      () => [withTail({ actor: { kind: 'operator', id: 'x', name: 'x' } })],
      'Entry 4: member "actor.name" cannot be in an entry',
    ],
    [
      'a member in the first entry of a later part',
      () => [part(1, 1), { ...part(2, 3), entries: [{ ...whole.entries[1], x: 1 }] }],
      'Entry 2: member "x" cannot be in an entry',
    ],
    [
      'a member in payload',
      () => [changed(2, { payload: { ...whole.entries[1]?.payload, more: null } })],
      'Entry 2: the entry does not match',
    ],
    [
      'a member named __proto__',
      () => [text.replace('{"seq":2', '{"__proto__":{"x":1},"seq":2')],
      'Entry 2: member "__proto__" cannot be in an entry',
    ],
    ['a doubled member', () => [doubled(/"event":"[^"]*"/)], 'Entry 2: its member "event" is there twice'],
    ['a doubled member in actor', () => [doubled(/"kind":"[^"]*"/)], 'Entry 2: its member "kind" is there twice'],
    [
      'a doubled member in payload',
      () => [doubled(/"setup_intent_id":"[^"]*"/)],
      'Entry 2: its member "setup_intent_id" is',
    ],
    [
      'a member doubled under an escaped name',
      () => [text.replace('{"seq":2', '{"\\u0073eq":7,"seq":2')],
      'Entry 2: its member "seq" is there twice',
    ],
    [
      'a number that is rounded to the right one',
      () => [text.replace('{"seq":2', '{"seq":2.00000000000000000001')],
      'Entry 2: a number',
    ],
    ['a missing member', () => [without('actor')], 'Entry 2: its member actor is missing'],
    ['a member of another kind', () => [changed(2, { seq: '2' })], 'Entry 2: its member seq'],
    [
      'something that is no entry',
      () => [{ ...whole, entries: [whole.entries[0], 7] }],
      'Entry 2: it is not an object',
    ],
    ['a missing entry', () => [part(1, 1), part(3, 3)], 'Entry 2: entry 2 is missing'],
    ['a doubled entry', () => [part(1, 2), part(2, 3)], 'Entry 3: entry 3 is missing'],
    ['files in the wrong order', () => [part(2, 3), part(1, 1)], 'is missing'],
    ['a chain that was cut off', () => [part(1, 2)], 'vouches for entry 3, which the files do not hold'],
    ['an entry of another tenant', () => [changed(3, { tenant_id: 'x' })], 'Entry 3: the entry is of another tenant'],
    ['files of two tenants', () => [part(1, 2), { ...part(3, 3), tenant_id: 'x' }], 'several tenants'],
    [
      'a doubled list of entries',
      () => [text.replace('"entries":', '"entries":[],"entries":')],
      '"entries" is there twice',
    ],
    ['no checkpoint', () => [{ ...whole, checkpoint: null }], 'no checkpoint'],
    ['a forged checkpoint', () => [{ ...whole, checkpoint: `${whole.checkpoint?.slice(0, -6)}AAAAAA` }], 'not signed'],
  ])('E65 %s', async (_name, ranges, reason) => {
    const verdict = await verify(...ranges())
    expect(verdict).toMatchObject({ code: 1, text: expect.stringContaining(reason) })
    expect(verdict.text).toMatch(/^NOT INTACT: /)
  })

  test('E65 A5 any change of any character of the entries and the checkpoint', async () => {
    const findKey = await readKeys(jwks)
    const judge = async (changedText: string) => {
      try {
        return (await verifyExport([readRange(changedText, 'the file')], findKey)).intact
      } catch (error) {
        if (error instanceof UsageError) return false
        throw error
      }
    }
    expect(await judge(text)).toBe(true)
    const start = text.indexOf('"entries":[') + '"entries":['.length
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: start, max: text.length - 3 }),
        fc.constantFrom(...'0aZ_"{},: '),
        async (at, put) => {
          fc.pre(text[at] !== put)
          const changedText = text.slice(0, at) + put + text.slice(at + 1)
          expect([await judge(changedText), changedText]).toEqual([false, changedText])
        },
      ),
      { numRuns: 1_000 },
    )
  })

  test('E65 a checkpoint by a key that is not in the set is not accepted', async () => {
    const none = await save('{"keys":[]}')
    expect(await verifyCommand([await save(text), '--jwks', none], {})).toMatchObject({ code: 1 })
  })

  test('E65 a chain whose keys cannot be had is not verifiable', async () => {
    expect(await verifyCommand([await save(text)], { BASE_URL: 'http://localhost:1' })).toMatchObject({ code: 1 })
  })
})

describe('E65 not understood', () => {
  test.each([
    ['no file at all', async () => [], 'Usage'],
    ['a file that is not there', async () => ['/nowhere/range.json'], '/nowhere/range.json cannot be read'],
    ['a file that is not JSON', async () => [await save('{')], 'cannot be read as JSON'],
    ['JSON of something else', async () => [await save('{"entries":"none"}')], 'is no exported audit range'],
    ['an unknown option', async () => ['--fast'], '--fast'],
    ['a key set that is none', async () => [await save(text), '--jwks', await save('{}')], 'is no key set'],
    ['a witness without a key', async () => [await save(text), '--jwks', jwks, '--witness', jwks], 'belong together'],
  ])('E65 %s', async (_name, args, reason) => {
    expect(await verifyCommand(await args(), {})).toMatchObject({ code: 2, text: expect.stringContaining(reason) })
  })
})
