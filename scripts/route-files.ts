import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** A route file: the operations that it serves at its address, and their modules. */
export interface RouteFile {
  readonly file: string
  /** The address in the form of contracts, with parameters in braces. */
  readonly path: string
  readonly operations: readonly { readonly name: string; readonly module: string }[]
}

const STATEMENT = /^export const \{ GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS \} = route\(\s*([\w.,\s]*?),?\s*\)$/m
const IMPORT = /^import \{ ([\w, ]+) \} from '(@\/server\/[\w-]+(?:\/[\w-]+)?)'$/gm

/** Route files that do not serve an operation of a contract. */
const unlike = new Set([
  'app/[...unknown]/route.ts',
  'app/api/auth/[...nextauth]/route.ts',
  'app/activity.json/route.ts',
  'app/api/trpc/[trpc]/route.ts',
  'app/evidence.json/route.ts',
  'app/payments.csv/route.ts',
])

/** Returns every route file of the API. Throws when one contains more than imports and its one statement. */
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

/**
 * Returns the address of a route file: `app/oauth/par/[request_uri]/status/route.ts` serves
 * `/oauth/par/{request_uri}/status`.
 */
export function addressOf(file: string): string {
  return file
    .replace(/^app/, '')
    .replace(/\/route\.ts$/, '')
    .replaceAll(/\[(\w+)\]/g, '{$1}')
}

export function fileOf(address: string): string {
  return `app${address.replaceAll(/\{(\w+)\}/g, '[$1]')}/route.ts`
}
