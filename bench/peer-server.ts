/** The peer's process: bench/peer.ts starts it, with the database and the clients in the environment. */
import type { ClientMetadata } from 'oidc-provider'
import { Pool } from 'pg'
import { PostgresAdapter } from './peer/adapter'
import { createPeer } from './peer/provider'

/** The size of Countersign's pool by default, in connections. */
const POOL_SIZE = 10

const { DATABASE_URL: connectionString, PEER_CLIENTS: clients = '[]', PORT: port } = process.env
const pool = new Pool({ connectionString, max: POOL_SIZE, keepAlive: true })
const peer = createPeer({
  issuer: `http://localhost:${port}`,
  adapter: (kind) => new PostgresAdapter(pool, kind),
  clients: JSON.parse(clients) as ClientMetadata[],
})
peer.on('server_error', (_ctx, error) => console.error(error))
const server = peer.listen(Number(port))

process.on('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
  void pool.end().then(() => process.exit(0))
})
