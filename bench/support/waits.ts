/** Samples what the connections of a database wait for, from pg_stat_activity. */
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'

const LOOK_EVERY_MS = 100

interface Sighting {
  /** What the connection waits for; null while it runs on a processor. */
  readonly wait: string | null
  readonly state: string
  readonly query: string
  readonly sessions: number
}

export interface Wait extends Omit<Sighting, 'sessions'> {
  /** The number of connections in this state, on average over all samples. */
  readonly sessions: number
}

const SIGHTINGS = `
  SELECT wait_event_type || ':' || wait_event AS wait, state, left(regexp_replace(query, '\\s+', ' ', 'g'), 64) AS query,
         count(*)::int AS sessions
    FROM pg_stat_activity
   WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend' AND state <> 'idle'
   GROUP BY 1, 2, 3`

/** Samples every 100 ms while `work` runs. Returns the waits, the most frequent first. */
export async function watchWaits<T>(databaseUrl: string, work: () => Promise<T>) {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const looks: Sighting[][] = []
  const ended = new AbortController()
  const watch = async () => {
    while (!ended.signal.aborted) {
      looks.push((await client.query<Sighting>(SIGHTINGS)).rows)
      await delay(LOOK_EVERY_MS)
    }
  }
  const watching = watch()
  try {
    return { outcome: await work(), waits: average(looks) }
  } finally {
    ended.abort()
    await watching
    await client.end()
  }
}

/** Returns the mean of several samples. */
function average(looks: readonly (readonly Sighting[])[]): Wait[] {
  const sums = new Map<string, Wait>()
  for (const { sessions, ...what } of looks.flat()) {
    const key = JSON.stringify(what)
    sums.set(key, { ...what, sessions: (sums.get(key)?.sessions ?? 0) + sessions })
  }
  return [...sums.values()]
    .map((sum) => ({ ...sum, sessions: sum.sessions / looks.length }))
    .toSorted((a, b) => b.sessions - a.sessions)
}
