import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '@/scripts/portal/free-port'
import { aloneIn, startMember, stopMember } from './cluster'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'countersign-refused-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

/** Runs the built server until it ends, with nothing in its environment but what is given; `status` is null when it had to be killed. */
async function runServer(env: Readonly<Record<string, string>>, file = 'server.mjs') {
  const child = spawn(process.execPath, [file], {
    env: {
      NODE_ENV: 'production',
      PATH: process.env['PATH'],
      DATA_DIR: dataDir,
      PORT: String(await freePort()),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 30_000,
    killSignal: 'SIGKILL',
  })
  const [output, errors, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { status: status as number | null, output: output + errors }
}

/** The variables that are said to be missing, as often and in the order that they are named. */
function namesIn(output: string): string[] {
  return [...output.matchAll(/(\w+) must be set/g)].map(([, name = '']) => name)
}

const newSecret = () => randomBytes(32).toString('hex')
const REQUIRED = ['OPERATOR_TOKEN', 'PROCESSOR_WEBHOOK_SECRET', 'RCS_CALLBACK_SECRET', 'KEY_ENCRYPTION_KEY']
/** An address without a listener. */
const DATABASE_URL = 'postgres://nobody@127.0.0.1:9/none'

test.each([
  ['on the embedded database', { SANDBOX: 'false' }, REQUIRED],
  ['on PostgreSQL', { SANDBOX: 'false', DATABASE_URL }, REQUIRED],
  ['on PostgreSQL, which is no sandbox unless told so', { DATABASE_URL }, REQUIRED],
  [
    'with two of them',
    { DATABASE_URL, OPERATOR_TOKEN: newSecret(), KEY_ENCRYPTION_KEY: newSecret() },
    REQUIRED.slice(1, 3),
  ],
])(
  'a live server without its secrets %s does not start, names every one, and generates none',
  async (_where, env, missing) => {
    const { status, output } = await runServer(env)
    expect(status).toBe(1)
    expect(namesIn(output)).toEqual(missing)
    expect(output).toContain('See README.md, Configuration.')
    expect(await readdir(dataDir)).toEqual([])
  },
)

/** Servers of a database that does not answer, in one process and in several. */
const alone = { SANDBOX: 'true', DATABASE_URL, START_TIMEOUT_SECONDS: '0' }
const several = { ...alone, REDIS_URL: 'redis://127.0.0.1:9', WORKERS: '2' }

test.each([
  ['without its secrets', { SANDBOX: 'false' }, REQUIRED.map((name) => `    ${name} must be set outside the sandbox`)],
  ['of workers without what they share', { WORKERS: '3' }, ['    WORKERS=3 needs DATABASE_URL and REDIS_URL']],
])('npm start tells once what is wrong with the settings of a server %s', async (_which, env, problems) => {
  const { status, output } = await runServer(env, 'scripts/start.mjs')
  expect(status).toBe(1)
  const [, words = ''] = output.split('✗ ')
  expect(words.split('\n')).toEqual([
    'The configuration cannot be used:',
    ...problems.map((problem) => expect.stringContaining(problem)),
    '  See README.md, Configuration.',
    '',
  ])
  expect(output).not.toContain('{')
})

test.each([
  ['one process', alone],
  ['several processes', several],
])('npm start tells once why %s did not start', async (_which, env) => {
  const { status, output } = await runServer(env, 'scripts/start.mjs')
  expect(status).toBe(1)
  expect(
    output.match(/^✗ Countersign did not start. The database at 127\.0\.0\.1:9\/none did not answer /gm),
  ).toHaveLength(1)
  expect(output.match(/did not answer/g)).toHaveLength(1)
})

test.each([
  ['one process', alone],
  ['several processes', several],
])('the log tells once why %s did not start', async (_which, env) => {
  const { status, output } = await runServer({ ...env, LOG_LEVEL: 'error' })
  expect(status).toBe(1)
  const { level, text: line, message } = JSON.parse(output) as Record<string, string>
  expect([level, line ?? message]).toEqual([
    'error',
    expect.stringMatching(/^The database at 127\.0\.0\.1:9\/none did not/),
  ])
})

test('a live server without a mail server starts, and its log warns that mail goes nowhere', async () => {
  const secrets = Object.fromEntries(REQUIRED.map((name) => [name, newSecret()]))
  const member = await startMember({ ...aloneIn(dataDir), ...secrets, SANDBOX: 'false', ROLE: 'api' }, 'pipe')
  const log = member.process.stdout === null ? Promise.resolve('') : text(member.process.stdout)
  await stopMember(member)
  const lines = (await log).trimEnd().split('\n')
  const warnings = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn')
  expect(warnings).toMatchObject([{ text: 'Mail goes nowhere, and people cannot sign in by mail: set SMTP_URL.' }])
})

test('several workers without what they share end with the first, which says what is missing', async () => {
  const { status, output } = await runServer({ SANDBOX: 'true', WORKERS: '3' })
  expect(status).toBe(1)
  expect(output.match(/WORKERS=3 needs DATABASE_URL and REDIS_URL/g)).toHaveLength(1)
})

test('a wrong key encryption key is refused, and the right one works afterwards', async () => {
  const env = { ...aloneIn(dataDir), LOG_LEVEL: 'error' }
  const right = { ...env, KEY_ENCRYPTION_KEY: newSecret() }
  await stopMember(await startMember(right))
  const { status, output } = await runServer({ ...env, KEY_ENCRYPTION_KEY: newSecret() })
  expect(status).toBe(1)
  const words = /cannot be opened: KEY_ENCRYPTION_KEY is not the one it was sealed under\./g
  expect(output.match(words)).toHaveLength(1)
  await stopMember(await startMember(right))
})

test('A4 a key is replaced by starts with the new one before the old one, and then with the new one alone', async () => {
  const [older, newer] = [newSecret(), newSecret()]
  const token = newSecret()
  const env = { ...aloneIn(dataDir), LOG_LEVEL: 'error', OPERATOR_TOKEN: token }
  const keysOf = async (port: number) => (await fetch(`http://localhost:${port}/oauth/jwks.json`)).json()
  const jobsOf = async (port: number) => {
    const answer = await fetch(`http://localhost:${port}/operator/jobs`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const { counts } = (await answer.json()) as { counts: { kind: string; state: string }[] }
    return counts.filter(({ kind }) => kind === 'reseal_values').map(({ state }) => state)
  }
  const first = await startMember({ ...env, KEY_ENCRYPTION_KEY: older })
  const published = await keysOf(first.port)
  await stopMember(first)
  const second = await startMember({ ...env, KEY_ENCRYPTION_KEY: `${newer},${older}` })
  await expect.poll(() => jobsOf(second.port), { timeout: 10_000 }).toEqual(['done'])
  await stopMember(second)
  const third = await startMember({ ...env, KEY_ENCRYPTION_KEY: newer })
  expect(await keysOf(third.port)).toEqual(published)
  await stopMember(third)
  const { status, output } = await runServer({ ...env, KEY_ENCRYPTION_KEY: older })
  expect(status).toBe(1)
  expect(output).toContain('is not the one it was sealed under')
})

test('a second npm start in the same data directory says where the first one runs, and offers no other port', async () => {
  const first = await startMember({ ...aloneIn(dataDir), ROLE: 'api' })
  const { status, output } = await runServer({ SANDBOX: 'true', PORT: String(first.port) }, 'scripts/start.mjs')
  expect(status).toBe(1)
  expect(output).toContain(`✗ It already runs at http://localhost:${first.port} (pid ${first.process.pid}).`)
  expect(output).not.toContain('another port')
  await stopMember(first)
})

test('a start on a port in use fails', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, resolve))
  const { port } = taken.address() as AddressInfo
  const { status, output } = await runServer({ SANDBOX: 'true', LOG_LEVEL: 'error', PORT: String(port) })
  taken.close()
  expect(status).toBe(1)
  const [line = '', ...more] = output.trim().split('\n')
  expect(more).toEqual([])
  expect(JSON.parse(line)).toMatchObject({
    level: 'error',
    text: expect.stringMatching(
      `^The server cannot listen on 127.0.0.1, port ${port}: another program does .* choose another PORT.$`,
    ),
  })
})
