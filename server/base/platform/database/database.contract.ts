import { setImmediate } from 'node:timers/promises'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ServiceError } from '../../core/errors'
import type { Transaction } from '../../core/platform'
import { sql } from '../../core/sql'
import type { OpenDatabase } from './client'
import { isUniqueViolation, sqlState } from './errors'

/** Any text without NUL, often of characters with a meaning in the text form of an array. */
const storableText = fc.oneof(
  fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', ',', ' ', '\n', 'NULL', 'é') }),
  fc.string({ unit: 'binary' }).filter((text) => !text.includes('\u0000')),
)

const later = new Date('2030-01-01T00:00:00.123Z')

/** Tests that every database must pass. `open` returns a migrated one; the suite closes it. */
export function databaseContract(name: string, open: () => Promise<OpenDatabase>): void {
  describe(`${name} database`, () => {
    let db: OpenDatabase
    beforeAll(async () => {
      db = await open()
    })
    afterAll(() => db.close())
    beforeEach(() => db.query(sql`DELETE FROM replay_keys`))
    const addKey = (key: string) => db.query(sql`INSERT INTO replay_keys (key, expires_at) VALUES (${key}, ${later})`)
    const keys = async () =>
      (await db.query<{ key: string }>(sql`SELECT key FROM replay_keys ORDER BY key`)).map((row) => row.key)

    test('a database returns each type in one form', async () => {
      const [row] = await db.query(
        sql`SELECT 1::int4 AS int4, 9007199254740991::int8 AS int8, 1.5::float8 AS float8, 1.50::numeric AS numeric,
           true AS yes, false AS no, 'text' AS text, NULL::text AS nothing, date '2026-03-01' AS day,
           timestamptz '2026-03-01 12:00:00.123+05:30' AS instant, '{"a":[1]}'::jsonb AS jsonb, '[1]'::json AS json,
           count(*) AS count, ARRAY['a', 'b "c", \\{d}', '', NULL] AS texts, ARRAY[1, 2]::int8[] AS int8s,
           ARRAY[date '2026-03-01'] AS days, ARRAY[timestamptz '2026-03-01Z'] AS instants, '{}'::text[] AS empty`,
      )
      expect(row).toEqual({
        int4: 1,
        int8: 9007199254740991,
        float8: 1.5,
        numeric: '1.50',
        yes: true,
        no: false,
        text: 'text',
        nothing: null,
        day: '2026-03-01',
        instant: new Date('2026-03-01T06:30:00.123Z'),
        jsonb: { a: [1] },
        json: [1],
        count: 1,
        texts: ['a', 'b "c", \\{d}', '', null],
        int8s: [1, 2],
        days: ['2026-03-01'],
        instants: [new Date('2026-03-01T00:00:00Z')],
        empty: [],
      })
    })

    test('a statement that was first run on an empty table reads a full one by its index', async () => {
      const asked = sql`SELECT w.id FROM unnest(${['row 7']}::text[]) AS k (id) JOIN wide_rows w ON w.id = k.id`
      const scans = sql`SELECT seq_scan FROM pg_stat_xact_user_tables WHERE relname = 'wide_rows'`
      const { rows, before, after } = await db.session(async (session) => {
        await session.script(
          'BEGIN; CREATE TEMPORARY TABLE wide_rows (id text PRIMARY KEY, filler char(500)) ON COMMIT DROP',
        )
        for (let round = 0; round < 10; round += 1) await session.query(asked)
        await session.script(`INSERT INTO wide_rows SELECT 'row ' || n, '' FROM generate_series(1, 2000) n`)
        const read = {
          before: await session.query(scans),
          rows: await session.query(asked),
          after: await session.query(scans),
        }
        await session.script('COMMIT')
        return read
      })
      expect(rows).toEqual([{ id: 'row 7' }])
      expect(after).toEqual(before)
    })

    test('a database takes each type of parameter', async () => {
      const [row] = await db.query(
        sql`SELECT ${'ä€😀 \'"\\'}::text AS text, ${9007199254740991}::int8 AS int8, ${-0.5}::float8 AS float8, ${true}::boolean AS yes, ${later}::timestamptz AS instant,
           ${null}::text AS nothing, ${['a', 'b "c", \\{d}', '', 'NULL', ' x ']}::text[] AS texts, ${[1, -2]}::int4[] AS ints, ${[later]}::timestamptz[] AS instants, ${JSON.stringify({ a: 'b' })}::jsonb AS json,
           ${later}::date AS day, ${[]}::text[] AS empty`,
      )
      expect(row).toEqual({
        text: 'ä€😀 \'"\\',
        int8: 9007199254740991,
        float8: -0.5,
        yes: true,
        instant: later,
        nothing: null,
        texts: ['a', 'b "c", \\{d}', '', 'NULL', ' x '],
        ints: [1, -2],
        instants: [later],
        json: { a: 'b' },
        day: '2030-01-01',
        empty: [],
      })
    })

    test('an array of any texts comes back as it went in', () =>
      fc.assert(
        fc.asyncProperty(fc.array(storableText), async (texts) => {
          const [row] = await db.query(sql`SELECT ${texts}::text[] AS texts`)
          expect(row).toEqual({ texts })
        }),
      ))

    test('a database never rounds: numbers beyond 2^53 are refused on both ways', async () => {
      await expect(db.query(sql`SELECT 9007199254740993::int8 AS big`)).rejects.toThrow(RangeError)
      await expect(db.query(sql`SELECT ${2 ** 53}::int8 AS big`)).rejects.toThrow(RangeError)
      await expect(db.query(sql`SELECT ${Number.NaN}::float8 AS big`)).rejects.toThrow(RangeError)
      await expect(db.query(sql`SELECT 1 AS one`)).resolves.toEqual([{ one: 1 }])
    })

    test('a database reports violated constraints as the database names them', async () => {
      await addKey('a')
      const error = await addKey('a').catch((thrown: unknown) => thrown)
      expect(isUniqueViolation(error)).toBe(true)
      expect(isUniqueViolation(error, 'replay_keys_pkey')).toBe(true)
      expect(isUniqueViolation(error, 'another')).toBe(false)
      expect(sqlState(await db.query(sql`SELECT nonsense FROM nowhere`).catch((thrown: unknown) => thrown))).toBe(
        '42P01',
      )
    })

    test('text that cannot be stored is the caller’s mistake', async () => {
      const error = await addKey('a\u0000b').catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(ServiceError)
      expect(error).toMatchObject({ code: 'invalid_request' })
    })

    test('a transaction commits everything, or nothing when it throws', async () => {
      const result = await db.transaction(async (tx) => {
        await tx.query(sql`INSERT INTO replay_keys VALUES (${'a'}, ${later})`)
        await tx.query(sql`INSERT INTO replay_keys VALUES (${'b'}, ${later})`)
        return 'done'
      })
      expect(result).toBe('done')
      const failure = new Error('changed my mind')
      const failed = db.transaction(async (tx) => {
        await tx.query(sql`DELETE FROM replay_keys`)
        throw failure
      })
      await expect(failed).rejects.toBe(failure)
      expect(await keys()).toEqual(['a', 'b'])
    })

    test('a transaction with a failed statement cannot seem to succeed', async () => {
      const swallowing = db.transaction(async (tx) => {
        await tx.query(sql`INSERT INTO replay_keys VALUES (${'a'}, ${later})`)
        await tx.query(sql`SELECT 1 / 0`).catch(() => undefined)
      })
      await expect(swallowing).rejects.toThrow('rolled back')
      expect(await keys()).toEqual([])
    })

    test('statements of a transaction that are started together keep their results apart', async () => {
      const rows = await db.transaction((tx) =>
        Promise.all([1, 2, 3, 4].map((n) => tx.query<{ n: number }>(sql`SELECT ${n}::int AS n`))),
      )
      expect(rows).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }], [{ n: 4 }]])
    })

    test('what is sent runs in its turn, and is there after the commit', async () => {
      const seen = await db.transaction(async (tx) => {
        tx.send(sql`INSERT INTO replay_keys VALUES (${'a'}, ${later})`)
        const found = await tx.query<{ key: string }>(sql`SELECT key FROM replay_keys`)
        tx.send(sql`INSERT INTO replay_keys VALUES (${'b'}, ${later})`)
        return found
      })
      expect(seen).toEqual([{ key: 'a' }])
      expect(await keys()).toEqual(['a', 'b'])
    })

    test('a transaction fails with the failure of the statement that it sent, also when later ones succeed', async () => {
      const refusals: ((tx: Transaction) => Promise<unknown>)[] = [
        async (tx) => tx.send(sql`SELECT 1 / 0`),
        async (tx) => {
          tx.send(sql`SELECT 1 / 0`)
          await tx.query(sql`SELECT 1`)
        },
        async (tx) => {
          tx.send(sql`SELECT 1 / 0`)
          throw new Error('changed my mind')
        },
      ]
      for (const refuse of refusals) {
        const failing = db.transaction(async (tx) => {
          await tx.query(sql`INSERT INTO replay_keys VALUES (${'a'}, ${later})`)
          await refuse(tx)
        })
        await expect(failing).rejects.toMatchObject({ code: '22012' })
        expect(await keys()).toEqual([])
      }
    })

    test('of statements that are started together, those after a failure do nothing', async () => {
      const insert = (key: string) => sql`INSERT INTO replay_keys VALUES (${key}, ${later})`
      const failing = db.transaction((tx) =>
        Promise.all([tx.query(insert('a')), tx.query(sql`SELECT 1 / 0`), tx.query(insert('b')), tx.query(insert('c'))]),
      )
      await expect(failing).rejects.toMatchObject({ code: '22012' })
      expect(await keys()).toEqual([])
      await db.transaction((tx) => Promise.all([tx.query(insert('d')), tx.query(insert('e'))]))
      expect(await keys()).toEqual(['d', 'e'])
    })

    test('a database runs at READ COMMITTED', async () => {
      const isolation = sql`SELECT current_setting('transaction_isolation') AS isolation`
      expect(await db.transaction((tx) => tx.query(isolation))).toEqual([{ isolation: 'read committed' }])
      expect(await db.query(isolation)).toEqual([{ isolation: 'read committed' }])
    })

    test('inside a transaction everything but its tx is refused at once', async () => {
      const prisma = db.prisma
      const nested: (() => unknown)[] = [
        () => db.query(sql`SELECT 1`),
        () => db.transaction(async () => undefined),
        () => db.session(async () => undefined),
        () => db.ping(),
        () => db.prisma,
        () => prisma.replayKey.count(),
      ]
      for (const use of nested) {
        await expect(db.transaction(async () => use())).rejects.toThrow('Inside a transaction')
      }
      expect(await prisma.replayKey.count()).toBe(0)
    })

    test('a tx is of no use after its end', async () => {
      const tx = await db.transaction(async (inside) => inside)
      await expect(tx.query(sql`SELECT 1`)).rejects.toThrow('has ended')
    })

    test('a flow that began inside a transaction may use the database after its end', async () => {
      let goOn = (): void => undefined
      const ended = new Promise<void>((resolve) => {
        goOn = resolve
      })
      const outliving = await db.transaction(async () => ({ rows: ended.then(() => db.query(sql`SELECT 1 AS one`)) }))
      goOn()
      expect(await outliving.rows).toEqual([{ one: 1 }])
    })

    test('the client reads and writes the same tables', async () => {
      await addKey('a')
      await db.prisma.replayKey.create({ data: { key: 'b', expires_at: later } })
      expect(await db.prisma.replayKey.findMany({ orderBy: { key: 'asc' } })).toEqual([
        { key: 'a', expires_at: later },
        { key: 'b', expires_at: later },
      ])
      expect(await db.prisma.$transaction([db.prisma.replayKey.count(), db.prisma.replayKey.count()])).toEqual([2, 2])
      expect(await db.prisma.statusList.findMany()).toEqual([{ id: '1', version: 1n, places_used: 0 }])
    })

    test('the client fails like a statement does', async () => {
      await addKey('a')
      const taken = await db.prisma.replayKey.create({ data: { key: 'a', expires_at: later } }).catch((error) => error)
      expect([isUniqueViolation(taken), isUniqueViolation(taken, 'replay_keys_pkey')]).toEqual([true, true])
      expect(isUniqueViolation(taken, 'another_key')).toBe(false)
      const unstorable = db.prisma.replayKey.findMany({ where: { key: 'a\u0000' } })
      await expect(unstorable).rejects.toMatchObject({ code: 'invalid_request' })
    })

    test('the client keeps its hands off interactive transactions and undefined filters', async () => {
      expect(() => db.prisma.$transaction(async () => 1)).toThrow('Database.transaction')
      const key = undefined as unknown as string
      await expect(db.prisma.replayKey.deleteMany({ where: { key } })).rejects.toThrow(/undefined/)
    })

    test('of many statements that consume at once exactly one succeeds', async () => {
      await addKey('a')
      const consume = () =>
        db.query(
          sql`UPDATE replay_keys SET expires_at = now() WHERE key = ${'a'} AND expires_at = ${later} RETURNING key`,
        )
      const winners = await Promise.all(Array.from({ length: 50 }, consume))
      expect(winners.filter((rows) => rows.length === 1)).toHaveLength(1)
    })

    test('transactions in parallel lose no update', async () => {
      await db.query(
        sql`INSERT INTO rate_limits (key, points) VALUES (${'n'}, 0) ON CONFLICT (key) DO UPDATE SET points = 0`,
      )
      const add = () =>
        db.transaction(async (tx) => {
          const [row] = await tx.query<{ points: number }>(
            sql`SELECT points FROM rate_limits WHERE key = 'n' FOR UPDATE`,
          )
          await tx.query(sql`UPDATE rate_limits SET points = ${(row?.points ?? 0) + 1} WHERE key = 'n'`)
        })
      await Promise.all(Array.from({ length: 40 }, add))
      expect(await db.query(sql`SELECT points FROM rate_limits WHERE key = 'n'`)).toEqual([{ points: 40 }])
    })

    test('a queue of statements keeps no other event waiting until its end', async () => {
      let queued = 50
      const queue = Array.from({ length: queued }, async () => {
        await db.query(sql`SELECT 1`)
        queued -= 1
      })
      await setImmediate()
      await setImmediate()
      const left = queued
      await Promise.all(queue)
      expect(left).toBeGreaterThan(0)
    })

    test('a serialization failure is tried again, any other failure is not', async () => {
      let attempts = 0
      const fail = (state: string, times: number) =>
        db.transaction(async (tx) => {
          attempts += 1
          await tx.query(sql`INSERT INTO replay_keys VALUES (${`${state}/${attempts}`}, ${later})`)
          if (attempts <= times)
            await tx.query(sql`DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '${sql.raw(state)}'; END $$`)
          return attempts
        })
      expect(await fail('40001', 2)).toBe(3)
      expect(await keys()).toEqual(['40001/3'])
      attempts = 0
      await expect(fail('40P01', 99)).rejects.toMatchObject({ code: '40P01' })
      expect(attempts).toBe(4)
      attempts = 0
      await expect(fail('23514', 1)).rejects.toMatchObject({ code: '23514' })
      expect(attempts).toBe(1)
    })

    test('a statement stays usable when a table it reads has changed', async () => {
      await db.query(sql`SELECT * FROM webhook_events`)
      await db.session((session) => session.script('ALTER TABLE webhook_events ADD COLUMN extra text'))
      await db.session((session) => session.script('ALTER TABLE webhook_events DROP COLUMN extra'))
      expect(await db.query(sql`SELECT * FROM webhook_events`)).toEqual([])
    })

    test('audit entries cannot be changed, removed or truncated', async () => {
      await db.query(
        sql`INSERT INTO audit_entries VALUES ('t', 1, now(), 'e', 'k', 'a', NULL, '{}', 'p', 'h') ON CONFLICT DO NOTHING`,
      )
      for (const change of [
        sql`UPDATE audit_entries SET event = 'x'`,
        sql`DELETE FROM audit_entries`,
        sql`TRUNCATE audit_entries`,
      ]) {
        await expect(db.query(change)).rejects.toThrow('append-only')
      }
    })

    test('a database answers a ping, and 503 once it is closed', async () => {
      const own = await open()
      await own.ping()
      await Promise.all([own.close(), own.close()])
      await expect(own.ping()).rejects.toMatchObject({ code: 'service_unavailable', headers: { 'Retry-After': '1' } })
      await expect(own.transaction(async () => 1)).rejects.toMatchObject({ code: 'service_unavailable' })
    })
  })
}
