import { Reply } from '../../base/contract/reply'
import { API_VERSION } from '../../base/contract/version'
import type { AnonymousCall } from '../../base/core/call'

const CHECK_TIMEOUT_MS = 2_000

/** GET /healthz: liveness only; it depends on no other system. */
export async function readLiveness() {
  return { status: 'ok' as const, version: API_VERSION }
}

/** GET /readyz: 503 while the database or the cache does not answer within two seconds. */
export async function readReadiness({ platform }: AnonymousCall) {
  const [database, cache] = await Promise.all([
    checkAnswer(() => platform.db.ping()),
    checkAnswer(() => platform.cache.ping()),
  ])
  const ready = database === 'ok' && cache === 'ok'
  return Reply.json({ status: ready ? 'ready' : 'unavailable', database, cache }, {}, ready ? 200 : 503)
}

async function checkAnswer(ping: () => Promise<void>): Promise<'ok' | 'unavailable'> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), CHECK_TIMEOUT_MS)
  })
  try {
    await Promise.race([ping(), timeout])
    return 'ok'
  } catch {
    return 'unavailable'
  } finally {
    clearTimeout(timer)
  }
}
