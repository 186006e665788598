/**
 * Prints the OpenAPI description of a sandbox deployment as /openapi.json returns it; with `--lint`, lints it instead.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Platform } from '@/server/base/core/platform'
import { operations } from '@/server/operations'
import { buildDocument } from '@/server/surfaces/openapi/document'

const config = { baseUrl: 'http://localhost:3000', sandbox: true, requireDpop: false }
const text = `${JSON.stringify(buildDocument(operations, { config } as Platform), null, 2)}\n`

/** Lints the text with Redocly, which only reads files. */
function lint(): number {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'countersign-openapi-'))
  const file = path.join(directory, 'openapi.json')
  writeFileSync(file, text)
  const { status } = spawnSync('npx', ['redocly', 'lint', '--config', 'redocly.yaml', '--format', 'stylish', file], {
    cwd: path.dirname(import.meta.dirname),
    stdio: ['ignore', 'inherit', 'ignore'],
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })
  rmSync(directory, { recursive: true })
  return status ?? 1
}

if (process.argv.includes('--lint')) process.exitCode = lint()
else process.stdout.write(text)
