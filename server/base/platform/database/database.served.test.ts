import { describe, expect, test } from 'vitest'
import { openSharedDatabase, openTestDatabase } from '@/test/support/database'
import { sql } from '../../core/sql'
import { type OpenDatabase, openDatabase } from './client'

describe('several processes on one server', () => {
  test('exactly one of many processes that consume a row at once succeeds', async () => {
    const databases = (await openSharedDatabase(3)) ?? []
    await databases[0]?.query(sql`INSERT INTO replay_keys VALUES ('a', '2030-01-01')`)
    const consume = (index: number) =>
      databases[index % 3]?.query(sql`DELETE FROM replay_keys WHERE key = 'a' RETURNING key`) ?? Promise.resolve([])
    const winners = await Promise.all(Array.from({ length: 60 }, (_, index) => consume(index)))
    expect(winners.filter((rows) => rows.length === 1)).toHaveLength(1)
    await Promise.all(databases.slice(1).map((db) => db.close()))
    await databases[0]?.close()
  })

  test('a connection that the server ends is a 503, and the next statement works', async () => {
    const [db, administrator] = (await openSharedDatabase(2)) ?? []
    if (!db || !administrator) throw new Error('there are two')
    const broken = db.transaction(async (tx) => {
      const [row] = await tx.query<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`)
      await administrator.query(sql`SELECT pg_terminate_backend(${row?.pid ?? 0})`)
      await tx.query(sql`SELECT 1`)
    })
    await expect(broken).rejects.toMatchObject({ code: 'service_unavailable' })
    await expect(db.query(sql`SELECT 1 AS one`)).resolves.toEqual([{ one: 1 }])
    await administrator.close()
    await db.close()
  })

  test('waiting for a lock ends within the lock timeout, as a 503', async () => {
    const [db, holder] = (await openSharedDatabase(2)) ?? []
    if (!db || !holder) throw new Error('there are two')
    await db.query(sql`INSERT INTO replay_keys VALUES ('a', '2030-01-01')`)
    await holder.transaction(async (tx) => {
      await tx.query(sql`SELECT 1 FROM replay_keys WHERE key = 'a' FOR UPDATE`)
      await expect(db.query(sql`DELETE FROM replay_keys`)).rejects.toMatchObject({ code: 'service_unavailable' })
    })
    await holder.close()
    await db.close()
  })

  test('a statement that hangs times out and names itself', async () => {
    const [db] = (await openSharedDatabase(1)) ?? []
    const setting = (name: string) =>
      db?.query<{ value: string }>(sql`SELECT current_setting('${sql.raw(name)}') AS value`)
    expect(await setting('statement_timeout')).toEqual([{ value: '5s' }])
    expect(await setting('lock_timeout')).toEqual([{ value: '2s' }])
    expect(await setting('idle_in_transaction_session_timeout')).toEqual([{ value: '10s' }])
    expect(await setting('application_name')).toEqual([{ value: 'countersign' }])
    await db?.close()
  })

  test('a migration may take longer than a request waits for an answer', async () => {
    const [db] = (await openSharedDatabase(1)) ?? []
    const [{ name } = { name: '' }] = (await db?.query<{ name: string }>(sql`SELECT current_database() AS name`)) ?? []
    const url = new URL(process.env['TEST_DATABASE_URL'] ?? '')
    url.pathname = `/${name}`
    url.searchParams.set('query_timeout', '100')
    const impatient = await openDatabase({ databaseUrl: url.href, dataDir: '', databasePoolSize: 1 })
    const longer = sql`SELECT true AS done FROM pg_sleep(0.3)`
    await expect(impatient.query(longer)).rejects.toMatchObject({ code: 'service_unavailable' })
    await impatient.session(async (session) => {
      await session.script('SELECT pg_sleep(0.3)')
      expect(await session.query(longer)).toEqual([{ done: true }])
    })
    await impatient.close()
    await db?.close()
  })

  test('a statement that takes an array is planned once', async () => {
    const [db] = (await openSharedDatabase(1)) ?? []
    if (!db) throw new Error('there is one')
    const plans = await db.session(async (session) => {
      for (let round = 0; round < 10; round += 1) {
        const keys = Array.from({ length: round }, (_, index) => `key ${index}`)
        await session.query(sql`SELECT * FROM replay_keys JOIN unnest(${keys}::text[]) AS k (key) USING (key)`)
      }
      return session.query(
        sql`SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE statement LIKE 'SELECT * FROM replay_keys%'`,
      )
    })
    expect(plans).toEqual([{ generic_plans: 10, custom_plans: 0 }])
    await db.close()
  })

  test('a connection prepares many statements, not all that there may be, and no other database has fewer for it', async () => {
    const [db, other] = await Promise.all([openTestDatabase(), openTestDatabase()])
    const countOn = (database: OpenDatabase, texts: number) =>
      database.session(async (session) => {
        for (let n = 0; n < texts; n += 1)
          expect(await session.query(sql`SELECT ${sql.raw(String(n))} AS n`)).toEqual([{ n }])
        const [row] = await session.query<{ count: number }>(sql`SELECT count(*)::int FROM pg_prepared_statements`)
        return row?.count
      })
    expect(await countOn(db, 1_010)).toBe(1_000)
    expect(await countOn(other, 10)).toBe(11)
    await Promise.all([db.close(), other.close()])
  })

  test('a database that has become read-only is a 503, and answers no ping, until it takes writes again', async () => {
    const [db, administrator] = (await openSharedDatabase(2)) ?? []
    if (!db || !administrator) throw new Error('there are two')
    const [{ name } = { name: '' }] = await db.query<{ name: string }>(sql`SELECT current_database() AS name`)
    const close = (how: 'on' | 'off') =>
      administrator.query(sql`ALTER DATABASE "${sql.raw(name)}" SET default_transaction_read_only = ${sql.raw(how)}`)
    const write = () => db.query(sql`DELETE FROM replay_keys`)
    const writeWithin = () => db.transaction((tx) => tx.query(sql`DELETE FROM replay_keys`))
    await close('on')
    // Open connections still accept writes: the setting applies to new ones.
    await administrator.query(
      sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${name} AND pid <> pg_backend_pid()`,
    )
    await expect.poll(() => db.ping().catch((error: unknown) => String(error))).toContain('it is read-only')
    for (const work of [write, writeWithin]) await expect(work()).rejects.toMatchObject({ code: 'service_unavailable' })
    await close('off')
    // Connections on which writing failed are given up, so no read-only one is left to write on.
    await expect.poll(() => writeWithin().then(() => 'written', String)).toBe('written')
    await administrator.close()
    await db.close()
  })

  test('a server that is not there is a 503', async () => {
    const db = await openDatabase({ databaseUrl: 'postgres://127.0.0.1:1/x', dataDir: '', databasePoolSize: 1 })
    await expect(db.ping()).rejects.toMatchObject({ code: 'service_unavailable' })
    await db.close()
  })
})
