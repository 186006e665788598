import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { Cancelled } from '../errors.js'
import { takeLock } from './lock.js'
import { type PendingPurchase, PendingStore } from './pending-store.js'
import { createPrivate, readPrivate, writePrivate } from './private-files.js'
import { RegistrationStore } from './registration-store.js'

const issuer = 'https://as.example'
const modeOf = async (path: string) => (await stat(path)).mode & 0o777
const signal = new AbortController().signal
let home = ''

beforeEach(async () => {
  home = join(await mkdtemp(join(tmpdir(), 'countersign-')), 'home')
})

describe('private files', () => {
  test('directories are 0700 and files 0600, whatever the umask', async () => {
    const previous = process.umask(0)
    try {
      await writePrivate(join(home, 'a', 'b.json'), '{}')
      expect(await modeOf(home)).toBe(0o700)
      expect(await modeOf(join(home, 'a'))).toBe(0o700)
      expect(await modeOf(join(home, 'a', 'b.json'))).toBe(0o600)
    } finally {
      process.umask(previous)
    }
  })

  test('nothing temporary stays behind', async () => {
    await writePrivate(join(home, 'a.json'), '1')
    await writePrivate(join(home, 'a.json'), '2')
    expect(await createPrivate(join(home, 'a.json'), '3')).toBe(false)
    expect(await readdir(home)).toEqual(['a.json'])
    expect(await readFile(join(home, 'a.json'), 'utf8')).toBe('2')
  })

  test.each([0o640, 0o604, 0o660])('a file of mode %o is refused', async (mode) => {
    const path = join(home, 'a.json')
    await writePrivate(path, '{}')
    await chmod(path, mode)
    await expect(readPrivate(path)).rejects.toThrow('open to other users')
  })

  test('a directory that others may enter is refused once something is in it', async () => {
    await mkdir(home, { mode: 0o755 })
    await writePrivate(join(home, 'a.json'), '{}')
    expect(await modeOf(home)).toBe(0o700)
    await chmod(home, 0o750)
    await expect(writePrivate(join(home, 'b.json'), '{}')).rejects.toThrow('open to other users')
  })

  test('a link is refused', async () => {
    await writePrivate(join(home, 'a.json'), '{}')
    await symlink(join(home, 'a.json'), join(home, 'b.json'))
    await expect(readPrivate(join(home, 'b.json'))).rejects.toThrow('is a link')
  })
})

describe('registrations', () => {
  const registration = {
    issuer,
    client_id: 'agent-1',
    redirect_uris: ['http://127.0.0.1:8765/oid4ac/callback'],
    registered_at: '2026-11-01T00:00:00.000Z',
  }

  test('keys are minted once, also by two at the same time', async () => {
    const store = new RegistrationStore(home)
    const [first, second] = await Promise.all([store.ensureKeys(issuer), store.ensureKeys(issuer)])
    expect(first).toEqual(second)
    expect(first.dpopKey).not.toEqual(first.assertionKey)
    expect(await store.readKeys(issuer)).toEqual(first)
  })

  test('each authorization server has its own directory of private files', async () => {
    const store = new RegistrationStore(home)
    await store.ensureKeys(issuer)
    await store.save(registration)
    const directory = store.directory(issuer)
    expect(await readdir(directory)).toEqual(['assertion.key.json', 'client.json', 'dpop.key.json'])
    expect(directory).not.toBe(store.directory('https://sandbox.example'))
    for (const name of await readdir(directory)) expect(await modeOf(join(directory, name))).toBe(0o600)
    expect(await modeOf(directory)).toBe(0o700)
    expect(await modeOf(home)).toBe(0o700)
  })

  test('B20 the one made first is the first', async () => {
    const store = new RegistrationStore(home)
    expect(await store.first()).toBeNull()
    await store.save({ ...registration, issuer: 'https://b.example', registered_at: '2026-11-02T00:00:00.000Z' })
    await store.save(registration)
    expect((await store.first())?.issuer).toBe(issuer)
    expect((await store.find('https://b.example'))?.client_id).toBe('agent-1')
    expect(await store.find('https://c.example')).toBeNull()
  })

  test('A3 one that exists is not replaced, also by several at once', async () => {
    const store = new RegistrationStore(home)
    const saved = await Promise.all(['one', 'two', 'three'].map((id) => store.save({ ...registration, client_id: id })))
    expect(saved.filter(Boolean)).toHaveLength(1)
    const kept = await store.find(issuer)
    expect(await store.save({ ...registration, client_id: 'four' })).toBe(false)
    expect(await store.find(issuer)).toEqual(kept)
  })

  test('A2 the one for wallets lies below the one for paying, with keys of its own', async () => {
    const [agent, wallet] = [new RegistrationStore(home), new RegistrationStore(home, 'wallet')]
    const keys = [await agent.ensureKeys(issuer), await wallet.ensureKeys(issuer)]
    expect(new Set(keys.flatMap(({ dpopKey, assertionKey }) => [dpopKey.x, assertionKey.x])).size).toBe(4)
    expect(wallet.directory(issuer)).toBe(join(agent.directory(issuer), 'wallet'))
    await wallet.save({ ...registration, client_id: 'wallet-1' })
    expect(await agent.find(issuer)).toBeNull()
    expect(await agent.first()).toBeNull()
    expect((await wallet.first())?.client_id).toBe('wallet-1')
  })

  test('what a killed registration had half written is gone once its keys are used or another one begins', async () => {
    const store = new RegistrationStore(home)
    await store.ensureKeys(issuer)
    const leave = () =>
      writeFile(join(store.directory(issuer), `client.json.${randomUUID()}.tmp`), '{', { mode: 0o600 })
    const keys = ['assertion.key.json', 'dpop.key.json']
    await leave()
    await store.readKeys(issuer)
    expect(await readdir(store.directory(issuer))).toEqual(keys)
    await leave()
    await store.exclusively(
      issuer,
      async () => expect(await readdir(store.directory(issuer))).toContain(keys[0]),
      signal,
    )
    expect(await readdir(store.directory(issuer))).toEqual(keys)
  })

  test('a key that others may read is refused', async () => {
    const store = new RegistrationStore(home)
    await store.ensureKeys(issuer)
    await chmod(join(store.directory(issuer), 'dpop.key.json'), 0o644)
    await expect(store.readKeys(issuer)).rejects.toThrow('open to other users')
  })
})

describe('locks', () => {
  const wait = (milliseconds: number) => ({ signal: new AbortController().signal, until: Date.now() + milliseconds })
  const lockPath = () => join(home, 'pending', 'a.lock')

  test('only one holds it, and the next gets it when it is given back', async () => {
    const lock = await takeLock(lockPath(), wait(0))
    expect(await takeLock(lockPath(), wait(50))).toBeNull()
    const next = takeLock(lockPath(), wait(5000))
    await lock?.release()
    expect(await next).not.toBeNull()
  })

  test('of many takers at once one wins', async () => {
    const taken = await Promise.all(Array.from({ length: 20 }, () => takeLock(lockPath(), wait(0))))
    expect(taken.filter((lock) => lock !== null)).toHaveLength(1)
  })

  test('one of a process that is gone is taken over, by one taker', async () => {
    await mkdir(join(home, 'pending'), { recursive: true, mode: 0o700 })
    await writeFile(lockPath(), JSON.stringify({ pid: 2 ** 30, host: hostname() }), { mode: 0o600 })
    const taken = await Promise.all(Array.from({ length: 20 }, () => takeLock(lockPath(), wait(300))))
    expect(taken.filter((lock) => lock !== null)).toHaveLength(1)
  })

  test('one that a crash has left empty is taken over at once', async () => {
    await mkdir(join(home, 'pending'), { recursive: true, mode: 0o700 })
    await writeFile(lockPath(), '', { mode: 0o600 })
    expect(await takeLock(lockPath(), wait(0))).not.toBeNull()
  })

  test('one appears with its owner in it, however many want it', async () => {
    const owners: unknown[] = []
    const directory = join(home, 'pending')
    const watching = (async () => {
      for (let look = 0; look < 200; look += 1) {
        const text = await readFile(lockPath(), 'utf8').catch(() => null)
        if (text !== null) owners.push((JSON.parse(text) as { pid?: unknown }).pid)
      }
    })()
    for (let taken = 0; taken < 20; taken += 1) await (await takeLock(lockPath(), wait(1000)))?.release()
    await watching
    expect(new Set([process.pid, ...owners])).toEqual(new Set([process.pid]))
    expect(await readdir(directory)).toEqual([])
  })

  test('one of another machine is taken over when it shows no life', async () => {
    await mkdir(join(home, 'pending'), { recursive: true, mode: 0o700 })
    await writeFile(lockPath(), JSON.stringify({ pid: 1, host: 'elsewhere' }), { mode: 0o600 })
    expect(await takeLock(lockPath(), wait(0))).toBeNull()
    const longAgo = new Date(Date.now() - 3_600_000)
    await utimes(lockPath(), longAgo, longAgo)
    expect(await takeLock(lockPath(), wait(0))).not.toBeNull()
  })

  /** Creates a lock that another process has left this long ago. */
  async function leaveLock(owner: object, milliseconds: number): Promise<void> {
    await mkdir(join(home, 'pending'), { recursive: true, mode: 0o700 })
    await writeFile(lockPath(), JSON.stringify({ host: hostname(), id: 'theirs', ...owner }), { mode: 0o600 })
    const then = new Date(Date.now() - milliseconds)
    await utimes(lockPath(), then, then)
  }

  test('one of a living process of this machine is not taken over by its age: the process may sleep', async () => {
    await leaveLock({ pid: process.ppid }, 3_600_000)
    expect(await takeLock(lockPath(), wait(0))).toBeNull()
    await leaveLock({ pid: process.ppid }, 90_000_000)
    expect(await takeLock(lockPath(), wait(0))).not.toBeNull()
  })

  test('one whose process has given its number to a later one is taken over, where the system tells them apart', async () => {
    await leaveLock({ pid: process.pid, started: 'another-boot/1' }, 0)
    const isTold = existsSync('/proc/self/stat')
    expect((await takeLock(lockPath(), wait(0))) !== null).toBe(isTold)
  })

  test('one that was taken over meanwhile is neither held any more nor given back', async () => {
    const lock = await takeLock(lockPath(), wait(0))
    expect(await lock?.isHeld()).toBe(true)
    await leaveLock({ pid: process.ppid }, 0)
    expect(await lock?.isHeld()).toBe(false)
    await lock?.release()
    expect(await readdir(join(home, 'pending'))).toEqual(['a.lock'])
  })

  test('a cancelled call stops waiting', async () => {
    await takeLock(lockPath(), wait(0))
    const controller = new AbortController()
    const waiting = takeLock(lockPath(), { signal: controller.signal, until: Date.now() + 60_000 })
    setTimeout(() => controller.abort(), 20)
    await expect(waiting).rejects.toBeInstanceOf(Cancelled)
  })
})

describe('purchases under way', () => {
  const key = 'a'.repeat(64)
  const consent: PendingPurchase = {
    stage: 'consent',
    request_uri: 'urn:ietf:params:oauth:request_uri:x',
    code_verifier: 'verifier',
    state: 'state',
    needs_person: true,
    idempotency_key: 'key',
    expires_at: 1000,
  }
  const take = async (store: PendingStore, name: string) => {
    const slot = await store.take(name, { signal, until: Date.now() })
    if (slot === null) throw new Error('the slot is taken')
    return slot
  }

  test('are kept in a private file under their key', async () => {
    const store = new PendingStore(home)
    const slot = await take(store, key)
    expect(await slot.read()).toBeNull()
    await slot.write(consent)
    expect(await store.peek(key)).toEqual(consent)
    expect(await modeOf(join(home, 'pending', `${key}.json`))).toBe(0o600)
    expect(await modeOf(join(home, 'pending', `${key}.lock`))).toBe(0o600)
    await slot.release()
    expect(await readdir(join(home, 'pending'))).toEqual([`${key}.json`])
  })

  test('are changed no more by a call whose lock was taken over while it slept', async () => {
    const store = new PendingStore(home)
    const slow = await take(store, key)
    await slow.write(consent)
    await rm(join(home, 'pending', `${key}.lock`))
    const quick = await take(store, key)
    const theirs = { ...consent, request_uri: 'urn:ietf:params:oauth:request_uri:theirs' }
    await quick.write(theirs)
    for (const change of [() => slow.write(consent), () => slow.remove()]) {
      await expect(change()).rejects.toThrow('another call has taken over this purchase')
    }
    await slow.release()
    expect(await store.peek(key)).toEqual(theirs)
    expect(await store.take(key, { signal, until: 0 })).toBeNull()
    await quick.release()
  })

  test('are swept when they have ended and nobody holds them', async () => {
    const store = new PendingStore(home)
    const other = 'b'.repeat(64)
    const held = await take(store, key)
    await held.write(consent)
    const free = await take(store, other)
    await free.write(consent)
    await free.release()
    await store.sweep(999)
    expect(await store.peek(other)).toEqual(consent)
    await store.sweep(1000)
    expect(await store.peek(other)).toBeNull()
    expect(await store.peek(key)).toEqual(consent)
  })

  test('leave nothing behind that a killed process had half written, with or without its lock', async () => {
    const store = new PendingStore(home)
    const [free, dead, held] = ['b', 'c', 'd'].map((letter) => letter.repeat(64))
    const slot = await take(store, held ?? '')
    const put = (name: string, text: string) => writeFile(join(home, 'pending', name), text, { mode: 0o600 })
    const owner = JSON.stringify({ pid: 2 ** 30, host: hostname() })
    const temporary = (name: string) => `${name}.${randomUUID()}.tmp`
    const live = temporary(`${held}.json`)
    const fresh = temporary(`${free}.lock`)
    for (const name of [temporary(`${free}.json`), temporary(`${dead}.json`), live]) await put(name, '{"access_token":')
    await put(`${dead}.lock`, owner)
    await put(fresh, '')
    const old = [temporary(`${free}.lock`), `${free}.lock.takeover`]
    const longAgo = new Date(Date.now() - 3_600_000)
    for (const name of old) {
      await put(name, owner)
      await utimes(join(home, 'pending', name), longAgo, longAgo)
    }
    await store.sweep(0)
    expect((await readdir(join(home, 'pending'))).toSorted()).toEqual([fresh, `${held}.lock`, live].toSorted())
    await slot.release()
    await store.sweep(0)
    expect(await readdir(join(home, 'pending'))).toEqual([fresh])
  })

  test('that are damaged are not overwritten', async () => {
    const store = new PendingStore(home)
    await writePrivate(join(home, 'pending', `${key}.json`), '{"stage":"settled"}')
    await expect(store.peek(key)).rejects.toThrow('damaged')
    await store.sweep(Number.MAX_SAFE_INTEGER)
    await expect(store.peek(key)).rejects.toThrow('damaged')
  })
})
