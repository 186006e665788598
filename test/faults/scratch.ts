import { query } from '../processes/cluster'

/** Removes a database that `createDatabase` has made. */
export async function dropDatabase(databaseUrl: string): Promise<void> {
  const name = new URL(databaseUrl).pathname.slice(1)
  await query(process.env['TEST_DATABASE_URL'] ?? '', `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
}
