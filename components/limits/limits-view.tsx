'use client'

import { useQuery } from '@tanstack/react-query'
import { Gauge } from 'lucide-react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { LimitsView } from '@/components/lib/api-types'
import { Section } from '@/components/ui/card'
import { Disclosure } from '@/components/ui/disclosure'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/page-header'
import { isCapped, limitsFromWire } from '@/server/wallet/limits/input'
import { ApprovalRuleForm } from './approval-rule-form'
import { LimitCards } from './limit-cards'
import { LimitChanges } from './limit-changes'
import { hasLimits, LimitMeters } from './limit-meters'
import { MailGate } from './mail-gate'
import { limitsTexts } from './messages'
import { StartingLimits } from './starting-limits'

/** Returns the limits and use of each further currency. */
const otherMeters = ({ limits, other_usage: used }: LimitsView) =>
  used.flatMap((usage) => {
    const { currency } = usage
    const caps = limits?.other_currencies?.[currency ?? '']
    return limits === null || caps === undefined ? [] : [{ limits: { ...limits, ...caps, currency }, usage }]
  })

export function LimitsPage({ initial }: { readonly initial: LimitsView }) {
  const limitsText = useText(limitsTexts)
  const trpc = useTRPC()
  const { data } = useQuery({ ...trpc.limits.read.queryOptions(), initialData: initial })
  const { limits, usage } = data
  const isLimited = hasLimits(limits)
  return (
    <>
      <PageHeader title={limitsText.title} />
      <div data-focus-scope className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <Section id="now" title={limitsText.now}>
          <StartingLimits limits={data.starting_limits} />
          {limits !== null && isLimited ? (
            <LimitMeters limits={limits} usage={usage} others={otherMeters(data)} />
          ) : (
            <EmptyState icon={Gauge} title={limitsText.none.title}>
              {limitsText.none.body}
            </EmptyState>
          )}
        </Section>
      </div>
      <Section
        id="set"
        title={limitsText.form.title}
        description={isCapped(limitsFromWire(limits ?? {})) ? limitsText.form.otherCurrenciesRefused : undefined}
      >
        <LimitCards limits={limits} currencies={data.currencies} rule={data.approval_rule} />
      </Section>
      <Section id="rule" title={limitsText.rule.title}>
        <ApprovalRuleForm rule={data.approval_rule} hasLimits={isLimited} />
        <MailGate chosen={data.magic_link_gate} forAll={data.magic_link_gate_for_all} />
      </Section>
      <Disclosure summary={limitsText.changes.title}>
        <div className="grid gap-3">
          <p className="max-w-prose text-muted">{limitsText.changes.description}</p>
          <LimitChanges changes={data.changes} />
        </div>
      </Disclosure>
    </>
  )
}
