'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { ApprovalRule } from '@/components/lib/api-types'
import { RelaxDialog } from '@/components/security/relax-dialog'
import { useRelaxing } from '@/components/security/use-relaxing'
import { Choice } from '@/components/ui/choice'
import { Notice } from '@/components/ui/notice'
import { RequestFailure } from '@/components/ui/request-failure'
import { approvalRules, asksLess } from '@/server/surfaces/portal/input'
import { limitsTexts } from './messages'

interface ApprovalRuleFormProps {
  readonly rule: ApprovalRule
  readonly hasLimits: boolean
}

interface RuleChange {
  readonly approval_rule: ApprovalRule
}

interface RelaxedRule {
  readonly from: ApprovalRule
  readonly to: ApprovalRule
}

/** Saves on change; relaxing needs step-up first. The radio follows the server's state. */
export function ApprovalRuleForm({ rule, hasLimits }: ApprovalRuleFormProps) {
  const text = useText(limitsTexts).rule
  const trpc = useTRPC()
  const queries = useQueryClient()
  const save = useMutation(
    trpc.limits.saveApprovalRule.mutationOptions({ onSettled: () => queries.invalidateQueries() }),
  )
  const { asked, ask, dialog } = useRelaxing<RuleChange, { approval_rule: RelaxedRule }>(save)
  const choose = (to: ApprovalRule) => {
    if (save.isPending) return
    const change = { approval_rule: to }
    if (asksLess(rule, to)) ask({ change, subject: { approval_rule: { from: rule, to } } })
    else save.mutate(change)
  }
  const less = asked?.subject.approval_rule ?? { from: rule, to: rule }
  return (
    <div className="grid gap-3">
      <fieldset className="grid gap-2" aria-busy={save.isPending}>
        <legend className="sr-only">{text.title}</legend>
        {approvalRules.map((option) => (
          <Choice
            key={option}
            id={`rule-${option}`}
            kind="radio"
            name="approval-rule"
            value={option}
            label={text[option].label}
            hint={text[option].hint}
            checked={rule === option}
            onChange={() => choose(option)}
          />
        ))}
      </fieldset>
      {rule === 'above_limits' && !hasLimits ? <Notice tone="warning">{text.noLimits}</Notice> : null}
      {save.isError && !dialog.open ? <RequestFailure error={save.error} /> : null}
      <p role="status" className="font-medium text-success empty:hidden">
        {save.isSuccess ? text.saved : null}
      </p>
      <RelaxDialog dialog={dialog} title={text.less.title} from={text[less.from].label} to={text[less.to].label}>
        <p>{text.less.body}</p>
        <p>{text[less.to].hint}</p>
        {less.to === 'above_limits' && !hasLimits ? <Notice tone="warning">{text.noLimits}</Notice> : null}
      </RelaxDialog>
    </div>
  )
}
