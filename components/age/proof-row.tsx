'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, TimerOff } from 'lucide-react'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { AgeView } from '@/components/lib/api-types'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Moment } from '@/components/ui/moment'
import { RequestFailure } from '@/components/ui/request-failure'
import { ageTexts } from './messages'

interface ProofRowProps {
  readonly proof: AgeView['proofs'][number]
  readonly onNews: (news: string) => void
}

/** Shows one age that the person has proven, who confirms it and until when it is valid. */
export function ProofRow({ proof, onNews }: ProofRowProps) {
  const text = useText(ageTexts)
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [asking, setAsking] = useState(false)
  const onSettled = () => {
    setAsking(false)
    return queries.invalidateQueries()
  }
  const remove = useMutation(trpc.age.remove.mutationOptions({ onSuccess: () => onNews(text.removed), onSettled }))
  return (
    <li className="grid gap-4 rounded-card border border-line bg-surface p-5 shadow-card sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center">
      <ProofFacts proof={proof} />
      <Button
        variant="secondaryDanger"
        size="sm"
        aria-label={text.removeName(proof.age)}
        onClick={() => setAsking(true)}
      >
        {text.remove}
      </Button>
      <div className="empty:hidden sm:col-span-2">
        {remove.isError ? <RequestFailure error={remove.error} /> : null}
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={text.removeTitle}
        confirmLabel={text.remove}
        destructive
        busy={remove.isPending}
        onConfirm={() => remove.mutate({ age: proof.age })}
      >
        <p>{text.removeBody}</p>
      </ConfirmDialog>
    </li>
  )
}

function ProofFacts({ proof }: Pick<ProofRowProps, 'proof'>) {
  const text = useText(ageTexts)
  const isValid = proof.status === 'valid'
  return (
    <div className="grid min-w-0 gap-1.5">
      <p className="font-semibold">{text.reached(proof.age)}</p>
      <p className="text-sm text-muted">
        {text.provenOn} <Moment at={proof.proven_at} style="date" />, {isValid ? text.endsOn : text.endedOn}{' '}
        <Moment at={proof.expires_at} style="date" />
      </p>
      <p className="text-sm wrap-anywhere text-muted">
        {text.by} {proof.issuer}
      </p>
      <Badge icon={isValid ? CircleCheck : TimerOff} tone={isValid ? 'success' : 'warning'}>
        {isValid ? text.valid : text.ended}
      </Badge>
    </div>
  )
}
