'use client'

import { useQuery } from '@tanstack/react-query'
import { BellRing, Bot, ChevronRight, CreditCard, type LucideIcon } from 'lucide-react'
import Link from 'next/link'
import { useTRPC } from '@/components/api/client'
import { useWaiting } from '@/components/approvals/use-waiting'
import { WaitingRows } from '@/components/approvals/waiting-rows'
import { cardName } from '@/components/cards/card-name'
import { useText } from '@/components/i18n/locale-provider'
import type { HomeView, SessionView } from '@/components/lib/api-types'
import { PaymentList } from '@/components/payments/payment-list'
import { AddPasskeyHint } from '@/components/security/add-passkey-hint'
import { Section } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { SectionLink } from '@/components/ui/text-link'
import { Alerts } from './alerts'
import { Checklist } from './checklist'
import { homeTexts } from './messages'
import { SpendToday } from './spend-today'

/** The most urgent of what waits; the rest is on the page of approvals. */
const SHOWN_WAITING = 3

interface HomePageProps {
  readonly initial: HomeView
  readonly sandbox: boolean
  readonly approvalsOn: boolean
  readonly passkeys: SessionView['passkeys']
}

export function HomePage({ initial, sandbox, approvalsOn, passkeys }: HomePageProps) {
  const homeText = useText(homeTexts)
  const trpc = useTRPC()
  const { data } = useQuery({ ...trpc.home.overview.queryOptions(), initialData: initial })
  const settled = Object.values(data.checklist).every(Boolean)
  return (
    <>
      <Waiting approvalsOn={approvalsOn} />
      <Alerts alerts={data.alerts} />
      {settled ? null : <Checklist done={data.checklist} sandbox={sandbox} />}
      <SpendToday spend={data.spend} startingLimits={data.starting_limits} />
      <AddPasskeyHint passkeys={passkeys} />
      {data.recent_payments.length === 0 ? null : (
        <Section
          id="payments"
          title={homeText.payments}
          action={<SectionLink href="/payments">{homeText.allPayments}</SectionLink>}
        >
          <PaymentList payments={data.recent_payments} label={homeText.payments} />
        </Section>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <Tile href="/agents" icon={Bot} name={homeText.agents} value={homeText.agentsActive(data.active_agents)} />
        <Tile
          href="/cards"
          icon={CreditCard}
          name={homeText.card}
          value={data.default_card === null ? homeText.noCard : cardName(data.default_card)}
        />
      </div>
    </>
  )
}

function Waiting({ approvalsOn }: Pick<HomePageProps, 'approvalsOn'>) {
  const homeText = useText(homeTexts)
  const items = useWaiting()
  const { title, body } = homeText.nothingWaiting
  const isEmpty = items.length === 0
  if (isEmpty && !approvalsOn) return null
  const isCut = items.length > SHOWN_WAITING
  return (
    <Section
      id="waiting"
      title={homeText.waiting}
      action={isCut ? <SectionLink href="/approvals">{homeText.allWaiting(items.length)}</SectionLink> : null}
    >
      {isEmpty ? (
        <EmptyState icon={BellRing} title={title}>
          {body}
        </EmptyState>
      ) : (
        <WaitingRows items={items.slice(0, SHOWN_WAITING)} />
      )}
    </Section>
  )
}

interface TileProps {
  readonly href: string
  readonly icon: LucideIcon
  readonly name: string
  readonly value: string
}

function Tile({ href, icon: Icon, name, value }: TileProps) {
  return (
    <Link
      href={href}
      className="flex items-center gap-4 rounded-card border border-line bg-surface p-5 shadow-card transition-colors hover:border-control"
    >
      <Icon aria-hidden className="size-6 shrink-0 text-muted" />
      <span className="grid min-w-0 flex-1">
        <span className="text-sm text-muted">{name}</span>
        <span className="font-semibold tabular-nums">{value}</span>
      </span>
      <ChevronRight aria-hidden className="size-5 shrink-0 text-muted" />
    </Link>
  )
}
