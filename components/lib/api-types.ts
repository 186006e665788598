/** The types of the data that pages show, under the names that the pages use. */

export type { OwnCredential } from '@/server/credentials/issuance/contract'
export type { PasskeysView, PasskeyView, RecoveryView } from '@/server/identity/passkeys/contract'
export type { SessionRecord } from '@/server/identity/sessions'
export type {
  ActivityEntry,
  ActivityProof,
  ActivitySearch,
  ActivityView,
  AgentList,
  AgentSummary,
  AgentView,
  AgeRequestStatus,
  AgeRequestView,
  AgeView,
  ApprovalRule,
  AskedCount,
  ChallengeView as CardholderChallengeView,
  ConsentView,
  CredentialOfferView,
  CurrencySpending,
  DevelopersView,
  DirectoryView,
  EnrolmentView,
  HomeAlert,
  HomeView,
  LimitBumpView as LimitBump,
  LimitChangeView,
  LimitsView,
  MagicLinkView,
  MerchantsView,
  MerchantView,
  PartiesView,
  PaymentDetailView,
  PaymentPageView,
  PaymentView,
  ReceiptVerdict,
  RequestLogView,
  SecurityActivityView,
  SecurityChange,
  SecuritySignIn,
  SessionView,
  SetupTokenView,
  SetupView,
  SpendingBar,
  SpendingView,
  TestCard,
  WalletRequest as WalletRequestView,
  WelcomeView,
} from '@/server/surfaces/portal'

import type * as z from 'zod'
import type { OutputOf } from '@/server/base/contract/endpoint'
import type {
  ContactsView,
  EventChoice,
  MailedLinkView,
  MessageSettingsView,
  PushDevicesView,
  readNotificationsEndpoint,
  UndoableChange,
} from '@/server/identity/contacts/contract'
import type { CardholderChallenge } from '@/server/money/settlement'
import type { PrivacyView, StoredKind } from '@/server/surfaces/privacy/contract'
import type { PastConsent, PortalConsent, WaitingConsent } from '@/server/wallet/approvals'
import type { savedCard } from '@/server/wallet/cards/contract'

export type {
  CardholderChallenge,
  ContactsView,
  EventChoice,
  MailedLinkView,
  MessageSettingsView,
  PastConsent,
  PortalConsent,
  PrivacyView,
  PushDevicesView,
  StoredKind,
  UndoableChange,
}

/** Null for a person who has never chosen. */
export type NotificationChoice = OutputOf<typeof readNotificationsEndpoint>
export type SavedCard = z.output<typeof savedCard>
export interface PendingList {
  readonly pending: readonly WaitingConsent[]
}
