/**
 * `npm run audit:verify -- <file.json> …`: checks an exported audit chain without the service. Each file holds one answer of
 * GET /audit/{tenant_id}/range; longer chains are several files in order.
 */
import { parseArgs } from 'node:util'
import { type ExportedRange, readExport, readKeys, verifyExport } from './audit-verify/verify-export'
import { ApiError, CommandError, readBaseUrl } from './operator-client'

const USAGE = `Usage: npm run audit:verify -- <range.json>... [--jwks <file or URL>]

Checks the hashes and links of an exported audit chain, and the signed checkpoint of its end.

  --jwks   the service's public keys (default: <BASE_URL>/oauth/jwks.json)

Exit codes: 0 intact, 1 not intact or not verifiable, 2 not understood`

async function verify(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { jwks: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  })
  if (values.help === true) {
    console.log(USAGE)
    return 0
  }
  if (positionals.length === 0) {
    console.error(USAGE)
    return 2
  }
  const ranges: readonly ExportedRange[] = positionals.map(readExport)
  const keys = await readKeys(values.jwks ?? `${readBaseUrl(process.env)}/oauth/jwks.json`)
  const result = await verifyExport(ranges, keys)
  console.log(result.text)
  return result.intact ? 0 : 1
}

try {
  process.exitCode = await verify(process.argv.slice(2))
} catch (error) {
  const isUsage = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  const isExpected = isUsage || error instanceof CommandError || error instanceof ApiError
  console.error(isExpected ? error.message : error)
  process.exitCode = isUsage ? 2 : 1
}
