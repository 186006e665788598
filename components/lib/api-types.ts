/** What the pages show, under the names that the pages use. */
export type {
  AgentSummary,
  AgentView,
  ApprovalRule,
  ConsentView,
  EnrolmentView,
  HomeView,
  LimitsView,
  MerchantsView,
  PaymentDetailView,
  PaymentPageView,
  PaymentView,
  PortalConsent,
  SessionView,
  SetupTokenView,
  TestCard,
} from '@/server/portal/contract'

import type * as z from 'zod'
import type { savedCard } from '@/server/cards/contract'
import type { OutputOf } from '@/server/contract/endpoint'
import type { limitBump } from '@/server/limits/contract'
import type { readNotificationsEndpoint } from '@/server/notifications/contract'
import type { PortalConsent } from '@/server/portal/contract'
import type { readStepUp, StepUp } from '@/server/settlement'

export type { StepUp }
/** With what the browser needs to answer the bank, while there is something to answer. */
export type StepUpView = Awaited<ReturnType<typeof readStepUp>>

export type LimitBump = z.output<typeof limitBump>
/** Null for somebody who never chose. */
export type NotificationChoice = OutputOf<typeof readNotificationsEndpoint>
export type SavedCard = z.output<typeof savedCard>
export interface PendingList {
  readonly pending: readonly PortalConsent[]
}
