'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { MerchantsView } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { RelaxDialog } from '@/components/security/relax-dialog'
import { useRelaxing } from '@/components/security/use-relaxing'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Choice } from '@/components/ui/choice'
import { RequestFailure } from '@/components/ui/request-failure'
import { useAgentName } from './agent-name'
import { merchantsTexts } from './messages'
import { Unlisted } from './unlisted'

const turningOff = { only_listed_merchants: { from: true, to: false } }

/** "Only my list". Turning it on says first what stops working; turning it off is confirmed. */
export function OnlyListed({ merchants }: { readonly merchants: MerchantsView }) {
  const text = useText(merchantsTexts).gate
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [asking, setAsking] = useState(false)
  const save = useMutation(
    trpc.merchants.saveGate.mutationOptions({
      onSettled: () => {
        setAsking(false)
        return queries.invalidateQueries()
      },
    }),
  )
  const { ask, dialog } = useRelaxing<{ only_listed: boolean }, typeof turningOff>(save)
  const { only_listed: isOn, unlisted, agents } = merchants
  const change = (wanted: boolean) => {
    if (wanted) setAsking(true)
    else ask({ change: { only_listed: false }, subject: turningOff })
  }
  return (
    <div className="grid gap-4">
      <Choice
        id="only-listed"
        kind="checkbox"
        label={text.label}
        hint={text.hint}
        checked={isOn}
        disabled={save.isPending}
        onChange={(event) => change(event.target.checked)}
      />
      {save.isError && !dialog.open ? <RequestFailure error={save.error} /> : null}
      {isOn ? <Unlisted unlisted={unlisted} agents={agents} /> : null}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={text.confirm.title}
        confirmLabel={text.confirm.button}
        busy={save.isPending}
        onConfirm={() => save.mutate({ only_listed: true })}
      >
        <Consequences merchants={merchants} />
      </ConfirmDialog>
      <RelaxDialog dialog={dialog} title={text.off.title} from={text.off.from} to={text.off.to}>
        <p>{text.off.body}</p>
      </RelaxDialog>
    </div>
  )
}

function Consequences({ merchants: { rules, unlisted, agents } }: { readonly merchants: MerchantsView }) {
  const text = useText(merchantsTexts).gate
  const agentName = useAgentName(agents)
  const isEmpty = !rules.some(({ verdict }) => verdict === 'allow')
  return (
    <>
      {isEmpty ? <p>{text.emptyList}</p> : null}
      {unlisted.length === 0 ? (
        <p>{text.confirm.nothing}</p>
      ) : (
        <>
          <p>{text.stops}</p>
          <ul className="grid list-disc gap-1 ps-5">
            {unlisted.map(({ merchant_audience: audience, merchant_name: name, agent_client_id: agent }) => (
              <li key={`${audience} ${agent}`} className="wrap-anywhere">
                <bdi>{merchantName(name, audience)}</bdi> (<code className="font-mono text-sm">{audience}</code>),{' '}
                <bdi>{agentName(agent)}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
