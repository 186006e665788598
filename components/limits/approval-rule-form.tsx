'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useText } from '@/components/i18n/locale-provider'
import type { ApprovalRule } from '@/components/lib/api-types'
import { Choice } from '@/components/ui/choice'
import { Notice } from '@/components/ui/notice'
import { RequestFailure } from '@/components/ui/request-failure'
import { approvalRules } from '@/server/portal/contract'
import { useTRPC } from '@/server/trpc/client'
import { limitsTexts } from './messages'

interface ApprovalRuleFormProps {
  readonly rule: ApprovalRule
  readonly hasLimits: boolean
}

/** Chosen is saved: the mark moves when the server says so. */
export function ApprovalRuleForm({ rule, hasLimits }: ApprovalRuleFormProps) {
  const text = useText(limitsTexts).rule
  const trpc = useTRPC()
  const queries = useQueryClient()
  const save = useMutation(
    trpc.limits.saveApprovalRule.mutationOptions({ onSuccess: () => queries.invalidateQueries() }),
  )
  const shown = save.isSuccess ? save.data.approval_rule : rule
  return (
    <div className="grid gap-3">
      <fieldset className="grid gap-3" disabled={save.isPending}>
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
            checked={shown === option}
            onChange={() => save.mutate({ approval_rule: option })}
          />
        ))}
      </fieldset>
      {shown === 'above_limits' && !hasLimits ? <Notice tone="warning">{text.noLimits}</Notice> : null}
      {save.isError ? <RequestFailure error={save.error} /> : null}
      <p role="status" className="font-medium text-success empty:hidden">
        {save.isSuccess ? text.saved : null}
      </p>
    </div>
  )
}
