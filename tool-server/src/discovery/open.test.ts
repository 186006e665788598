import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSettings } from '../settings.js'
import { RegistrationStore } from '../state/registration-store.js'
import { serverUrl } from './open.js'

const registration = {
  issuer: 'https://as.example',
  client_id: 'agent-1',
  redirect_uris: [],
  registered_at: '2026-11-01T00:00:00.000Z',
}

const newHome = async () => join(await mkdtemp(join(tmpdir(), 'countersign-')), 'home')

test.each(['agent', 'wallet'] as const)(
  'B20 the server in use is that of the one registration, of kind %s',
  async (kind) => {
    const home = await newHome()
    expect(await serverUrl(readSettings({ COUNTERSIGN_HOME: home }))).toBe('http://localhost:3000')
    await new RegistrationStore(home, kind).save(registration)
    expect(await serverUrl(readSettings({ COUNTERSIGN_HOME: home }))).toBe('https://as.example')
  },
)

test('B20 COUNTERSIGN_AS_URL counts more than a registration', async () => {
  const home = await newHome()
  await new RegistrationStore(home).save(registration)
  const env = { COUNTERSIGN_HOME: home, COUNTERSIGN_AS_URL: 'https://other.example/' }
  expect(await serverUrl(readSettings(env))).toBe('https://other.example')
})
