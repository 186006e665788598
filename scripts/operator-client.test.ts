import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')

let folder: string
let server: Server
let presented: (string | undefined)[]
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'countersign-operator-'))
  presented = []
  server = createServer((request, response) => {
    presented.push(request.headers.authorization)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"jobs":[]}')
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
})
afterEach(async () => {
  server.close()
  await rm(folder, { recursive: true, force: true })
})

/** Runs `npm run admin -- jobs` in a folder with this `.env`. */
async function listJobs(file: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) {
  const lines = Object.entries(file).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(path.join(folder, '.env'), lines.join(''))
  const tsx = path.join(root, 'node_modules/tsx/dist/cli.mjs')
  const args = [tsx, '--tsconfig', path.join(root, 'tsconfig.json'), path.join(root, 'scripts/admin.ts'), 'jobs']
  await promisify(execFile)(process.execPath, args, {
    cwd: folder,
    env: { NODE_ENV: 'test', PATH: process.env['PATH'], ...env },
  })
}

test('a file .env says where the server is and what opens it, and the environment counts more', async () => {
  const PORT = String((server.address() as AddressInfo).port)
  await listJobs({ PORT, OPERATOR_TOKEN: 'of-the-file' })
  await listJobs({ PORT: '1', OPERATOR_TOKEN: 'of-the-file' }, { PORT, OPERATOR_TOKEN: 'of-the-environment' })
  expect(presented).toEqual(['Bearer of-the-file', 'Bearer of-the-environment'])
})
