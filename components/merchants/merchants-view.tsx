'use client'

import { useQuery } from '@tanstack/react-query'
import { Store } from 'lucide-react'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { MerchantsView } from '@/components/lib/api-types'
import { ButtonLink } from '@/components/ui/button'
import { Section } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/page-header'
import { DirectorySearch } from './directory-search'
import { merchantsTexts } from './messages'
import { PaidUnasked } from './paid-unasked'
import { RuleForm } from './rule-form'
import { RuleList } from './rule-list'
import { WhoCanAsk } from './who-can-ask'

/** The merchant chosen in the directory; `times` counts, so that choosing the same one again starts a new rule too. */
interface Chosen {
  readonly address: string
  readonly times: number
}

export function MerchantsPage({ initial }: { readonly initial: MerchantsView }) {
  const merchantsText = useText(merchantsTexts)
  const trpc = useTRPC()
  const { data } = useQuery({ ...trpc.merchants.read.queryOptions(), initialData: initial })
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const { rules, agents, registered } = data
  return (
    <>
      <PageHeader title={merchantsText.title} description={merchantsText.description} />
      <Section id="who" title={merchantsText.who.title}>
        <WhoCanAsk merchants={data} />
        {data.only_listed && !rules.some(({ verdict }) => verdict === 'allow') ? (
          <EmptyState
            icon={Store}
            title={merchantsText.emptyList.title}
            action={<ButtonLink href="#add">{merchantsText.form.title}</ButtonLink>}
          >
            {merchantsText.emptyList.body}
          </EmptyState>
        ) : null}
        <RuleList verdict="allow" rules={rules} agents={agents} registered={registered} />
      </Section>
      <Section id="unasked" title={merchantsText.unasked.title}>
        <PaidUnasked remembered={data.remembered} approval_rule={data.approval_rule} agents={agents} />
      </Section>
      <Section id="blocked" title={merchantsText.blocked}>
        {rules.some(({ verdict }) => verdict === 'deny') ? null : (
          <p className="-mt-2 text-muted">{merchantsText.noneBlocked}</p>
        )}
        <RuleList verdict="deny" rules={rules} agents={agents} registered={registered} />
      </Section>
      <Section id="add" title={merchantsText.form.title}>
        <DirectorySearch onChoose={(address) => setChosen({ address, times: (chosen?.times ?? 0) + 1 })} />
        <RuleForm key={chosen?.times} agents={agents} address={chosen?.address ?? null} />
      </Section>
    </>
  )
}
