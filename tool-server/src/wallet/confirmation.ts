import type { TokenReply } from '../client/index.js'
import { CountersignError, throwIfCancelled } from '../errors.js'
import { MAGIC_LINK_TTL_MS } from '../limits.js'
import { awaitRedirect, isLoopbackRedirect } from '../payment/loopback-redirect.js'
import { reportProgress } from '../payment/progress.js'
import type { SessionAt } from '../state/session-store.js'
import { type AccessRun, exchangeAnswer } from './access-run.js'

const WAITING = 'Waiting for the user, who confirms in the e-mail that they were sent'

/** Continues after the server has mailed the person a link to confirm. */
export async function confirmByMail(run: AccessRun, requested: SessionAt<'requested'>): Promise<TokenReply> {
  if (!isLoopbackRedirect(run.redirectUri)) {
    await run.slot.remove()
    throw new CountersignError(
      'authorize failed: the user must confirm by e-mail',
      'This user has switched on confirmation by e-mail, which ends in the browser and not here.',
    )
  }
  const { code_verifier, state } = requested
  const confirming = { stage: 'confirming', code_verifier, state, expires_at: Date.now() + MAGIC_LINK_TTL_MS } as const
  await run.slot.write(confirming)
  return awaitConfirmation(run, confirming)
}

/** Waits at the redirect URI for the person's browser. A later call waits there again, and no further mail is sent. */
export async function awaitConfirmation(run: AccessRun, confirming: SessionAt<'confirming'>): Promise<TokenReply> {
  const { client, host, redirectUri, redirects } = run
  const until = Math.min(run.deadline, confirming.expires_at)
  const stopProgress = reportProgress(host, { until, first: WAITING, later: () => WAITING })
  const expected = { redirectUri, state: confirming.state, issuer: client.issuer }
  const answer = await awaitRedirect(expected, { signal: host.signal, until, redirects }).finally(stopProgress)
  throwIfCancelled(host.signal)
  if (answer === null) throw unconfirmedError()
  return exchangeAnswer(run, confirming.code_verifier, answer)
}

const unconfirmedError = () =>
  new CountersignError(
    'consent_required',
    'The user was sent an e-mail. Call again with the same arguments, and ask the user to confirm in the mail while it ' +
      'waits. No second mail is sent.',
  )
