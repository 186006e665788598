import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '@/scripts/portal/free-port'
import { bundleServer, type ServerBundle } from '../faults/server-bundle'
import type { Target } from '../support/actors'
import { json, type Listener, listen } from './listener'
import { openRelay, type Relay } from './relay'

/** A message between the tool server and its counterparts, told when it comes by. */
export type Moment = 'before' | 'during' | 'after'

/** An authorization server as a process of its own and a merchant, both behind a line that sees each message. */
export interface FaultWorld extends Target {
  readonly shop: Listener
  /** Asked for each message: what it throws breaks the message off. */
  watch: (moment: Moment) => void
  /** Ends the authorization server without warning, and starts it again. */
  crash(): void
  /** Resolves once it runs. */
  untilUp(): Promise<void>
  close(): Promise<void>
}

export async function openFaultWorld(): Promise<FaultWorld> {
  const [bundle, relay] = [await bundleServer(), await openRelay()]
  const dataDir = await mkdtemp(path.join(tmpdir(), 'countersign-tool-faults-'))
  const start = async () => {
    // Another process may have got the port of the server that was ended.
    relay.port = await freePort()
    return startServer(bundle, { PORT: String(relay.port), BASE_URL: relay.url, DATA_DIR: dataDir })
  }
  let server = await start()
  let up: Promise<unknown> = Promise.resolve()
  const shop = await listen((request, response) => sell(world, { request, response }))
  const world: FaultWorld = {
    baseUrl: relay.url,
    operatorToken: (await readFile(path.join(dataDir, 'operator-token'), 'utf8')).trim(),
    shop,
    watch: () => undefined,
    crash: () => {
      up = end(server).then(async () => {
        server = await start()
      })
    },
    untilUp: async () => {
      await up
    },
    close: async () => {
      await up
      await end(server)
      await Promise.all([relay.close(), shop.close(), bundle.remove()])
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  watchLine(relay, world)
  return world
}

async function startServer(bundle: ServerBundle, env: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const child = fork(bundle.path, [], {
    execArgv: [],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      SANDBOX: 'true',
      LOG_LEVEL: 'silent',
      REQUESTS_PER_MINUTE: '0',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [report] = (await once(child, 'message')) as [{ kind: string; message?: string }]
  if (report.kind !== 'ready') throw new Error(report.message ?? 'the server did not become ready')
  return child
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

function watchLine(relay: Relay, world: FaultWorld): void {
  relay.spoil = () => async (request, response, body) => {
    world.watch('before')
    const asking = relay.ask(request, body)
    // A message that is broken off below has no use for the answer.
    asking.catch(() => undefined)
    world.watch('during')
    const answer = await asking
    world.watch('after')
    response.writeHead(answer.status, answer.headers).end(answer.body)
  }
}

type Exchange = { readonly request: IncomingMessage; readonly response: Parameters<typeof json>[0] }

/** A merchant that takes every order, and knows one order by one name. */
function sell(world: FaultWorld, { request, response }: Exchange): void {
  world.watch('before')
  const { url = '' } = request
  if (url.endsWith('/nonce')) json(response, { nonce: 'once' })
  else if (url.endsWith('/settlement')) json(response, { receipt: { order_id: 'order-1' } })
  else json(response, { order_id: 'order-1', receipt: {} }, 201)
}

/** What is wrong with the files of a home between two calls: none may be half written, and nothing may be left over. */
export async function faultyFiles(home: string): Promise<string[]> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true })
  const checked = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ name, parentPath }) => {
        if (!name.endsWith('.json')) return [`${name} is left over`]
        return (await isJson(path.join(parentPath, name))) ? [] : [`${name} is half written`]
      }),
  )
  return checked.flat()
}

async function isJson(file: string): Promise<boolean> {
  try {
    JSON.parse(await readFile(file, 'utf8'))
    return true
  } catch {
    return false
  }
}
