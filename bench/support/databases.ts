import { Client } from 'pg'

/**
 * Runs `work` with new databases on one server, which are removed afterwards. The role must be able to create
 * databases.
 */
export async function withDatabases<Name extends string, T>(
  serverUrl: string,
  names: readonly Name[],
  work: (urls: Readonly<Record<Name, string>>) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  const run = String(process.pid)
  try {
    for (const name of names) await client.query(`CREATE DATABASE ${name}_${run}`)
    return await work(
      Object.fromEntries(names.map((name) => [name, withDatabase(serverUrl, `${name}_${run}`)])) as Record<
        Name,
        string
      >,
    )
  } finally {
    for (const name of names) await client.query(`DROP DATABASE IF EXISTS ${name}_${run} WITH (FORCE)`)
    await client.end()
  }
}

function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Opens a connection for `work`, and closes it afterwards. */
export async function withClient(databaseUrl: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
