import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { done, giveUp, progress } from './screen.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const stampFile = path.join(root, '.next', 'countersign-build.json')
const LINES_OF_FAILURE = 60

const bin = (script) => path.join(root, 'node_modules', script)

/**
 * What is built, of which sources, and what must be there afterwards. Each step is repeated only when its sources changed.
 * Where the product is `writtenLast`, one that others have made (`npm install`, `npm run build`) is good as well.
 */
const steps = [
  {
    name: 'database client',
    sources: ['prisma/schema', 'prisma.config.ts', 'package-lock.json'],
    product: 'prisma/generated/client.ts',
    writtenLast: true,
    command: [path.join(root, 'scripts/generate.mjs')],
    cwd: root,
    env: {},
  },
  {
    name: 'tool server',
    sources: ['tool-server/src', 'tool-server/package.json', 'tool-server/tsconfig.build.json', 'package-lock.json'],
    product: 'tool-server/dist/bin.js',
    writtenLast: true,
    command: [bin('typescript/bin/tsc'), '-p', 'tsconfig.build.json'],
    cwd: path.join(root, 'tool-server'),
    env: {},
  },
  {
    name: 'server and portal',
    sources: [
      'app',
      'components',
      'server',
      'public',
      'prisma/schema',
      'instrumentation.ts',
      'proxy.ts',
      'next.config.ts',
      'postcss.config.mjs',
      'tsconfig.json',
      'package-lock.json',
    ],
    product: '.next/BUILD_ID',
    command: [bin('next/dist/bin/next'), 'build'],
    cwd: root,
    env: { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
  },
]

/** Every step, with the stamp of its sources as they are now. */
export function allSteps() {
  return steps.map((step) => ({ ...step, stamp: stampOf(listSources(step.sources)) }))
}

/** The steps whose sources have changed since they were last built. */
export function outdatedSteps() {
  const stamps = readStamps()
  return steps.flatMap((step) => {
    const builtAt = statSync(path.join(root, step.product), { throwIfNoEntry: false })?.mtimeMs ?? 0
    const files = listSources(step.sources)
    const built = builtAt === 0 ? undefined : stamps[step.name]
    if (built?.quick === quickDigest(files)) return []
    const stamp = stampOf(files)
    // A checkout touches files without changing them.
    const isSame = built?.content === stamp.content
    const isNewer = step.writtenLast === true && files.every((file) => statSync(file).mtimeMs < builtAt)
    if (!isSame && !(built === undefined && isNewer)) return [{ ...step, stamp }]
    writeStamps({ ...readStamps(), [step.name]: stamp })
    return []
  })
}

/** Builds the given steps one after the other; the output of one that fails is shown, and nothing else. */
export async function build(outdated) {
  for (const step of outdated) {
    // A build that is interrupted must not pass for a whole one. `next build` empties its directory, stamps included.
    const stamps = { ...readStamps(), [step.name]: undefined }
    writeStamps(stamps)
    const stop = progress(`building the ${step.name}`)
    const { code, output } = await run(step)
    const seconds = stop()
    if (code !== 0) {
      writeStamps(stamps)
      giveUp(`The ${step.name} could not be built.\n\n${lastLines(output)}`)
    }
    writeStamps({ ...stamps, [step.name]: step.stamp })
    done(`built ${step.name}  ${seconds} s`)
  }
}

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

function listSources(sources) {
  return sources.flatMap((source) => listFiles(path.join(root, source))).toSorted()
}

function listFiles(file) {
  if (!existsSync(file)) return []
  if (!statSync(file).isDirectory()) return [file]
  return readdirSync(file, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
}

function stampOf(files) {
  return { quick: quickDigest(files), content: contentDigest(files) }
}

/** Changes whenever a file was written, and costs no reading. */
function quickDigest(files) {
  const hash = createHash('sha256')
  for (const file of files) {
    const { size, mtimeMs } = statSync(file)
    hash.update(`${path.relative(root, file)}\n${size}\n${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

function contentDigest(files) {
  const hash = createHash('sha256')
  for (const file of files) {
    const content = readFileSync(file)
    hash.update(`${path.relative(root, file)}\n${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

function readStamps() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'))
  } catch {
    return {}
  }
}

function writeStamps(stamps) {
  mkdirSync(path.dirname(stampFile), { recursive: true })
  // Renamed into place, so that a start at the same moment reads all of it or nothing.
  const draft = `${stampFile}.${process.pid}`
  writeFileSync(draft, JSON.stringify(stamps))
  renameSync(draft, stampFile)
}
