import type { Config } from '../../../base/core/platform'
import { webauthnRelyingParty } from '../../../identity/passkeys'
import type { SetupView } from './view'

interface Held {
  /** The number of the person's passkeys. */
  readonly passkeys: number
  readonly cards: readonly { readonly status: string }[]
  readonly agents: readonly { readonly revoked: boolean }[]
  readonly payments: readonly unknown[]
  /** Whether the person chose their limits. */
  readonly limits: boolean
}

/** Returns the progress of the set-up, read from what exists, so that steps done elsewhere count too. */
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
