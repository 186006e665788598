import type { AuthorizationAnswer } from '../client/authorize.js'
import { CountersignError } from '../errors.js'
import type { PayAnswer } from './pay-result.js'

const FINAL = 'This is final: do not try again or split the amount.'

/** The person said no. */
export const declinedByPerson = (): PayAnswer => declined('consent_denied', `The user said no. ${FINAL}`)

/** A rule or a limit of the person said no. */
export const declinedByRule = (): PayAnswer => declined('access_denied', FINAL)

/** What the authorization server's error means for a purchase. Errors that decide nothing are failures. */
export function toRefusal(answer: Extract<AuthorizationAnswer, { kind: 'error' }>, issuer: string): PayAnswer {
  const { error, page, byPerson } = answer
  if (error === 'access_denied') return byPerson === true ? declinedByPerson() : declinedByRule()
  if (error !== 'setup_required') throw new CountersignError(`authorize failed: ${error}`, 'Nothing was paid.')
  return {
    result: { status: 'setup_required' },
    note: `Not paid. The user must first ${missing(page, issuer)}. Then call this tool again.`,
  }
}

const missing = (page: string | undefined, issuer: string): string =>
  page === undefined ? `add a card at ${issuer}/cards` : `prove their age at ${page}`

const declined = (code: 'consent_denied' | 'access_denied', advice: string): PayAnswer => ({
  result: { status: 'declined', error: { code } },
  note: `declined: no mandate issued. ${advice}`,
})
