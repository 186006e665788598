import type { Config } from '../../../base/core/platform'
import { webauthnRelyingParty } from '../../../identity/passkeys'
import type { SetupView } from './view'

interface Held {
  /** How many there are. */
  readonly passkeys: number
  readonly cards: readonly { readonly status: string }[]
  readonly agents: readonly { readonly revoked: boolean }[]
  readonly payments: readonly unknown[]
  /** The person chose their limits. */
  readonly limits: boolean
}

/** How far the person has come: read from what there is, so that what was set up elsewhere counts too. */
export function renderSetup({ passkeys, payments, ...held }: Held, config: Pick<Config, 'baseUrl'>): SetupView {
  const others = {
    card: held.cards.some(({ status }) => status === 'active'),
    limits: held.limits,
    agent: held.agents.some(({ revoked }) => !revoked),
  }
  const hasPasskey = passkeys > 0
  return {
    steps: { passkey: hasPasskey || webauthnRelyingParty(config) === null, ...others },
    begun: hasPasskey || payments.length > 0 || Object.values(others).some(Boolean),
  }
}
