'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { RelaxDialog } from '@/components/security/relax-dialog'
import { useRelaxing } from '@/components/security/use-relaxing'
import { Choice } from '@/components/ui/choice'
import { RequestFailure } from '@/components/ui/request-failure'
import { limitsTexts } from './messages'

const turningOff = { magic_link_gate: { from: true, to: false } }

interface MailGateProps {
  readonly chosen: boolean
  /** Whether the operator requires it of everyone. */
  readonly forAll: boolean
}

/** Turns the magic-link gate on with one press; turning it off is confirmed. */
export function MailGate({ chosen, forAll }: MailGateProps) {
  const text = useText(limitsTexts).gate
  const trpc = useTRPC()
  const queries = useQueryClient()
  const save = useMutation(
    trpc.limits.saveMagicLinkGate.mutationOptions({ onSettled: () => queries.invalidateQueries() }),
  )
  const { ask, dialog } = useRelaxing<{ magic_link_gate: boolean }, typeof turningOff>(save)
  const choose = (wanted: boolean) => {
    if (save.isPending) return
    if (wanted) save.mutate({ magic_link_gate: true })
    else ask({ change: { magic_link_gate: false }, subject: turningOff })
  }
  return (
    <div className="grid gap-3">
      <Choice
        id="mail-gate"
        kind="checkbox"
        label={text.label}
        hint={forAll ? text.forAll : text.hint}
        checked={forAll || chosen}
        disabled={forAll}
        onChange={(event) => choose(event.target.checked)}
      />
      {save.isError && !dialog.open ? <RequestFailure error={save.error} /> : null}
      <RelaxDialog dialog={dialog} title={text.off.title} from={text.off.from} to={text.off.to}>
        <p>{text.off.body}</p>
      </RelaxDialog>
    </div>
  )
}
