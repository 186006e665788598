'use client'

import { useQuery } from '@tanstack/react-query'
import { Gauge } from 'lucide-react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { LimitsView } from '@/components/lib/api-types'
import { Section } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { KeepFocus } from '@/components/ui/keep-focus'
import { PageHeader } from '@/components/ui/page-header'
import { ApprovalRuleForm } from './approval-rule-form'
import { LimitChanges } from './limit-changes'
import { hasLimits, LimitMeters } from './limit-meters'
import { LimitsForm } from './limits-form'
import { MailGate } from './mail-gate'
import { limitsTexts } from './messages'
import { PurchasePreview } from './purchase-preview'
import { StartingLimits } from './starting-limits'

export function LimitsPage({ initial }: { readonly initial: LimitsView }) {
  const limitsText = useText(limitsTexts)
  const trpc = useTRPC()
  const { data } = useQuery({ ...trpc.limits.read.queryOptions(), initialData: initial })
  const { limits, usage } = data
  const isLimited = hasLimits(limits)
  return (
    <>
      <KeepFocus />
      <PageHeader title={limitsText.title} description={limitsText.description} />
      <div data-focus-scope className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <Section id="now" title={limitsText.now}>
          <StartingLimits limits={data.starting_limits} />
          {limits !== null && isLimited ? (
            <LimitMeters limits={limits} usage={usage} />
          ) : (
            <EmptyState icon={Gauge} title={limitsText.none.title}>
              {limitsText.none.body}
            </EmptyState>
          )}
        </Section>
      </div>
      <Section id="rule" title={limitsText.rule.title} description={limitsText.rule.description}>
        <ApprovalRuleForm rule={data.approval_rule} hasLimits={isLimited} />
        <MailGate chosen={data.magic_link_gate} forAll={data.magic_link_gate_for_all} />
      </Section>
      <Section id="set" title={limitsText.form.title} description={limitsText.form.description}>
        <LimitsForm limits={limits} />
      </Section>
      <Section id="try" title={limitsText.preview.title} description={limitsText.preview.description}>
        <PurchasePreview currency={limits?.currency ?? 'EUR'} agents={data.agents} merchants={data.merchants} />
      </Section>
      <Section id="changes" title={limitsText.changes.title} description={limitsText.changes.description}>
        <LimitChanges changes={data.changes} />
      </Section>
    </>
  )
}
