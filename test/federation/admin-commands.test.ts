/** The operator's commands of the federation, against a server. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseCommandLine } from '@/scripts/admin/command-line'
import { sendCall } from '@/scripts/admin/send-call'
import { newKey } from '../support/actors'
import { type App, startApp } from '../support/app'
import { ask, type Claims } from './entities'

const SHOP = 'https://shop.example'
const MARK = 'https://marks.example/verified'
const OTHER_MARK = 'https://marks.example/other'

let app: App
let directory: string
beforeAll(async () => {
  app = await startApp({ env: { SWITCH_FEDERATION: 'true' }, seed: false })
  directory = mkdtempSync(path.join(tmpdir(), 'countersign-admin-'))
})
afterAll(async () => {
  rmSync(directory, { recursive: true })
  await app.close()
})

/** Runs a command line as `npm run admin --` does. */
async function admin(...words: string[]): Promise<Claims> {
  const line = parseCommandLine(['federation', ...words])
  if (line.kind === 'help') throw new Error(line.text)
  const environment = { BASE_URL: app.baseUrl, OPERATOR_TOKEN: app.operatorToken }
  return (await sendCall(line.call, environment)) as Claims
}

function file(name: string, content: unknown): string {
  const to = path.join(directory, name)
  writeFileSync(to, JSON.stringify(content))
  return to
}

const issue = (id: string) => ask(app, '/federation/trust-mark', { sub: SHOP, trust_mark_id: id })
const listed = async () => (await ask<string[]>(app, '/federation/list')).json
const makeJwks = async (kid: string) => ({ keys: [{ ...(await newKey()).jwk, kid }] })

test('an entity is registered, changed, suspended, reinstated and revoked by commands', async () => {
  const [first, second] = [await makeJwks('first'), await makeJwks('second')]
  const types = ['--types', 'openid_relying_party', '--marks', `${MARK},${OTHER_MARK}`]
  const registered = await admin('register', SHOP, '--jwks', file('first.json', first), ...types)
  expect(registered).toMatchObject({ status: 'active', jwks: first, trust_mark_ids: [MARK, OTHER_MARK] })
  const policy = { openid_relying_party: { scope: { default: 'openid' } } }
  const changes = ['--jwks', file('second.json', second), '--policy', file('policy.json', policy), '--types', 'a,b']
  const updated = await admin('update', SHOP, ...changes)
  expect(updated).toMatchObject({ jwks: second, metadata_policy: policy, entity_types: ['a', 'b'] })

  const { text } = await issue(MARK)
  const isActive = async () => (await ask(app, '/federation/trust-mark-status', { trust_mark: text })).json['active']
  expect(await isActive()).toBe(true)
  expect(await admin('marks', 'revoke', SHOP, MARK)).toMatchObject({ sub: SHOP, trust_mark_id: MARK })
  expect([await isActive(), (await issue(MARK)).status, (await issue(OTHER_MARK)).status]).toEqual([false, 404, 200])
  await admin('marks', 'reinstate', SHOP, MARK)
  expect([await isActive(), (await issue(MARK)).status]).toEqual([false, 200])
  expect(await admin('update', SHOP, '--marks', 'none')).toMatchObject({ trust_mark_ids: [] })

  await admin('suspend', SHOP)
  expect(await listed()).toEqual([])
  expect(await admin('reinstate', SHOP)).toMatchObject({ status: 'active' })
  expect(await listed()).toEqual([SHOP])
  expect(await admin('revoke', SHOP)).toMatchObject({ status: 'revoked' })
  expect(await listed()).toEqual([])
  await expect(admin('reinstate', SHOP)).rejects.toThrow('conflict')
  expect(await admin('list')).toMatchObject({ subordinates: [{ entity_id: SHOP, status: 'revoked' }] })
})
