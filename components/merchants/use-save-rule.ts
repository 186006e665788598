'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { useRelaxing } from '@/components/security/use-relaxing'
import type { RelaxedRule } from '@/server/wallet/merchant-rules/contract'

export interface WantedRule {
  readonly merchant_audience: string
  readonly agent_client_id?: string | null
  readonly verdict: 'allow' | 'deny' | null
}

/**
 * Saves a rule: at once where it allows nothing and lifts no block, else after the person has confirmed it. The server
 * decides which applies.
 */
export function useSaveRule(onSaved: () => void = () => undefined) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const save = useMutation(
    trpc.merchants.saveRule.mutationOptions({ onSuccess: onSaved, onSettled: () => queries.invalidateQueries() }),
  )
  const { asked, ask, dialog } = useRelaxing<WantedRule, RelaxedRule>(save)
  const submission = useMutation({
    mutationFn: async (change: WantedRule) => {
      const now = { staleTime: 0, retry: false }
      const { relaxes } = await queries.fetchQuery(trpc.merchants.previewRule.queryOptions(change, now))
      if (relaxes === null) await save.mutateAsync(change)
      else ask({ change, subject: relaxes })
    },
  })
  return {
    submit: (change: WantedRule) => {
      if (!submission.isPending && !save.isPending) submission.mutate(change)
    },
    reset: () => {
      submission.reset()
      save.reset()
    },
    isPending: submission.isPending || save.isPending,
    isSuccess: save.isSuccess,
    error: submission.error,
    /** Whether the rule about this merchant and agent is being saved. */
    isSaving: (audience: string, agent: string | null) =>
      submission.isPending &&
      submission.variables.merchant_audience === audience &&
      (submission.variables.agent_client_id ?? null) === agent,
    question: { relaxed: asked?.subject.merchant_rule ?? null, dialog },
  }
}
