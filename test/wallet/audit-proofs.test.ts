import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { hashLeaf, provesConsistency, provesInclusion } from '@/server/base/protocol/merkle-tree'
import { openNote, readTreeHead } from '@/server/base/protocol/signed-note'
import { type AuditEntry, checkpointTenants, logOrigin, readCheckpoint } from '@/server/shared/audit'
import { clientAssertion, exchange, must, newPrincipal, newWalletClient, operate, Person } from '../support/actors'
import { type App, startApp } from '../support/app'

interface Proof {
  readonly seq: number
  readonly entry_hash: string
  readonly leaf_index: number
  readonly tree_size: number
  readonly hashes: readonly string[]
  readonly checkpoint: string
  readonly note: string
}

let app: App
let wallet: Awaited<ReturnType<typeof newWalletClient>>
let principalId = ''
beforeAll(async () => {
  app = await startApp({ seed: false })
  wallet = await newWalletClient(app)
  const added = await operate(app, 'POST', '/sandbox/principals', { wallet_client_id: wallet.clientId })
  principalId = added.json['principal_id'] ?? ''
  await addEntries(3)
})
afterAll(() => app.close())

async function addEntries(count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    await operate(app, 'POST', '/sandbox/setup-tokens', { principal_id: principalId })
  }
}

async function ask<T>(part: string, query: Record<string, string> = {}, caller = wallet) {
  const parameters = new URLSearchParams({ client_id: wallet.clientId, ...query })
  return exchange<T>(`${app.baseUrl}/audit/${wallet.clientId}/${part}?${parameters}`, {
    headers: { authorization: `PrivateKeyJwt ${await clientAssertion(app, caller)}` },
  })
}

/** Another tenant about its own chain. */
const askOf = <T>(caller: typeof wallet, part: string, query: Record<string, string> = {}) =>
  ask<T>(`../${caller.clientId}/${part}`, { client_id: caller.clientId, ...query }, caller)

const bytes = (text: string): Buffer => Buffer.from(text, 'base64url')
const findKey = (kid: string) => app.platform.keys.find('audit', kid)

async function readTree({ checkpoint, note }: { checkpoint: string; note: string }) {
  const claims = await readCheckpoint(checkpoint, findKey)
  const name = logOrigin(app.baseUrl, claims.tenant_id)
  const key = findKey(app.platform.keys.current('audit').kid) ?? expect.fail('no key')
  const head = readTreeHead(openNote(note, [{ name, key }]))
  expect([head.size, head.root.toString('base64url')]).toEqual([claims.seq, claims.root_hash])
  return { ...head, claims }
}

async function expectProven(proof: Proof): Promise<void> {
  const { root, size } = await readTree(proof)
  expect([proof.leaf_index, proof.tree_size]).toEqual([proof.seq - 1, size])
  const leaf = hashLeaf(bytes(proof.entry_hash))
  expect(provesInclusion({ index: proof.leaf_index, size, leaf, proof: proof.hashes.map(bytes), root })).toBe(true)
}

describe('the tenant', () => {
  test('E67 E68 gets a checkpoint of the newest entry in both forms, never to be cached', async () => {
    const answer = await ask<{ tenant_id: string; checkpoint: string; note: string }>('checkpoint')
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const { claims } = await readTree(answer.json)
    const { json: range } = await ask<{ to_seq: number; entries: AuditEntry[]; checkpoint: string }>('range')
    expect(claims).toMatchObject({ tenant_id: wallet.clientId, seq: range.to_seq, iat: expect.any(Number) })
    expect(claims.entry_hash).toBe(range.entries.at(-1)?.entry_hash)
    expect(range.checkpoint).toBe(answer.json.checkpoint)
    expect(decodeProtectedHeader(answer.json.checkpoint).typ).toBe('audit-checkpoint+jwt')
  })

  test('E67 an empty chain has no checkpoint, and has one from its first entry on', async () => {
    const other = await newWalletClient(app)
    const url = `${app.baseUrl}/audit/${other.clientId}/checkpoint?client_id=${other.clientId}`
    const headers = { authorization: `PrivateKeyJwt ${await clientAssertion(app, other)}` }
    expect((await exchange(url, { headers })).json).toEqual({
      tenant_id: other.clientId,
      checkpoint: null,
      note: null,
    })
    const range = url.replace('/checkpoint?', '/range?')
    const again = { authorization: `PrivateKeyJwt ${await clientAssertion(app, other)}` }
    expect((await exchange(range, { headers: again })).json).toMatchObject({ entries: [], checkpoint: null })
    must(await operate(app, 'POST', '/sandbox/principals', { wallet_client_id: other.clientId }), 201)
    const later = { authorization: `PrivateKeyJwt ${await clientAssertion(app, other)}` }
    expect((await exchange(range, { headers: later })).json).toMatchObject({ checkpoint: expect.any(String) })
  })

  test('proves each entry, and that each earlier tree is the beginning of the newest', async () => {
    const earlier = await ask<{ checkpoint: string; note: string }>('checkpoint')
    const old = await readTree(earlier.json)
    await addEntries(2)
    const tree = await readTree((await ask<{ checkpoint: string; note: string }>('checkpoint')).json)
    expect(tree.size).toBeGreaterThan(old.size)
    for (let seq = 1; seq <= tree.size; seq += 1) {
      const { status, json } = await ask<Proof>('proof', { seq: String(seq) })
      expect([status, json.seq]).toEqual([200, seq])
      await expectProven(json)
    }
    const { json } = await ask<{ hashes: string[] }>('consistency', {
      from_size: String(old.size),
      to_size: String(tree.size),
    })
    const proof = json.hashes.map(bytes)
    expect(provesConsistency({ oldSize: old.size, oldRoot: old.root, ...tree, proof })).toBe(true)
  })

  test.each([
    ['proof', { seq: '999' }, 404],
    ['proof', { seq: '0' }, 422],
    ['proof', {}, 422],
    ['consistency', { from_size: '1', to_size: '999' }, 404],
    ['consistency', { from_size: '2', to_size: '1' }, 422],
    ['consistency', { from_size: '0', to_size: '1' }, 422],
    ['range', { from_seq: '2', to_seq: '1' }, 422],
  ])('%s %j is refused with %i', async (part, query, status) => {
    expect((await ask(part, query)).status).toBe(status)
  })

  test.each(['checkpoint', 'proof', 'consistency'])('%s is for the tenant alone, with audit:read', async (part) => {
    const query = part === 'proof' ? { seq: '1' } : { from_size: '1', to_size: '1' }
    const other = await newWalletClient(app)
    const foreign = await ask<{ error: string }>(part, { ...query, client_id: other.clientId }, other)
    expect([foreign.status, foreign.json.error]).toEqual([403, 'principal_mismatch'])
  })
})

test('a caller without a valid assertion gets a challenge that names the scheme', async () => {
  const parameters = new URLSearchParams({ client_id: wallet.clientId, seq: '1', from_size: '1', to_size: '2' })
  const used = `PrivateKeyJwt ${await clientAssertion(app, wallet)}`
  for (const part of ['range', 'checkpoint', 'proof', 'consistency']) {
    const send = (authorization?: string) =>
      exchange(`${app.baseUrl}/audit/${wallet.clientId}/${part}?${parameters}`, {
        headers: authorization === undefined ? {} : { authorization },
      })
    await send(used)
    for (const refused of [
      await send(),
      await send('PrivateKeyJwt garbage'),
      await send('Bearer x'),
      await send(used),
    ]) {
      expect([part, refused.status, refused.json['error']]).toEqual([part, 401, 'invalid_client'])
      expect(refused.headers.get('www-authenticate')).toBe(`PrivateKeyJwt realm="${app.baseUrl}"`)
    }
  }
})

describe('a person', () => {
  test('proves an entry about themselves, and finds none about others', async () => {
    const [ada, eve] = [await newPrincipal(app), await newPrincipal(app)]
    const person = await Person.signIn(app, ada.principalId, 'audit:read')
    const { json } = await person.call<{ entries: AuditEntry[] }>('GET', '/wallet/audit-chain')
    const seq = json.entries[0]?.seq ?? 0
    const proof = await person.call<Proof>('GET', `/wallet/audit-chain/${seq}/proof`)
    expect(proof.json).toMatchObject({ seq, entry_hash: json.entries[0]?.entry_hash })
    await expectProven(proof.json)
    const stranger = await Person.signIn(app, eve.principalId, 'audit:read')
    expect((await stranger.call('GET', `/wallet/audit-chain/${seq}/proof`)).status).toBe(404)
    const reader = await Person.signIn(app, ada.principalId, 'wallet:read')
    expect((await reader.call('GET', `/wallet/audit-chain/${seq}/proof`)).status).toBe(403)
    expect((await person.call('GET', '/wallet/audit-chain/x/proof')).status).toBe(404)
  })

  test('B33 from_iso after to_iso is refused with 422', async () => {
    const { principalId: id } = await newPrincipal(app)
    const person = await Person.signIn(app, id, 'audit:read')
    const refused = await person.call(
      'GET',
      '/wallet/audit-chain?from_iso=2026-02-01T00:00:00Z&to_iso=2026-01-01T00:00:00Z',
    )
    expect(refused.status).toBe(422)
    expect(refused.json).toMatchObject({ detail: [{ loc: ['query', 'from_iso'] }] })
  })

  test.each(['audit-chain', 'payment-history'])('%s takes instants of the years 1 to 9999 in UTC', async (list) => {
    const { principalId: id } = await newPrincipal(app)
    const person = await Person.signIn(app, id, 'audit:read')
    const statusOf = async (query: Record<string, string>) =>
      (await person.call('GET', `/wallet/${list}?${new URLSearchParams(query)}`)).status
    expect(await statusOf({ from_iso: '0001-01-01T00:00:00+01:00' })).toBe(422)
    expect(await statusOf({ to_iso: '9999-12-31T23:59:59-01:00' })).toBe(422)
    expect(await statusOf({ from_iso: '0001-01-01T00:00:00-01:00', to_iso: '9999-12-31T23:59:59+01:00' })).toBe(200)
    expect(await statusOf({ from_iso: '0000-12-31T23:59:59-01:00' })).toBe(200)
  })

  test.each(['x', '2026-06-30T23:59:60Z'])('an instant of %s is refused for one reason', async (from_iso) => {
    const { principalId: id } = await newPrincipal(app)
    const person = await Person.signIn(app, id, 'audit:read')
    const query = new URLSearchParams({ from_iso, to_iso: from_iso })
    const { json } = await person.call<{ detail: unknown[] }>('GET', `/wallet/audit-chain?${query}`)
    expect(json.detail).toMatchObject(['from_iso', 'to_iso'].map((name) => ({ loc: ['query', name] })))
  })
})

describe('once the key of a checkpoint is blocked', () => {
  const kidOf = (jws: string) => decodeProtectedHeader(jws).kid ?? expect.fail('no kid')
  const published = async () =>
    (await exchange<{ keys: { kid: string }[] }>(`${app.baseUrl}/oauth/jwks.json`)).json.keys.map(({ kid }) => kid)

  test('each chain is signed again, one that has grown as one that has not, and proven by the new key', async () => {
    const [grown, idle] = [await newWalletClient(app), await newWalletClient(app)]
    for (const { clientId } of [grown, idle]) {
      must(await operate(app, 'POST', '/sandbox/principals', { wallet_client_id: clientId }), 201)
    }
    const checkpointOf = async (caller: typeof wallet) => {
      const answer = must(await askOf<{ checkpoint: string; note: string }>(caller, 'checkpoint'), 200)
      return { ...answer, tree: await readTree(answer) }
    }
    const before = await checkpointOf(idle)
    await checkpointOf(grown)
    must(await operate(app, 'POST', `/signing-keys/${kidOf(before.checkpoint)}/block`), 200)
    must(await operate(app, 'POST', '/sandbox/principals', { wallet_client_id: grown.clientId }), 201)

    for (const caller of [grown, idle]) {
      const { checkpoint, tree } = await checkpointOf(caller)
      expect(await published()).toContain(kidOf(checkpoint))
      expect(kidOf(checkpoint)).not.toBe(kidOf(before.checkpoint))
      const range = must(await askOf<{ checkpoint: string }>(caller, 'range'), 200)
      expect(range.checkpoint).toBe(checkpoint)
      const proof = must(await askOf<Proof>(caller, 'proof', { seq: '1' }), 200)
      expect(proof.checkpoint).toBe(checkpoint)
      await expectProven(proof)
      must(await askOf(caller, 'consistency', { from_size: '1', to_size: String(tree.size) }), 200)
    }
    expect((await checkpointOf(idle)).tree.root).toEqual(before.tree.root)
  })

  test('a range that ends earlier is signed by the new key as well, and not shown with what the old one signed', async () => {
    const caller = await newWalletClient(app)
    const add = () => operate(app, 'POST', '/sandbox/principals', { wallet_client_id: caller.clientId })
    must(await add(), 201)
    const { checkpoint: old } = must(await askOf<{ checkpoint: string }>(caller, 'checkpoint'), 200)
    const { seq } = await readCheckpoint(old, findKey)
    must(await add(), 201)
    const signedUpTo = async () =>
      must(await askOf<{ checkpoint: string }>(caller, 'range', { to_seq: String(seq) }), 200).checkpoint
    expect(await signedUpTo()).toBe(old)
    must(await operate(app, 'POST', `/signing-keys/${kidOf(old)}/block`), 200)
    const again = await signedUpTo()
    expect(await published()).toContain(kidOf(again))
    expect(await readCheckpoint(again, findKey)).toMatchObject({ tenant_id: caller.clientId, seq })
  })

  test('a chain that was tampered with is not signed again, and keeps no other from it', async () => {
    const tenants = await Promise.all([newWalletClient(app), newWalletClient(app), newWalletClient(app)])
    const [first, last] = tenants.map(({ clientId }) => clientId).toSorted()
    for (const { clientId } of tenants) {
      must(await operate(app, 'POST', '/sandbox/principals', { wallet_client_id: clientId }), 201)
    }
    await checkpointTenants(app.platform)
    const { db } = app.platform
    const checkpoints = (tenantId = '') =>
      db.query<{ jws: string }>(sql`SELECT jws FROM audit_checkpoints WHERE tenant_id = ${tenantId} ORDER BY seq`)
    const [signed] = await checkpoints(first)
    must(await operate(app, 'POST', `/signing-keys/${kidOf(signed?.jws ?? '')}/block`), 200)
    await db.query(sql`UPDATE audit_checkpoints SET jws = 'torn' WHERE tenant_id = ${first ?? ''}`)
    await db.query(sql`ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_append_only`)
    await db.query(sql`UPDATE audit_entries SET event = 'forged' WHERE tenant_id = ${last ?? ''} AND seq = 1`)
    await db.query(sql`ALTER TABLE audit_entries ENABLE TRIGGER audit_entries_append_only`)
    for (const { clientId } of tenants) {
      must(await operate(app, 'POST', '/sandbox/principals', { wallet_client_id: clientId }), 201)
    }
    await checkpointTenants(app.platform)
    const counts = await Promise.all(tenants.map(async ({ clientId }) => (await checkpoints(clientId)).length))
    const expected = tenants.map(({ clientId }) => (clientId === first || clientId === last ? 1 : 2))
    expect(counts).toEqual(expected)
    const torn = tenants.find(({ clientId }) => clientId === last) ?? expect.fail('no tenant')
    expect(must(await askOf(torn, 'checkpoint'), 200)).toMatchObject({ checkpoint: null })
  })
})
