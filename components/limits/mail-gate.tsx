'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useText } from '@/components/i18n/locale-provider'
import { Choice } from '@/components/ui/choice'
import { RequestFailure } from '@/components/ui/request-failure'
import { useTRPC } from '@/server/trpc/client'
import { limitsTexts } from './messages'

interface MailGateProps {
  readonly chosen: boolean
  /** The service's operator decided for everybody. */
  readonly forAll: boolean
}

export function MailGate({ chosen, forAll }: MailGateProps) {
  const text = useText(limitsTexts).gate
  const trpc = useTRPC()
  const queries = useQueryClient()
  const save = useMutation(
    trpc.limits.saveMagicLinkGate.mutationOptions({ onSuccess: () => queries.invalidateQueries() }),
  )
  return (
    <div className="grid gap-3">
      <Choice
        id="mail-gate"
        kind="checkbox"
        label={text.label}
        hint={forAll ? text.forAll : text.hint}
        checked={forAll || (save.isSuccess ? save.data.magic_link_gate : chosen)}
        disabled={forAll || save.isPending}
        onChange={(event) => save.mutate({ magic_link_gate: event.target.checked })}
      />
      {save.isError ? <RequestFailure error={save.error} /> : null}
    </div>
  )
}
