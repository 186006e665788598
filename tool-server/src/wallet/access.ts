import type { AuthorizeOutcome, TokenReply } from '../client/index.js'
import { CountersignError, Refusal } from '../errors.js'
import { awaitConsent, type ConsentOutcome } from '../payment/consent.js'
import { pushForConsent } from '../payment/push-for-consent.js'
import { atStep } from '../payment/steps.js'
import type { SessionAt } from '../state/session-store.js'
import { type AccessRequest, type AccessRun, exchangeAnswer, redeemKept } from './access-run.js'
import { accessRequest, actionOfScope, describeAccess, undecidedNote } from './access-words.js'
import { awaitConfirmation, confirmByMail } from './confirmation.js'

const WALLET_DETAILS_TYPE = 'oid4ac_wallet'
/** How often the person is asked: once more when an earlier request has ended. */
const ROUNDS = 2

type Requested = SessionAt<'requested'>

/**
 * Asks the person for one scope, or continues the request of an earlier call, and redeems it.
 * @throws {CountersignError} `consent_required` while the person has not decided, `consent_denied` when they declined,
 * `authorize failed: access_denied` when a rule ended the request
 */
export async function requestAccess(run: AccessRun): Promise<TokenReply> {
  const record = await run.slot.read()
  const kept = record?.stage === 'coded' ? await redeemEarlier(run, record) : null
  if (kept !== null) return kept
  if (record?.stage === 'confirming' && record.expires_at > Date.now()) return awaitConfirmation(run, record)
  let requested = record?.stage === 'requested' ? record : null
  for (let round = 0; round < ROUNDS; round += 1) {
    requested ??= await push(run)
    const outcome = await waitForPerson(run, requested)
    if (outcome !== 'gone') return conclude(run, requested, outcome)
    await run.slot.remove()
    requested = null
  }
  throw new CountersignError('the request keeps ending', 'Try again later.')
}

/**
 * Redeems the code of an earlier call for tokens; returns null when it is no longer valid, so that the person is asked
 * again.
 */
async function redeemEarlier(run: AccessRun, coded: SessionAt<'coded'>): Promise<TokenReply | null> {
  try {
    return await redeemKept(run, coded)
  } catch (error) {
    if (error instanceof Refusal && !error.isTransient) return null
    throw error
  }
}

async function push(run: AccessRun): Promise<Requested> {
  const { slot, redirectUri, scope, resource } = run
  const authorizationDetails = [{ type: WALLET_DETAILS_TYPE, actions: [actionOfScope[scope]] }]
  const request = { redirectUri, scope, resources: [resource], authorizationDetails }
  const requested: Requested = { stage: 'requested', ...(await atStep('PAR', pushForConsent(run, request))) }
  await slot.write(requested)
  return requested
}

const questionOf = ({ client, scope }: AccessRequest, requested: Requested) =>
  describeAccess(scope, {
    issuer: client.issuer,
    requestUri: requested.request_uri,
    expiresAt: requested.expires_at,
  })

function waitForPerson(run: AccessRun, requested: Requested): Promise<ConsentOutcome> {
  const approval = questionOf(run, requested)
  return awaitConsent({
    client: run.client,
    host: run.host,
    approval,
    question: accessRequest(approval),
    requestUri: requested.request_uri,
    needsPerson: requested.needs_person,
    until: Math.min(run.deadline, requested.expires_at),
  })
}

async function conclude(run: AccessRun, requested: Requested, outcome: ConsentOutcome): Promise<TokenReply> {
  if (outcome === 'undecided' || outcome === 'dismissed') throw undecidedError(run, requested)
  if (outcome === 'approved') return redeem(run, requested)
  await run.slot.remove()
  const ended = await endRequest(run, requested)
  const isByRule = outcome === 'declined' && ended?.kind === 'error' && ended.byPerson !== true
  if (isByRule) return exchangeAnswer(run, requested.code_verifier, ended)
  throw deniedError()
}

/** Returns the error while the person has not decided. */
export const undecidedError = (request: AccessRequest, requested: Requested) =>
  new CountersignError('consent_required', undecidedNote(questionOf(request, requested)))

const deniedError = () =>
  new CountersignError('consent_denied', 'The user said no. Do not ask again unless they want to be asked.')

async function redeem(run: AccessRun, requested: Requested): Promise<TokenReply> {
  const { client, host, redirectUri } = run
  const { request_uri: requestUri, state, code_verifier: codeVerifier } = requested
  const outcome = await atStep('authorize', client.authorize({ requestUri, redirectUri, state }, host.signal))
  if (outcome.kind === 'confirmation_sent') return confirmByMail(run, requested)
  if (outcome.kind === 'error' && outcome.byPerson === true) {
    await run.slot.remove()
    throw deniedError()
  }
  return exchangeAnswer(run, codeVerifier, outcome)
}

/**
 * Redeems a declined request: that ends it at the server, so that it cannot be approved later, and the response says
 * whether the person or a rule declined it.
 */
function endRequest(
  { client, host, redirectUri }: AccessRun,
  requested: Requested,
): Promise<AuthorizeOutcome | undefined> {
  const { request_uri: requestUri, state } = requested
  return client.authorize({ requestUri, redirectUri, state }, host.signal).catch(() => undefined)
}
