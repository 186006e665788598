/**
 * Generates the Prisma client from prisma/schema, without a network: `prisma` would look for an engine that generating
 * does not use, so any executable takes its place. Runs after `npm install`.
 */
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const prisma = createRequire(import.meta.url).resolve('prisma/build/index.js')
const { status, stdout, stderr } = spawnSync(process.execPath, [prisma, 'generate', '--no-hints'], {
  cwd: root,
  encoding: 'utf8',
  env: {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  },
})
if (status !== 0) {
  console.error('The database client could not be generated from prisma/schema.')
  console.error(stdout, stderr)
  process.exit(1)
}
