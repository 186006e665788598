/** A server with its own database, and a card processor that answers at once from the process of the bench. */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { withDatabases } from './databases'
import { startProcessor } from './processor'
import { type Server, startCountersign, stopServer } from './servers'

interface Options {
  readonly port: number
  /** The directory for a CPU profile of the server. */
  readonly profile?: string | undefined
  readonly env?: Readonly<Record<string, string>>
}

interface PayingServer {
  readonly server: Server
  readonly databaseUrl: string
}

/**
 * Starts the server for `work`, on the PostgreSQL server that DATABASE_URL names, and removes everything afterwards.
 */
export async function withPayingServer(options: Options, work: (paying: PayingServer) => Promise<void>): Promise<void> {
  const serverUrl = process.env['DATABASE_URL']
  if (serverUrl === undefined) throw new Error('DATABASE_URL must name a PostgreSQL server')
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'countersign-bench-'))
  const processor = await startProcessor()
  try {
    await withDatabases(serverUrl, ['paying_bench'], async ({ paying_bench: databaseUrl }) => {
      const { port, profile, env } = options
      const settings = { ...processor.env, ...env }
      const server = await startCountersign({ port, lane: 'direct', dataDir, databaseUrl, profile, env: settings })
      try {
        await work({ server, databaseUrl })
      } finally {
        await stopServer(server)
      }
    })
  } finally {
    processor.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
