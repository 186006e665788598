/** Builds the tool server and the portal when a source file is newer than the last build, or one was never made. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const settings = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'next.config.ts',
  'postcss.config.mjs',
  'instrumentation.ts',
]

const products = [
  { marker: '.next/BUILD_ID', sources: ['app', 'components', 'server', 'prisma/schema', ...settings] },
  {
    marker: 'tool-server/dist/bin.js',
    sources: ['tool-server/src', 'tool-server/package.json', 'tool-server/tsconfig.build.json'],
  },
]

/** Folders count too: what was deleted or renamed changes only them. */
function newestChange(file) {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat === undefined || /\.test\.tsx?$/.test(file)) return 0
  if (!stat.isDirectory()) return stat.mtimeMs
  const inside = readdirSync(file).map((name) => newestChange(path.join(file, name)))
  return Math.max(stat.mtimeMs, ...inside)
}

export function isStale() {
  return products.some(({ marker, sources }) => {
    const built = statSync(path.join(root, marker), { throwIfNoEntry: false })?.mtimeMs ?? 0
    return sources.some((source) => newestChange(path.join(root, source)) > built)
  })
}

/** Returns whether there is a build that fits the sources. Output of the build is shown only when it fails. */
export function buildWhenStale() {
  const steps = []
  if (!existsSync(path.join(root, 'prisma/generated/client.ts'))) steps.push('generate')
  if (isStale()) steps.push('build')
  return steps.every((step) => {
    const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', step], {
      cwd: root,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    })
    if (status !== 0) process.stderr.write(`${stdout}${stderr}`)
    return status === 0
  })
}
