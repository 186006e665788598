import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** A route file as it is written: which operations of which slice it joins to its address. */
export interface RouteFile {
  readonly file: string
  /** The address in the form that contracts use, with parameters in braces. */
  readonly path: string
  readonly operations: readonly { readonly name: string; readonly module: string }[]
}

const STATEMENT = /^export const \{ GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS \} = route\(\s*([\w.,\s]*?),?\s*\)$/m
const IMPORT = /^import \{ ([\w, ]+) \} from '(@\/server\/[\w-]+(?:\/[\w-]+)?)'$/gm

/** Handlers that belong to libraries or to no address at all. */
const unlike = new Set([
  'app/[...unknown]/route.ts',
  'app/api/auth/[...nextauth]/route.ts',
  'app/activity.json/route.ts',
  'app/api/trpc/[trpc]/route.ts',
  'app/evidence.json/route.ts',
  'app/payments.csv/route.ts',
])

/** Every route file of the API; throws at one that says more than imports and its one statement. */
export function readRouteFiles(root: string): RouteFile[] {
  return readdirSync(path.join(root, 'app'), { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join('app', name.split(path.sep).join('/')))
    .filter((file) => file.endsWith('/route.ts') && !unlike.has(file))
    .map((file) => parseRouteFile(file, readFileSync(path.join(root, file), 'utf8')))
    .toSorted((one, other) => one.path.localeCompare(other.path, 'en'))
}

export function parseRouteFile(file: string, text: string): RouteFile {
  const modules = new Map(
    [...text.matchAll(IMPORT)].flatMap(([, names = '', module = '']) =>
      names.split(', ').map((name) => [name, module]),
    ),
  )
  const names = STATEMENT.exec(text)?.[1]
    ?.split(',')
    .map((name) => name.trim())
  const rest = text.replaceAll(IMPORT, '').replace(STATEMENT, '').trim()
  if (names === undefined || rest !== '' || modules.get('route') !== '@/server/transport/http') {
    throw new Error(`${file} is more than imports and one statement`)
  }
  return {
    file,
    path: addressOf(file),
    operations: names.map((name) => ({ name, module: modules.get(name.split('.')[0] ?? '') ?? '' })),
  }
}

/** `app/oauth/par/[request_uri]/status/route.ts` answers `/oauth/par/{request_uri}/status`. */
export function addressOf(file: string): string {
  return file
    .replace(/^app/, '')
    .replace(/\/route\.ts$/, '')
    .replaceAll(/\[(\w+)\]/g, '{$1}')
}

export function fileOf(address: string): string {
  return `app${address.replaceAll(/\{(\w+)\}/g, '[$1]')}/route.ts`
}
