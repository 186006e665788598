import type { WalletCall } from '../../../base/core/call'
import { readPasskeyStatus } from '../../../identity/passkeys'
import { listRecentPayments } from '../../../money/payments'
import { findSetupLeftAt } from '../../../shared/principals'
import { listCards } from '../../../wallet/cards'
import { readSavedLimits } from '../../../wallet/limits'
import { listAgents } from '../../agents'
import { haveChosen, readChanges } from '../shared/limits-usage'
import { renderSetup } from '../shared/render-setup'
import type { WelcomeView } from './view'

/** Returns the progress of the set-up of the first day, and whether the person left it. */
export async function readWelcome(call: WalletCall): Promise<WelcomeView> {
  const { platform, actor } = call
  const [leftAt, { passkeys }, { cards }, saved, { agents }, payments, [lastChange]] = await Promise.all([
    findSetupLeftAt(platform.db, actor.principalId),
    readPasskeyStatus(platform.db, actor.principalId),
    listCards.verb(call),
    readSavedLimits(call),
    listAgents.verb(call),
    listRecentPayments(call, { limit: 1 }),
    readChanges(call, null, 1),
  ])
  const held = { passkeys, cards, limits: haveChosen(saved, lastChange), agents, payments }
  return { ...renderSetup(held, platform.config), left: leftAt !== null }
}
