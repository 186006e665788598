'use client'

import { useQuery } from '@tanstack/react-query'
import { Store } from 'lucide-react'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { MerchantsView } from '@/components/lib/api-types'
import { Section } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/page-header'
import { DirectorySearch } from './directory-search'
import { merchantsTexts } from './messages'
import { OnlyListed } from './only-listed'
import { RuleForm } from './rule-form'
import { RuleList } from './rule-list'

/** What was chosen in the directory; choosing the same again begins a new rule too. */
interface Chosen {
  readonly address: string
  readonly times: number
}

export function MerchantsPage({ initial }: { readonly initial: MerchantsView }) {
  const merchantsText = useText(merchantsTexts)
  const trpc = useTRPC()
  const { data } = useQuery({ ...trpc.merchants.read.queryOptions(), initialData: initial })
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const empty = data.only_listed ? merchantsText.emptyList : merchantsText.empty
  return (
    <>
      <PageHeader title={merchantsText.title} description={merchantsText.description} />
      <Section id="rules" title={merchantsText.rules}>
        {data.rules.length === 0 ? (
          <EmptyState icon={Store} title={empty.title}>
            {empty.body}
          </EmptyState>
        ) : (
          <>
            <RuleList verdict="allow" rules={data.rules} agents={data.agents} registered={data.registered} />
            <RuleList verdict="deny" rules={data.rules} agents={data.agents} registered={data.registered} />
          </>
        )}
      </Section>
      <Section id="only" title={merchantsText.gate.title}>
        <OnlyListed merchants={data} />
      </Section>
      <Section id="add" title={merchantsText.form.title}>
        <DirectorySearch onChoose={(address) => setChosen({ address, times: (chosen?.times ?? 0) + 1 })} />
        <RuleForm key={chosen?.times} agents={data.agents} address={chosen?.address ?? null} />
      </Section>
    </>
  )
}
