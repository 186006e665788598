/** The command `countersign-tools` against the real service. Decisions A3, B40, C43 to C46. */
import { createHash } from 'node:crypto'
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newPrincipal, newSetupToken } from '../support/actors'
import { type App, startApp } from '../support/app'
import { newHome, removeHomes, runTools, ToolHost } from './tool-host'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(async () => {
  await app.close()
  await removeHomes()
})

const newToken = async () => newSetupToken(app, (await newPrincipal(app)).principalId)
const directoryOf = (home: string) =>
  path.join(home, 'registrations', createHash('sha256').update(app.baseUrl).digest('hex'))

describe('register', () => {
  test('B42, C43, C44 says where it registered as whom, takes the token from stdin, and names the members of client.json', async () => {
    const home = await newHome()
    const args = ['register', '--setup-token', '-', '--as-url', `${app.baseUrl}/`, '--client-name', 'Shopper']
    const { code, stdout, stderr } = await runTools(args, { home, stdin: `${await newToken()}\nsecond line\n` })
    const registration = JSON.parse(readFileSync(path.join(directoryOf(home), 'client.json'), 'utf8'))
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(
      `Registered at ${app.baseUrl}\nclient_id: ${registration.client_id}\nstate: ${directoryOf(home)}\n`,
    )
    expect(Object.keys(registration)).toEqual([
      'issuer',
      'client_id',
      'principal_id',
      'registration_access_token',
      'redirect_uris',
      'client_name',
      'scope',
      'registered_at',
    ])
    for (const name of readdirSync(directoryOf(home))) {
      expect(statSync(path.join(directoryOf(home), name)).mode & 0o777).toBe(0o600)
    }
  })

  test('A3 refuses to replace a registration, and says which folder to delete', async () => {
    const home = await newHome()
    const env = { COUNTERSIGN_AS_URL: app.baseUrl }
    expect((await runTools(['register', '--setup-token', await newToken()], { home, env })).code).toBe(0)
    const second = await newToken()
    const refused = await runTools(['register', '--setup-token', second], { home, env })
    expect([refused.code, refused.stdout]).toEqual([1, ''])
    expect(refused.stderr).toMatch(/^register failed: already registered\n/)
    expect(refused.stderr).toContain(directoryOf(home))
    rmSync(directoryOf(home), { recursive: true })
    expect((await runTools(['register', '--setup-token', second], { home, env })).code).toBe(0)
  })

  test('A3 one whose answer was lost is repeated with the same keys', async () => {
    const home = await newHome()
    const args = ['--as-url', app.baseUrl, '--setup-token']
    expect((await runTools(['register', ...args, 'A'.repeat(43)], { home })).stderr).toMatch(
      /^register failed: invalid_software_statement\n/,
    )
    const keys = () =>
      ['assertion.key.json', 'dpop.key.json'].map((name) => readFileSync(path.join(directoryOf(home), name), 'utf8'))
    const before = keys()
    expect((await runTools(['register', ...args, await newToken()], { home })).code).toBe(0)
    expect(keys()).toEqual(before)
  })

  test('C43 a home that cannot be used is exit 1', async () => {
    const home = await newHome()
    writeFileSync(home, '')
    const { code, stdout, stderr } = await runTools(['register', '--setup-token', 'x', '--as-url', app.baseUrl], {
      home,
    })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^register failed: the state directory cannot be used \([A-Z]+\)\n$/)
  })

  test('C46 a key that others may read is refused and stays as it is', async () => {
    const home = await newHome()
    const env = { COUNTERSIGN_AS_URL: app.baseUrl }
    await runTools(['register', '--setup-token', await newToken()], { home, env })
    const key = path.join(directoryOf(home), 'dpop.key.json')
    chmodSync(key, 0o640)
    const tools = await ToolHost.start(home, { env })
    const args = { principal_token: 'session:default' }
    const { texts } = await tools.call('agent_payment_history', args)
    await tools.close()
    expect(texts[0]).toBe(`agent_payment_history failed: ${key} is open to other users`)
    expect(texts[1]).toBe(`Run: chmod 600 "${key}"`)
    expect(statSync(key).mode & 0o777).toBe(0o640)
  })

  test('C46 so is a registration, which is not written over either', async () => {
    const home = await newHome()
    const env = { COUNTERSIGN_AS_URL: app.baseUrl }
    await runTools(['register', '--setup-token', await newToken()], { home, env })
    const file = path.join(directoryOf(home), 'client.json')
    writeFileSync(file, 'mine', { mode: 0o600 })
    chmodSync(file, 0o604)
    const { code, stderr } = await runTools(['register', '--setup-token', await newToken()], { home, env })
    expect(code).toBe(1)
    expect(stderr).toContain(`chmod 600 "${file}"`)
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })
})

describe('wrong usage is exit 2, with the reason and the usage on stderr', () => {
  test.each<[string, string[], Record<string, string>]>([
    ['B40 a COUNTERSIGN_TOOLS that nobody knows', ['serve'], { COUNTERSIGN_TOOLS: 'reed' }],
    [
      'C45 an authorization server over plain http',
      ['register', '--setup-token', 't', '--as-url', 'http://a.example'],
      {},
    ],
    ['C43 an option given twice', ['register', '--setup-token', 'secret-1', '--setup-token', 'secret-2'], {}],
    ['C44 no token on stdin', ['register', '--setup-token', '-', '--as-url', 'http://127.0.0.1:1'], {}],
  ])('%s', async (_what, args, env) => {
    const { code, stdout, stderr } = await runTools(args, { home: await newHome(), env, stdin: '\n' })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('Usage:')
    expect(stderr).not.toContain('secret-')
  })

  test.each(['--help', '--version'])('C43 %s is exit 0', async (option) => {
    const { code, stdout, stderr } = await runTools([option], { home: await newHome() })
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.length).toBeGreaterThan(0)
  })
})
