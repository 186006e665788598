import { rm } from 'node:fs/promises'

/** Removes the data directory of the server that this run started. */
export default async function teardown(): Promise<void> {
  const dataDir = process.env['E2E_DATA_DIR']
  if (process.env['E2E_OWN_SERVER'] === 'true' && dataDir !== undefined) {
    await rm(dataDir, { recursive: true, force: true })
  }
}
