'use client'

import { useQuery } from '@tanstack/react-query'
import { BellRing, Bot, ChevronRight } from 'lucide-react'
import Link from 'next/link'
import { useTRPC } from '@/components/api/client'
import { useWaiting } from '@/components/approvals/use-waiting'
import { WaitingRows } from '@/components/approvals/waiting-rows'
import { useText } from '@/components/i18n/locale-provider'
import type { HomeView, SessionView } from '@/components/lib/api-types'
import { PaymentList } from '@/components/payments/payment-list'
import { Section } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { SectionLink } from '@/components/ui/text-link'
import { Alerts } from './alerts'
import { homeTexts } from './messages'
import { SetUp, SetUpLeft } from './set-up'
import { Spent } from './spent'

/** The number of most urgent waiting items shown; the page of approvals has the rest. */
const SHOWN_WAITING = 3

interface HomePageProps {
  readonly initial: HomeView
  readonly me: SessionView
}

export function HomePage({ initial, me }: HomePageProps) {
  const homeText = useText(homeTexts)
  const trpc = useTRPC()
  const { data } = useQuery({ ...trpc.home.overview.queryOptions(), initialData: initial })
  const isWaiting = useWaiting().length > 0
  if (!data.setup.begun) return <SetUp steps={data.setup.steps} />
  const setUpLeft = <SetUpLeft steps={data.setup.steps} />
  return (
    <>
      {isWaiting ? null : setUpLeft}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 sm:gap-6 lg:grid-cols-3">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:gap-6 lg:col-span-2">
          <Waiting me={me} />
          {isWaiting ? setUpLeft : null}
          <Alerts alerts={data.alerts} />
        </div>
        <div className="lg:col-start-3">
          <Spent spend={data.spend} longer={data.longer_spend} startingLimits={data.starting_limits} />
        </div>
        {data.recent_payments.length === 0 ? null : (
          <Section
            id="payments"
            title={homeText.payments}
            action={<SectionLink href="/payments">{homeText.allPayments}</SectionLink>}
            className="lg:col-span-2"
          >
            <PaymentList payments={data.recent_payments} label={homeText.payments} look="compact" />
          </Section>
        )}
        <div className="lg:col-start-3">
          <AgentsLink agents={data.agents} paused={data.paused_agents} />
        </div>
      </div>
    </>
  )
}

function Waiting({ me: initial }: Pick<HomePageProps, 'me'>) {
  const homeText = useText(homeTexts)
  const trpc = useTRPC()
  const { data: me } = useQuery({ ...trpc.session.me.queryOptions(), initialData: initial })
  const items = useWaiting()
  const { title, body, frozen } = homeText.nothingWaiting
  const isEmpty = items.length === 0
  if (isEmpty && !initial.switches.consent_scan) return null
  const isCut = items.length > SHOWN_WAITING
  return (
    <Section
      id="waiting"
      title={homeText.waiting}
      action={isCut ? <SectionLink href="/approvals">{homeText.allWaiting(items.length)}</SectionLink> : null}
    >
      {isEmpty ? (
        <EmptyState icon={BellRing} title={title}>
          {me.frozen_at === null ? body : frozen}
        </EmptyState>
      ) : (
        <WaitingRows items={items.slice(0, SHOWN_WAITING)} />
      )}
    </Section>
  )
}

interface AgentsLinkProps {
  readonly agents: number
  readonly paused: number
}

function AgentsLink({ agents, paused }: AgentsLinkProps) {
  const homeText = useText(homeTexts)
  return (
    <Link
      href="/agents"
      className="flex min-h-14 items-center gap-3 rounded-card border border-line bg-surface px-5 py-3 shadow-card transition-colors hover:border-control"
    >
      <Bot aria-hidden className="size-5 shrink-0 text-muted" />
      <span className="min-w-0 flex-1 font-semibold tabular-nums">{homeText.agents(agents, paused)}</span>
      <ChevronRight aria-hidden className="size-5 shrink-0 text-muted" />
    </Link>
  )
}
