/** Decision G56: what is installed is what the lock file says, and `npm ci --omit=dev` brings all that `npm start` needs. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

type Ranges = Readonly<Record<string, string>>
interface Manifest {
  readonly dependencies?: Ranges
  readonly devDependencies?: Ranges
  readonly optionalDependencies?: Ranges
  readonly peerDependencies?: Ranges
}

const read = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T
const manifests = ['package.json', 'tool-server/package.json', 'verify/package.json']

const rangesOf = ({ dependencies, devDependencies, optionalDependencies, peerDependencies }: Manifest) =>
  Object.entries({ ...peerDependencies, ...optionalDependencies, ...devDependencies, ...dependencies })

const BUILT = ['app', 'components', 'server', 'proxy.ts', 'instrumentation.ts', 'next.config.ts', 'prisma.config.ts']
const STARTED = [
  'server.mjs',
  'scripts/start.mjs',
  'scripts/build.mjs',
  'scripts/generate.mjs',
  'scripts/start',
  'tool-server/build.mjs',
]

/** The sources of a folder or a file, without what only tests load. */
function listSources(start: string): string[] {
  if (!statSync(start).isDirectory()) return [start]
  return readdirSync(start, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(start, name))
    .filter((file) => /\.(?:tsx?|mjs)$/.test(file) && !/\.(?:test|contract)\.tsx?$|test-support/.test(file))
}

/** The packages that files import, load by name, or run. */
function packagesIn(starts: readonly string[]): string[] {
  const texts = starts.flatMap(listSources).map((file) => readFileSync(file, 'utf8'))
  const names = texts.flatMap((text) =>
    [...text.matchAll(/(?:\bfrom |\bimport |\bimport\(|\.resolve\(|\bbin\()'([^'./][^']*)'/g)].map(
      ([, name = '']) => name,
    ),
  )
  const packages = names.filter((name) => !name.startsWith('@/') && !isBuiltin(name))
  return [...new Set(packages.map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/')))].toSorted()
}

describe('dependencies', () => {
  test.each(manifests)('G56 %s asks for exact versions', (file) => {
    const loose = rangesOf(read(file)).filter(([, range]) => !/^\d+\.\d+\.\d+$/.test(range))
    expect(loose).toEqual([])
  })

  test('G56 no package asks for the version that happens to be the latest', () => {
    const { packages } = read<{ packages: Readonly<Record<string, Manifest>> }>('package-lock.json')
    const asking = Object.entries(packages).flatMap(([name, manifest]) =>
      rangesOf(manifest).flatMap(([wanted, range]) =>
        /^[a-z][\w-]*$/i.test(range) ? [`${name}: ${wanted}@${range}`] : [],
      ),
    )
    expect(asking).toEqual([])
    expect(Object.keys(packages).length).toBeGreaterThan(100)
  })

  test('G56 the lock file is that of the manifests', () => {
    const { packages } = read<{ packages: Readonly<Record<string, Manifest>> }>('package-lock.json')
    for (const file of manifests) {
      const { dependencies = {}, devDependencies = {} } = read<Manifest>(file)
      const locked = packages[path.dirname(file).replace(/^\.$/, '')]
      expect([locked?.dependencies ?? {}, locked?.devDependencies ?? {}]).toEqual([dependencies, devDependencies])
    }
  })

  test('G56 what npm start loads, builds and runs is there without development dependencies', () => {
    const { dependencies = {}, optionalDependencies = {} } = read<Manifest>('package.json')
    const needed = packagesIn([...BUILT, ...STARTED])
    expect(needed).toEqual(expect.arrayContaining(['esbuild', 'next', 'prisma', 'tsx', 'typescript']))
    // Next installs these by itself, into the checkout, where it finds TypeScript without them.
    const wanted = [...needed, '@types/node', '@types/react', '@types/react-dom', '@tailwindcss/postcss']
    expect(wanted.filter((name) => !(name in { ...dependencies, ...optionalDependencies }))).toEqual([])
  })

  test('G56 what the tool server loads is there without development dependencies', () => {
    const { dependencies = {} } = read<Manifest>('tool-server/package.json')
    expect(packagesIn(['tool-server/src']).filter((name) => !(name in dependencies))).toEqual([])
  })

  test('the verifier loads jose and nothing else', () => {
    expect(Object.keys(read<Manifest>('verify/package.json').dependencies ?? {})).toEqual(['jose'])
    expect(packagesIn(['verify/src'])).toEqual(['jose'])
  })
})

interface Inventory {
  readonly bomFormat: string
  readonly components: readonly { name: string; version: string; purl: string; hashes?: readonly object[] }[]
}

test('the inventory of components names each package that the service needs, with its version and hash', () => {
  const printed = execFileSync('npm', ['run', '--silent', 'sbom'], { encoding: 'utf8', maxBuffer: 10_000_000 })
  const { bomFormat, components } = JSON.parse(printed) as Inventory
  expect(bomFormat).toBe('CycloneDX')
  const packages = components.filter(({ purl }) => !purl.startsWith('pkg:npm/%40countersign/'))
  expect(packages.filter(({ version, hashes = [] }) => version === '' || hashes.length === 0)).toEqual([])
  const named = new Set(packages.map(({ name }) => name))
  const { dependencies = {} } = read<Manifest>('package.json')
  expect(Object.keys(dependencies).filter((name) => !named.has(name))).toEqual([])
})
