/**
 * Breaks checks of the verifiers, one at a time, and looks for the test that finds it:
 *   npm run mutations:credentials [-- --only 'part of a name']
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { mutations } from './list'
import type { Mutation } from './mutation'

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })
const config = path.join(import.meta.dirname, 'vitest.config.ts')
const write = (line: string) => process.stdout.write(`${line}\n`)

const report = z.object({
  testResults: z.array(
    z.object({
      message: z.string(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
})

/** The first test that fails while the check is broken; null when none does. */
async function findCatch({ name, tests }: Mutation, folder: string): Promise<string | null> {
  const outputFile = path.join(folder, 'report.json')
  const args = ['vitest', 'run', '--config', config, '--project', 'service', '--bail', '1', '--reporter', 'json']
  const env = { ...process.env, MUTATION: name }
  await new Promise((resolve) => execFile('npx', [...args, '--outputFile', outputFile, ...tests], { env }, resolve))
  const { testResults } = report.parse(JSON.parse(await readFile(outputFile, 'utf8')))
  await rm(outputFile)
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  if (results.length === 0)
    throw new Error(`"${name}" runs no test: ${testResults.map(({ message }) => message).join('; ')}`)
  return results.find(({ status }) => status === 'failed')?.fullName ?? null
}

const chosen = mutations.filter(({ name }) => name.includes(values.only))
if (chosen.length === 0) throw new Error(`no mutation has "${values.only}" in its name`)
const folder = await mkdtemp(path.join(tmpdir(), 'countersign-mutations-'))
const missed: string[] = []
try {
  for (const mutation of chosen) {
    const caughtBy = await findCatch(mutation, folder)
    if (caughtBy === null) missed.push(mutation.name)
    write(`${caughtBy === null ? 'MISSED' : 'caught'}  ${mutation.name} (${path.basename(mutation.file)}): ${caughtBy}`)
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
write(`${missed.length} missed`)
process.exitCode = missed.length === 0 ? 0 : 1
