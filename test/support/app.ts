import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import type { Clock, Platform } from '@/server/base/core/platform'
import { composePlatform } from '@/server/base/platform/compose'
import { installPlatform } from '@/server/base/platform/container'
import type { OpenDatabase } from '@/server/base/platform/database/client'
import { operations } from '@/server/operations'
import { seedPortalTenant, seedSandbox } from '@/server/surfaces/seed'
import { createLane, type Lane } from '@/server/transport/http'
import { openTestDatabase } from './database'
import { throughRouteFiles } from './route-files'
import { watchAnswers } from './watch-answers'

/** The real time plus an offset that a test increases. */
export interface TestClock extends Clock {
  advance(by: { seconds: number }): void
}

function testClock(): TestClock {
  let offset = 0
  return {
    now: () => new Date(Date.now() + offset),
    advance: ({ seconds }) => {
      offset += seconds * 1000
    },
  }
}

export interface App {
  readonly baseUrl: string
  readonly operatorToken: string
  readonly clock: TestClock
  readonly platform: Platform
  close(): Promise<void>
}

interface AppOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly seed?: boolean
  /** The test's own database, which stays open when the app is closed. */
  readonly database?: OpenDatabase
}

/**
 * Starts the real service over HTTP in this process: its production lane on a free port, its own database and the
 * embedded sandbox processor, with a clock that the test can move. With TEST_LANE=routes the requests go through the
 * route files instead.
 */
export async function startApp({ env = {}, seed = true, database: given }: AppOptions = {}): Promise<App> {
  let lane: Lane | null = null
  const answers = watchAnswers()
  const server = createServer((request, response) => {
    answers.watch(request, response)
    void lane?.handle(request, response).then((handled) => {
      if (!handled) response.writeHead(404).end()
    })
  })
  const port = await listen(server)
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'countersign-app-'))
  const clock = testClock()
  const database = given ?? (await openTestDatabase())
  const { platform, close } = await composePlatform(
    {
      PORT: String(port),
      DATA_DIR: dataDir,
      SANDBOX: 'true',
      LOG_LEVEL: 'silent',
      ...sharedLimits,
      ...redis(),
      ...env,
    },
    { clock, database },
  )
  await seedPortalTenant(platform)
  if (seed) await seedSandbox(platform)
  installPlatform(platform)
  lane =
    process.env['TEST_LANE'] === 'routes'
      ? throughRouteFiles(operations, createLane({ operations, platform, mode: 'next' }))
      : createLane({ operations, platform, mode: 'direct' })
  return {
    baseUrl: platform.config.baseUrl,
    operatorToken: platform.config.secrets.operatorToken,
    clock,
    platform,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await close()
      if (given === undefined) await database.close()
      await rm(dataDir, { recursive: true, force: true })
      answers.expectDescribed()
    },
  }
}

/** A high limit, since test files that run in parallel share one address and, with Redis, one set of counters. */
const sharedLimits = { SIGN_IN_LINKS_PER_MINUTE: '1000' }

function redis(): Record<string, string> {
  const url = process.env['TEST_REDIS_URL']
  return url === undefined || url === '' ? {} : { REDIS_URL: url }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, resolve))
  return (server.address() as AddressInfo).port
}
