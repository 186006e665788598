/** `@countersign/verify` as people get it: built, packed, installed in an empty project, and started by its name. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EvidencePack } from '@/server/surfaces/evidence/contract'
import { buyBook } from '../evidence/purchases'
import { exchange } from '../support/actors'
import { type App, startApp } from '../support/app'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')

interface Packed {
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

let app: App
let project: string
let packed: Packed
let pack: EvidencePack
beforeAll(async () => {
  project = await mkdtemp(path.join(os.tmpdir(), 'countersign-verify-'))
  await run('npx', ['tsc', '-p', 'verify/tsconfig.build.json'], { cwd: root })
  const options = ['pack', '--json', '--ignore-scripts', '--pack-destination', project]
  const { stdout } = await run('npm', options, { cwd: path.join(root, 'verify') })
  const [report] = JSON.parse(stdout) as Packed[]
  if (report === undefined) throw new Error(stdout)
  packed = report
  await writeFile(path.join(project, 'package.json'), '{ "private": true }')
  const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  await run('npm', ['install', path.join(project, packed.filename), ...quietly], { cwd: project })
  app = await startApp()
  pack = (await buyBook(app, 'passkey')).pack
  await save('jwks.json', (await exchange(`${app.baseUrl}/oauth/jwks.json`)).json)
})
afterAll(async () => {
  await app.close()
  await rm(project, { recursive: true, force: true })
})

const save = (name: string, content: unknown) => writeFile(path.join(project, name), JSON.stringify(content))

/** What `npx @countersign/verify` says about a file, and its exit code. */
async function verify(name: string, content: unknown) {
  await save(name, content)
  const args = ['--offline', '--no', '@countersign/verify', name, '--jwks', 'jwks.json']
  try {
    const { stdout, stderr } = await run('npx', args, { cwd: project })
    return { code: 0, stdout, stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, stdout, stderr }
  }
}

test('the package holds licence, description and what is built, and nothing else', () => {
  const names = packed.files.map((file) => file.path)
  expect(names).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'dist/bin.js', 'dist/index.d.ts']),
  )
  expect(names.filter((name) => !/^(?:LICENSE|README\.md|package\.json|dist\/.+)$/.test(name))).toEqual([])
  expect(names.filter((name) => name.includes('test'))).toEqual([])
})

test('the installed command exits with 0 for what holds, 1 for what was altered, and 2 for what it does not understand', async () => {
  const whole = await verify('pack.json', pack)
  expect([whole.code, whole.stderr]).toEqual([0, ''])
  expect(whole.stdout).toMatch(/^Proven\./)
  const altered = await verify('altered.json', { ...pack, payment: { ...pack.payment, amount_minor: 1_300 } })
  expect([altered.code, altered.stdout]).toEqual([1, expect.stringMatching(/^Wrong\./)])
  const other = await verify('other.json', { a: 1 })
  expect([other.code, other.stdout, other.stderr]).toEqual([2, '', 'The file is not a pack of evidence.\n'])
})

test('the installed library says the same in a program of its own', async () => {
  const program = [
    "import { readFileSync } from 'node:fs'",
    "import { verifyPack } from '@countersign/verify'",
    "const jwks = JSON.parse(readFileSync('jwks.json', 'utf8'))",
    "console.log((await verifyPack(readFileSync('pack.json', 'utf8'), { jwks })).verdict)",
  ]
  await save('pack.json', pack)
  await writeFile(path.join(project, 'check.mjs'), program.join('\n'))
  expect((await run('node', ['check.mjs'], { cwd: project })).stdout).toBe('proven\n')
})
