/**
 * Builds what `npm start` and the tests run, but only what has changed. With nothing to build this takes less than 0.1
 * s, while a separate task runner would take longer than the server needs to start.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { compressBuiltFiles } from './built-files.mjs'
import { done, giveUp, progress } from './screen.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const stampDir = path.join(root, 'node_modules', '.cache', 'countersign')
const LINES_OF_FAILURE = 60

const bin = (script) => path.join(root, 'node_modules', script)

/** The build steps: what each builds, from which sources, and what must exist afterwards. */
const steps = [
  {
    name: 'database client',
    sources: ['prisma/schema', 'prisma.config.ts', 'package-lock.json'],
    product: 'prisma/generated/client.ts',
    command: [path.join(root, 'scripts/generate.mjs')],
    cwd: root,
    env: {},
  },
  {
    name: 'tool server',
    sources: [
      'tool-server/src',
      'tool-server/build.mjs',
      'tool-server/package.json',
      'tool-server/tsconfig.build.json',
      'package-lock.json',
    ],
    product: 'tool-server/dist/bin.js',
    command: [path.join(root, 'tool-server/build.mjs')],
    cwd: root,
    env: {},
  },
  {
    name: 'verifier',
    sources: ['verify/src', 'verify/package.json', 'verify/tsconfig.build.json', 'package-lock.json'],
    product: 'verify/dist/bin.js',
    command: [bin('typescript/bin/tsc'), '-p', 'tsconfig.build.json'],
    cwd: path.join(root, 'verify'),
    env: {},
  },
  {
    name: 'API without the portal',
    sources: ['server', 'verify/src', 'prisma/schema', 'tsconfig.json', 'package-lock.json', 'scripts/bundle-api.mjs'],
    product: 'dist/api/boot.mjs',
    command: [path.join(root, 'scripts/bundle-api.mjs')],
    cwd: root,
    env: {},
  },
  {
    name: 'server and portal',
    sources: [
      'app',
      'components',
      'server',
      'verify/src',
      'public',
      'prisma/schema',
      'instrumentation.ts',
      'proxy.ts',
      'next.config.ts',
      'postcss.config.mjs',
      'tsconfig.json',
      'package-lock.json',
      'scripts/start/built-files.mjs',
    ],
    product: '.next/BUILD_ID',
    command: [bin('next/dist/bin/next'), 'build'],
    cwd: root,
    env: { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    finish: compressBuiltFiles,
  },
]

/** Returns every step, with a digest of its current sources. */
export function allSteps() {
  return steps.map((step) => ({ ...step, digest: digestOf(step.sources) }))
}

/** Returns the steps whose sources have changed since they were last built, or whose output was changed since. */
export function outdatedSteps() {
  return allSteps().filter((step) => {
    const stamp = stampOf(step)
    if (!existsSync(stamp) || !existsSync(path.join(root, step.product))) return true
    const isOurs = statSync(path.join(root, step.product)).mtimeMs <= statSync(stamp).mtimeMs
    return !isOurs || readFileSync(stamp, 'utf8') !== step.digest
  })
}

/** Builds the given steps one after the other; only the output of a step that fails is shown. */
export async function build(outdated) {
  for (const step of outdated) {
    // An interrupted build must not count as complete.
    rmSync(stampOf(step), { force: true })
    const stop = progress(`building the ${step.name}`)
    const { code, output } = await run(step)
    if (code === 0) await step.finish?.(root)
    const seconds = stop()
    if (code !== 0) giveUp(`The ${step.name} could not be built.\n\n${lastLines(output)}`)
    mkdirSync(stampDir, { recursive: true })
    writeFileSync(stampOf(step), step.digest)
    done(`built ${step.name}  ${seconds} s`)
  }
}

const stampOf = ({ name }) => path.join(stampDir, name.replaceAll(' ', '-'))

function run({ command, cwd, env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, command, {
      cwd,
      env: { ...process.env, ...env, FORCE_COLOR: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const chunks = []
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => chunks.push(chunk))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString('utf8') }))
  })
}

function lastLines(output) {
  return output.trimEnd().split('\n').slice(-LINES_OF_FAILURE).join('\n')
}

function digestOf(sources) {
  const hash = createHash('sha256')
  for (const file of sources.flatMap((source) => listFiles(path.join(root, source))).toSorted()) {
    const content = readFileSync(file)
    hash.update(`${path.relative(root, file)}\n${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

function listFiles(file) {
  if (!existsSync(file)) return []
  if (!statSync(file).isDirectory()) return [file]
  return readdirSync(file, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
}
