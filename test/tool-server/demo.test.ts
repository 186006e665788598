/** `npm run demo` as a person and a program run it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from '../support/app'

const root = path.resolve(import.meta.dirname, '../..')

let app: App
let dataDir: string
beforeAll(async () => {
  app = await startApp()
  dataDir = await mkdtemp(path.join(tmpdir(), 'countersign-demo-test-'))
})
afterAll(async () => {
  await app.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** Starts the demo without a terminal. */
function start(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/demo.ts', ...args], {
    cwd: root,
    env: { ...process.env, BASE_URL: app.baseUrl, OPERATOR_TOKEN: app.operatorToken, DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  const ended = Promise.all([text(child.stderr), once(child, 'close')])
  return {
    child,
    printed: () => output,
    ended: ended.then(([errors, [status]]) => ({ output, errors, status: Number(status) })),
  }
}

const resultOf = (output: string) => JSON.parse(output.trimEnd().split('\n').at(-1) ?? '') as Record<string, unknown>

test('a purchase that the demo approves is paid, and the commands to try next reach the same server', async () => {
  const { output, status } = await start(['--yes']).ended
  expect(output).toContain('PAID €12.00 · left today €38.00')
  expect(output).toContain(`Try: BASE_URL=${app.baseUrl} DATA_DIR=${dataDir} npm run demo -- --decline`)
  expect(status).toBe(0)
})

test('the raw log has every request and response of the agent, and no token, proof, code or key', async () => {
  const { status } = await start(['--yes']).ended
  expect(status).toBe(0)
  const file = path.join(dataDir, 'demo', 'last.jsonl')
  const log = await readFile(file, 'utf8')
  const lines = stepsOf(log) as { request: { method: string; url: string }; response: { status: number } }[]
  const seen = lines.map(
    ({ request, response }) => `${request.method} ${new URL(request.url).pathname} ${response.status}`,
  )
  expect(seen).toEqual(
    expect.arrayContaining([
      'POST /oauth/register 201',
      'POST /oauth/par 201',
      'POST /oauth/token 200',
      'POST /settlement/settle 200',
    ]),
  )
  expect(log).not.toMatch(/eyJ[\w-]+\.|"(?:access_token|code|dpop|client_assertion)":"[^…]|[?&]code=[^…]/i)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test.each([
  ['a server that is away', ['--yes'], { BASE_URL: 'http://127.0.0.1:9' }, 1, /^Nothing answers at http/],
  [
    'a missing operator token',
    ['--yes'],
    { OPERATOR_TOKEN: '', DATA_DIR: '/nowhere' },
    1,
    /^There is no operator token/,
  ],
  ['a wrong option', ['--free'], {}, 2, /--free/],
])('%s is a result in JSON, too', async (_what, args, env, code, words) => {
  const { output, status } = await start([...args, '--json'], env).ended
  expect(resultOf(output)).toEqual({ step: 'result', status: 'error', message: expect.stringMatching(words) })
  expect(status).toBe(code)
})

const stepsOf = (output: string) =>
  output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

test('a mandate that is settled twice with one key is charged once, and with another key refused', async () => {
  const { output, status } = await start(['--replay', '--json']).ended
  expect(stepsOf(output)).toMatchObject([
    { step: 'register' },
    { step: 'browse' },
    { step: 'approval' },
    { step: 'same_key', replayed: true },
    { step: 'another_key', refused: '409 mandate_consumed' },
    { step: 'result', status: 'paid' },
  ])
  expect(status).toBe(0)
})

test('a changed catalog, order and mandate are refused, each for its own reason', async () => {
  const { output, status } = await start(['--tamper', '--json']).ended
  expect(stepsOf(output).slice(3)).toEqual([
    { step: 'catalog', refused: expect.stringMatching(/digest|signature/i) },
    { step: 'order', refused: expect.stringMatching(/^4\d\d /) },
    { step: 'mandate', refused: expect.stringMatching(/^4\d\d /) },
    { step: 'result', status: 'refused' },
  ])
  expect(status).toBe(6)
})

test('Ctrl-C while the demo waits ends it with status 130 and without an error', async () => {
  const { child, printed, ended } = start([])
  await expect.poll(printed, { timeout: 30_000 }).toContain('waiting for the decision')
  child.kill('SIGINT')
  expect(await ended).toMatchObject({ errors: '', status: 130 })
})
