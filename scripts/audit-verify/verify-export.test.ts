import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientAssertion, exchange, newWalletClient, operate } from '@/test/support/actors'
import { type App, startApp } from '@/test/support/app'
import { type ExportedRange, type FindKey, readExport, readKeys, verifyExport } from './verify-export'

let app: App
let directory = ''
let whole: ExportedRange
let findKey: FindKey

/** The chain of a wallet client after a person with a card was added, and what the operator did with it. */
beforeAll(async () => {
  app = await startApp({ seed: false })
  directory = await mkdtemp(path.join(tmpdir(), 'countersign-audit-'))
  const wallet = await newWalletClient(app)
  const added = await operate(app, 'POST', '/sandbox/principals', { wallet_client_id: wallet.clientId })
  await operate(app, 'POST', '/sandbox/setup-tokens', { principal_id: added.json['principal_id'] })
  const url = `${app.baseUrl}/audit/${wallet.clientId}/range?client_id=${wallet.clientId}`
  const headers = { authorization: `PrivateKeyJwt ${await clientAssertion(app, wallet)}` }
  whole = readExport(await save('range.json', (await exchange(url, { headers })).json))
  findKey = await readKeys(`${app.baseUrl}/oauth/jwks.json`)
})
afterAll(async () => {
  await app.close()
  await rm(directory, { recursive: true })
})

async function save(name: string, content: unknown): Promise<string> {
  const file = path.join(directory, name)
  await writeFile(file, JSON.stringify(content))
  return file
}

const part = (from: number, to: number): ExportedRange => ({
  ...whole,
  entries: whole.entries.filter(({ seq }) => seq >= from && seq <= to),
})
const changed = (seq: number, change: object): ExportedRange => ({
  ...whole,
  entries: whole.entries.map((entry) => (entry.seq === seq ? { ...entry, ...change } : entry)),
})

describe('intact', () => {
  test('a whole chain is intact', async () => {
    const verdict = await verifyExport([whole], findKey)
    expect(verdict.intact).toBe(true)
    expect(verdict.text).toContain('3 entries')
    expect(verdict.text).toContain('from its beginning')
  })

  test('a chain in several files and the end of one are intact', async () => {
    expect((await verifyExport([part(1, 1), part(2, 3)], findKey)).intact).toBe(true)
    expect(await verifyExport([part(2, 3)], findKey)).toMatchObject({
      intact: true,
      text: expect.stringContaining('from entry 2'),
    })
  })

  test('a chain is verified with a key set from a file', async () => {
    const { json } = await exchange(`${app.baseUrl}/oauth/jwks.json`)
    const keys = await readKeys(await save('jwks.json', json))
    expect((await verifyExport([whole], keys)).intact).toBe(true)
  })
})

describe('not intact', () => {
  test.each([
    ['a changed payload', () => [changed(2, { payload: { amount_minor: 1 } })], 'does not match its hash'],
    ['a changed link', () => [changed(2, { prev_hash: 'x' })], 'does not continue'],
    ['a missing entry', () => [part(1, 1), part(3, 3)], 'entry 2 is missing'],
    ['files in the wrong order', () => [part(2, 3), part(1, 1)], 'is missing'],
    ['a chain that was cut off', () => [part(1, 2)], 'which the files do not hold'],
    ['another tenant', () => [changed(3, { tenant_id: 'x' })], 'several tenants'],
    ['no checkpoint', () => [{ ...whole, checkpoint: null }], 'no checkpoint'],
    ['a forged checkpoint', () => [{ ...whole, checkpoint: `${whole.checkpoint?.slice(0, -6)}AAAAAA` }], 'not signed'],
  ])('%s', async (_name, ranges, reason) => {
    expect(await verifyExport(ranges(), findKey)).toMatchObject({
      intact: false,
      text: expect.stringContaining(reason),
    })
  })

  test('a checkpoint by a key that is not in the set is not accepted', async () => {
    expect(await verifyExport([whole], () => undefined)).toMatchObject({ intact: false })
  })
})

test('files that hold something else are refused by name', async () => {
  const file = await save('other.json', { entries: 'none' })
  expect(() => readExport(file)).toThrow(file)
  expect(() => readExport(`${file}.not`)).toThrow('cannot be read')
})
