import { captureOutput } from './base/platform/capture-output'
import { composePlatform } from './base/platform/compose'
import { type Environment, processEnvironment, readConfig } from './base/platform/config'
import { installPlatform } from './base/platform/container'
import { createLogger } from './base/platform/logger'
import { startJobs } from './jobs'
import { drainSettlements } from './money/settlement'
import { operations } from './operations'
import { prepareSealedValues } from './reseal'
import { takeBackJobs } from './shared/queue'
import { seedPortalTenant, seedSandbox } from './surfaces/seed'
import { createHttpServer, createLane, type HttpServer, type HttpServerOptions } from './transport/http'

/** The service for server.mjs. It is passed on globalThis, because Next's bundles have their own module instances. */
export interface Service {
  /** Creates the HTTP server; `fallback` answers requests that the lane does not, and is not needed for `ROLE=api`. */
  createServer(fallback?: HttpServerOptions['fallback']): HttpServer
  /** The time for which connections are still accepted after SIGTERM. */
  readonly graceSeconds: number
  /** Resolves when no work that moves money is running in this process. */
  drain(): Promise<unknown>
  close(): Promise<void>
}

/** The longest wait for running settlements; longer than one may take. */
const DRAIN_WITHIN_MS = 12_000

const startedKey = Symbol.for('countersign.started')
const handoverKey = Symbol.for('countersign.handover')
const bootKey = Symbol.for('countersign.boot')

interface Shared {
  [startedKey]?: boolean
  /** The callbacks with which server.mjs waits for the service; absent when Next runs on its own. */
  [handoverKey]?: { resolve(service: Service): void; reject(error: unknown): void }
  /** The facts that `npm start` shows. */
  [bootKey]?: unknown
}

/** Starts the service once per process and hands it to server.mjs. */
export async function boot(): Promise<void> {
  const shared = globalThis as Shared
  if (shared[startedKey] === true) return
  shared[startedKey] = true
  try {
    const { service, facts } = await startService()
    shared[bootKey] = facts
    shared[handoverKey]?.resolve(service)
  } catch (error) {
    shared[handoverKey]?.reject(error)
    throw error
  }
}

/** Starts the service: platform, built-in tenant, sandbox seed, recurring work, and the production lane. */
async function startService() {
  const env = processEnvironment()
  const { platform, facts, close } = await composePlatform(env, readSettings(env))
  await prepareSealedValues(platform)
  installPlatform(platform)
  await seedPortalTenant(platform)
  const seeded = platform.config.sandbox ? await seedSandbox(platform) : null
  await takeBackJobs(platform)
  const stopJobs = startJobs(platform)
  const service: Service = {
    createServer: (fallback) =>
      createHttpServer({ platform, lane: createLane({ operations, platform, mode: laneMode(env) }), fallback }),
    graceSeconds: env['NODE_ENV'] === 'development' ? 0 : platform.config.shutdownGraceSeconds,
    drain: () => drainSettlements(platform, DRAIN_WITHIN_MS),
    close: async () => {
      await stopJobs()
      await close()
    },
  }
  const { baseUrl, dataDir, sandbox } = platform.config
  return { service, facts: { ...facts, seeded, baseUrl, dataDir, sandbox } }
}

function laneMode(env: Environment) {
  if (env['ROLE'] === 'api') return 'alone'
  return env['LANE'] === 'next' || env['NODE_ENV'] === 'development' ? 'next' : 'direct'
}

/** Reads the configuration and opens the log, to which all output is redirected except in development. */
function readSettings(env: Environment) {
  const isDevelopment = env['NODE_ENV'] === 'development'
  try {
    const config = readConfig(env)
    const logger = createLogger(config.logLevel)
    if (!isDevelopment) captureOutput(logger)
    return { config, logger }
  } catch (error) {
    if (!isDevelopment) captureOutput(createLogger('error'))
    throw error
  }
}
