'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { PasskeysView } from '@/components/lib/api-types'
import { Section } from '@/components/ui/card'
import { Choice } from '@/components/ui/choice'
import { RequestFailure } from '@/components/ui/request-failure'
import { securityTexts } from './messages'
import { StepUpFailure } from './step-up-failure'
import { useStepUp } from './use-step-up'

const relaxing = { purpose: 'security.relax', subject: { passkey_required: false } } as const

/** Shows whether approvals need a passkey, always as the server has it, and lets the person change it. */
export function RequirePasskey({ view }: { readonly view: PasskeysView }) {
  const text = useText(securityTexts).required
  const trpc = useTRPC()
  const queries = useQueryClient()
  const stepUp = useStepUp()
  const { mutateAsync: send, error: refusal, reset } = useMutation(trpc.security.require.mutationOptions())
  const choice = useMutation({
    mutationFn: async (required: boolean) => {
      reset()
      const proof = required ? undefined : await stepUp.prove(relaxing)
      return send({ required, proof })
    },
    onSettled: () => queries.invalidateQueries(),
  })
  const hasNone = view.passkeys.length === 0
  return (
    <Section id="approvals" title={text.title}>
      <Choice
        id="require-passkey"
        kind="checkbox"
        label={text.label}
        hint={hasNone ? `${text.hint} ${text.needsOne}` : text.hint}
        checked={view.required}
        disabled={hasNone || choice.isPending}
        onChange={(event) => choice.mutate(event.target.checked)}
      />
      <StepUpFailure failure={stepUp.failure} onRetry={() => choice.mutate(false)} />
      {refusal === null ? null : <RequestFailure error={refusal} />}
    </Section>
  )
}
