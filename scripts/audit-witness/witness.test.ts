import { once } from 'node:events'
import { mkdir, mkdtemp, open as openFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { decodeJwt, decodeProtectedHeader, exportJWK } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Sql, sql } from '@/server/base/core/sql'
import { sha256Base64url } from '@/server/base/protocol/encoding'
import { type AuditRecord, recordAudits } from '@/server/shared/audit'
import { clientAssertion, exchange, type Key, newWalletClient } from '@/test/support/actors'
import { type App, startApp } from '@/test/support/app'
import { verifyCommand } from '../audit-verify/command'
import { witnessCommand } from './command'

let app: App
let directory = ''
let jwks = ''
let wallet: { clientId: string; key: Key }
beforeAll(async () => {
  await new Promise<void>((resolve) => between.listen(0, resolve))
  const issuer = `http://localhost:${(between.address() as AddressInfo).port}`
  app = await startApp({ seed: false, env: { BASE_URL: issuer } })
  directory = await mkdtemp(path.join(tmpdir(), 'countersign-witness-'))
  wallet = await newWalletClient(app)
  jwks = await save('jwks.json', (await exchange(`${app.baseUrl}/oauth/jwks.json`)).json)
})
afterAll(async () => {
  between.close()
  await app.close()
  await rm(directory, { recursive: true })
})

type Lie = (path: string, text: string) => string
let lie: Lie | null = null

/** The proxy at the issuer's address: it forwards every request, and changes the answers when it lies. */
const between = createServer((request, response) => {
  void pass(request).then(({ status, text }) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(lie === null ? text : lie(request.url ?? '', text))
  })
})

async function pass(request: IncomingMessage): Promise<{ status: number; text: string }> {
  const { url = '', method = '', headers } = request
  const onward = send({ port: app.platform.config.port, path: url, method, headers })
  request.pipe(onward)
  const [answer] = (await once(onward, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  return { status: answer.statusCode ?? 500, text: Buffer.concat(chunks).toString() }
}

async function save(name: string, content: unknown): Promise<string> {
  const file = path.join(directory, name)
  await writeFile(file, JSON.stringify(content), { mode: 0o600 })
  return file
}

/** A folder for a witness that may read the tenant's chain. */
async function newWitness(name: string, client = wallet): Promise<string> {
  const folder = path.join(directory, name)
  await mkdir(folder)
  await save(`${name}/client.key.json`, await exportJWK(client.key.privateKey))
  return folder
}

const look = (folder: string, { tenant = wallet.clientId } = {}) =>
  witnessCommand(['--tenant', tenant, '--state', folder, '--jwks', jwks], { BASE_URL: app.baseUrl })

const append = (tenantId: string, ids: readonly string[]) =>
  app.platform.db.transaction((tx) =>
    recordAudits(
      tx,
      ids.map(
        (id): AuditRecord => ({
          tenantId,
          principalId: null,
          event: 'oid4ac.privacy.access',
          actor: { kind: 'principal', id: 'someone' },
          payload: { request_id: id },
          now: app.clock.now(),
        }),
      ),
    ),
  )
const ids = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, at) => String(from + at))

async function exportChain(client = wallet): Promise<string> {
  const url = `${app.baseUrl}/audit/${client.clientId}/range?client_id=${client.clientId}`
  const headers = { authorization: `PrivateKeyJwt ${await clientAssertion(app, client)}` }
  return save(`range-${client.clientId}.json`, (await exchange(url, { headers })).json)
}

const tables = ['audit_entries', 'audit_nodes', 'audit_checkpoints'] as const

/** Restores an older copy of a tenant's chain, as anyone with access to the database could. */
async function restore(tenantId: string, seq: number): Promise<void> {
  const { db } = app.platform
  const run = (statement: Sql) => db.query(statement)
  for (const table of tables) await run(sql`ALTER TABLE ${sql.raw(table)} DISABLE TRIGGER ALL`)
  await run(sql`DELETE FROM audit_entries WHERE tenant_id = ${tenantId} AND seq > ${seq}`)
  await run(sql`DELETE FROM audit_checkpoints WHERE tenant_id = ${tenantId} AND seq > ${seq}`)
  await run(sql`DELETE FROM audit_nodes WHERE tenant_id = ${tenantId}`)
  await run(
    sql`UPDATE audit_heads SET seq = ${seq}, entry_hash =
          (SELECT entry_hash FROM audit_entries WHERE tenant_id = ${tenantId} AND seq = ${seq}) WHERE tenant_id = ${tenantId}`,
  )
  for (const table of tables) await run(sql`ALTER TABLE ${sql.raw(table)} ENABLE TRIGGER ALL`)
}

const statementsIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.witness.jws')).toSorted()
const stateOf = async (folder: string): Promise<string> => readFile(path.join(folder, 'state.json'), 'utf8')

describe('E68 a witness', () => {
  test('E68 signs what it saw, goes on from there, and keeps its key to itself', async () => {
    const folder = await newWitness('regular')
    await append(wallet.clientId, ['1'])
    expect(await look(folder)).toMatchObject({ code: 0, text: expect.stringContaining('entries 1 to 1') })
    await append(wallet.clientId, ids(2, 300))
    expect(await look(folder)).toMatchObject({ code: 0, text: expect.stringContaining('entries 2 to 300') })
    expect(await look(folder)).toEqual({ code: 0, text: 'Nothing new since entry 300.' })
    expect(await statementsIn(folder)).toEqual(['1.witness.jws', '300.witness.jws'])

    const jws = (await readFile(path.join(folder, '300.witness.jws'), 'utf8')).trim()
    const key = JSON.parse(await readFile(path.join(folder, 'witness.pub.json'), 'utf8')) as { kid: string }
    const state = JSON.parse(await stateOf(folder)) as { checkpoint: string; entry_hash: string }
    expect(decodeProtectedHeader(jws)).toEqual({ alg: 'EdDSA', typ: 'audit-witness+jwt', kid: key.kid })
    expect(decodeJwt(jws)).toMatchObject({
      tenant_id: wallet.clientId,
      seq: 300,
      entry_hash: state.entry_hash,
      checkpoint_hash: sha256Base64url(state.checkpoint),
      iat: expect.any(Number),
    })
    expect((await stat(path.join(folder, 'witness.key.json'))).mode & 0o777).toBe(0o600)
  })

  test('E68 catches a chain that went back and went on otherwise, which another witness cannot know', async () => {
    const tenant = await newWalletClient(app)
    const [first, second] = [await newWitness('first', tenant), await newWitness('second', tenant)]
    const at = { tenant: tenant.clientId }
    await append(tenant.clientId, ids(1, 20))
    expect((await look(first, at)).code).toBe(0)
    const before = await stateOf(first)

    await restore(tenant.clientId, 12)
    expect(await look(first, at)).toEqual({ code: 1, text: expect.stringContaining('Rolled back') })
    await append(tenant.clientId, ['other', ...ids(14, 20)])
    expect(await look(first, at)).toEqual({ code: 1, text: expect.stringContaining('Forked: entry 20') })
    await append(tenant.clientId, ids(21, 40))
    expect(await look(first, at)).toEqual({ code: 1, text: expect.stringContaining('Forked or broken after entry 20') })
    expect(await statementsIn(first)).toEqual(['20.witness.jws'])
    expect(await stateOf(first)).toBe(before)

    expect((await look(second, at)).code).toBe(0)
    const range = await exportChain(tenant)
    const checkedWith = (folder: string, seq: number) => {
      const [statement, key] = [`${seq}.witness.jws`, 'witness.pub.json'].map((name) => path.join(folder, name))
      return verifyCommand([range, '--jwks', jwks, '--witness', statement ?? '', '--witness-key', key ?? ''], {})
    }
    expect(await checkedWith(second, 40)).toMatchObject({ code: 0, text: expect.stringContaining('was witnessed') })
    expect(await checkedWith(first, 20)).toMatchObject({ code: 1, text: expect.stringContaining('Entry 20 is not') })
    const stranger = await readFile(path.join(second, 'witness.pub.json'), 'utf8')
    const statement = path.join(first, '20.witness.jws')
    expect(
      await verifyCommand([range, '--jwks', jwks, '--witness', statement, '--witness-key', stranger], {}),
    ).toMatchObject({ code: 1, text: expect.stringContaining('not signed by the witness key') })
  })

  test('E68 stores what it saw as a whole: who reads the state meanwhile has the old or the new one', async () => {
    const tenant = await newWalletClient(app)
    const [folder, at] = [await newWitness('atomic', tenant), { tenant: tenant.clientId }]
    await append(tenant.clientId, ids(1, 2))
    expect((await look(folder, at)).code).toBe(0)
    const before = await stateOf(folder)
    const reader = await openFile(path.join(folder, 'state.json'))
    await append(tenant.clientId, ids(3, 4))
    expect((await look(folder, at)).code).toBe(0)
    expect(await reader.readFile('utf8')).toBe(before)
    await reader.close()
    expect(JSON.parse(await stateOf(folder))).toMatchObject({ seq: 4 })
    expect((await readdir(folder)).filter((name) => name.includes('state'))).toEqual(['state.json'])
  })

  test('E68 two witnesses on one folder do not overwrite each other', async () => {
    const folder = await newWitness('crowded')
    const outcomes = await Promise.all([look(folder), look(folder)])
    expect(outcomes.map(({ code }) => code).toSorted((one, other) => one - other)).toEqual([0, 1])
    expect((await look(folder)).code).toBe(0)
  })
})

describe('E68 a server that lies', () => {
  afterEach(() => {
    lie = null
  })

  const inEntries =
    (edit: (entries: object[]) => object[]): Lie =>
    (where, text) => {
      if (!where.includes('/range')) return text
      const range = JSON.parse(text) as { entries: object[] }
      return JSON.stringify({ ...range, entries: edit(range.entries) })
    }
  const inText =
    (from: string | RegExp, to: string): Lie =>
    (_where, text) =>
      text.replace(from, to)

  test.each([
    ['a gap', inEntries((entries) => entries.filter((_, at) => at !== 3)), 'entry 4 is missing'],
    ['no entries', inEntries(() => []), 'Gap: entry 1 is missing'],
    ['an entry less at the end', inEntries((entries) => entries.slice(0, -1)), 'Gap'],
    ['another payload', inText('"request_id":"5"', '"request_id":"6"'), 'Entry 5: the entry does not match'],
    ['a doubled member', inText('{"seq":5', '{"seq":5,"seq":5'), 'Entry 5: its member "seq" is there twice'],
    [
      'a checkpoint of its own',
      inText(/"checkpoint":"([^"]*)[^"]{10}"/, '"checkpoint":"$1AAAAAAAAAA"'),
      'is not valid',
    ],
    ['another note', inText(/\\n[A-Za-z0-9+/]{8}/, '\\nAAAAAAAA'), 'is not valid'],
    ['no JSON', () => '<html>', 'cannot be read as JSON'],
    ['something else', () => '{}', 'holds no checkpoint'],
    ['an empty chain', inText(/"checkpoint":"[^"]*"/, '"checkpoint":null'), 'The chain is empty'],
  ])('E68 %s: exit 1 and nothing is signed', async (name, change, reason) => {
    const tenant = await newWalletClient(app)
    await append(tenant.clientId, ids(1, 8))
    const folder = await newWitness(`against-${name.replaceAll(' ', '-')}`, tenant)
    const isKnown = name === 'an empty chain'
    if (isKnown) await look(folder, { tenant: tenant.clientId })
    const known = await statementsIn(folder)
    lie = change
    const outcome = await look(folder, { tenant: tenant.clientId })
    expect(outcome).toEqual({ code: 1, text: expect.stringContaining(reason) })
    expect(await statementsIn(folder)).toEqual(known)
  })
})

describe('E68 what cannot be read', () => {
  test('E68 wrong usage, a key that others may read, and a stranger end without a statement', async () => {
    expect((await witnessCommand(['--tenant', 'x'], {})).code).toBe(2)
    expect((await witnessCommand(['--witness'], {})).code).toBe(2)
    const open = await newWitness('open')
    await writeFile(path.join(open, 'shared.json'), JSON.stringify(await exportJWK(wallet.key.privateKey)), {
      mode: 0o644,
    })
    const args = ['--tenant', wallet.clientId, '--state', open, '--jwks', jwks]
    const shared = await witnessCommand([...args, '--client-key', path.join(open, 'shared.json')], {
      BASE_URL: app.baseUrl,
    })
    expect(shared).toMatchObject({ code: 1, text: expect.stringContaining('chmod 600') })
    const stranger = await newWitness('stranger', { ...wallet, key: (await newWalletClient(app)).key })
    expect(await look(stranger)).toMatchObject({ code: 1, text: expect.stringContaining('invalid_client') })
    expect([await statementsIn(open), await statementsIn(stranger)]).toEqual([[], []])
  })
})
