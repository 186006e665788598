import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Target } from '@/test/support/actors'

/** Returns the server of this run, in the form for the actors of the HTTP suites. */
export function readTarget(): Target {
  const { E2E_BASE_URL: baseUrl = '', E2E_DATA_DIR: dataDir = '' } = process.env
  return { baseUrl, operatorToken: readFileSync(path.join(dataDir, 'operator-token'), 'utf8').trim() }
}
