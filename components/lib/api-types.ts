/** What the pages show, under the names that the pages use. */

export type { PasskeysView, PasskeyView } from '@/server/passkeys/contract'
export type {
  ActivityEntry,
  ActivityProof,
  ActivitySearch,
  ActivityView,
  AgentSummary,
  AgentView,
  ApprovalRule,
  ConsentView,
  CurrencySpending,
  DevelopersView,
  DirectoryView,
  EnrolmentView,
  HomeAlert,
  HomeView,
  LimitBumpView as LimitBump,
  LimitChangeView,
  LimitsPreview,
  LimitsView,
  MerchantsView,
  PaymentDetailView,
  PaymentPageView,
  PaymentView,
  PortalConsent,
  PreviewReason,
  ReceiptVerdict,
  RequestLogView,
  SessionView,
  SetupTokenView,
  SpendingView,
  TestCard,
} from '@/server/portal/contract'
export type { SessionRecord } from '@/server/sessions'

import type * as z from 'zod'
import type { savedCard } from '@/server/cards/contract'
import type { OutputOf } from '@/server/contract/endpoint'
import type { EventChoice, readNotificationsEndpoint } from '@/server/notifications/contract'
import type { PortalConsent } from '@/server/portal/contract'
import type { readStepUp, StepUp } from '@/server/settlement'

export type { EventChoice, StepUp }
/** With what the browser needs to answer the bank, while there is something to answer. */
export type StepUpView = Awaited<ReturnType<typeof readStepUp>>

/** Null for somebody who never chose. */
export type NotificationChoice = OutputOf<typeof readNotificationsEndpoint>
export type SavedCard = z.output<typeof savedCard>
export interface PendingList {
  readonly pending: readonly PortalConsent[]
}
