'use client'

import { ChevronRight } from 'lucide-react'
import Link from 'next/link'
import { useSearchParams } from 'next/navigation'
import { lazy, Suspense } from 'react'
import { hostNames } from '@/components/agents/hosts'
import { useText } from '@/components/i18n/locale-provider'
import type { LimitsView } from '@/components/lib/api-types'
import { RowList, Section } from '@/components/ui/card'
import { SectionLink } from '@/components/ui/text-link'
import { welcomeTexts } from './messages'
import { addressOf } from './steps'

// Codes and commands are loaded only after the person has said where their agent runs.
const ConnectAgent = lazy(() =>
  import('@/components/agents/connect-agent').then(({ ConnectAgent: view }) => ({ default: view })),
)

/** Asks where the agent runs, which is kept in the address, and shows what to do there. */
export function AgentStep({ limits }: Pick<LimitsView, 'limits'>) {
  const text = useText(welcomeTexts).agent
  const chosen = useSearchParams().get('host')
  const host = hostNames.find(({ id }) => id === chosen)
  if (host === undefined) return <Hosts />
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-6">
        <p className="font-semibold">{host.name ?? text.other}</p>
        <SectionLink href={addressOf('agent')}>{text.change}</SectionLink>
      </div>
      <Suspense fallback={null}>
        <ConnectAgent key={host.id} wallet={limits} host={host} />
      </Suspense>
    </>
  )
}

function Hosts() {
  const text = useText(welcomeTexts).agent
  return (
    <Section id="where" title={text.where}>
      <RowList aria-labelledby="where">
        {hostNames.map(({ id, name }) => (
          <li key={id}>
            <Link
              href={`${addressOf('agent')}&host=${id}`}
              className="flex min-h-12 items-center justify-between gap-4 px-5 py-2 font-medium hover:bg-sunken"
            >
              {name === null ? text.other : <bdi>{name}</bdi>}
              <ChevronRight aria-hidden className="size-5 shrink-0 text-muted" />
            </Link>
          </li>
        ))}
      </RowList>
    </Section>
  )
}
