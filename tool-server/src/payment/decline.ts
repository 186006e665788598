import type { AuthorizationAnswer } from '../client/authorize.js'
import { CountersignError } from '../errors.js'
import type { PayAnswer } from './pay-result.js'

const FINAL = 'This is final: do not try again or split the amount.'

/** Returns the result of a purchase that the person declined. */
export const declinedByPerson = (): PayAnswer => declined('consent_denied', `The user said no. ${FINAL}`)

/** Returns the result of a purchase that a rule or a limit refused. */
export const declinedByRule = (): PayAnswer => declined('access_denied', FINAL)

/**
 * Converts an error of the authorization server to the result of the purchase; throws for errors that decide nothing.
 */
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
  page === undefined
    ? `add or choose a card at ${issuer}/cards, or choose one for this agent at ${issuer}/agents`
    : `prove their age at ${page}`

const declined = (code: 'consent_denied' | 'access_denied', advice: string): PayAnswer => ({
  result: { status: 'declined', error: { code } },
  note: `declined: no mandate issued. ${advice}`,
})
