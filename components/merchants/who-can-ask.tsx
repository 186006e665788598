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

/**
 * Chooses between all merchants that the server allows and only the person's list. Narrowing first says what will stop;
 * widening is confirmed.
 */
export function WhoCanAsk({ merchants }: { readonly merchants: MerchantsView }) {
  const { who, gate } = useText(merchantsTexts)
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
  const { only_listed: isOnlyListed, unlisted, unlisted_merchants: outside, agents } = merchants
  const widest = outside === 'allow' ? who.any : who.verified
  return (
    <div className="grid gap-4">
      <fieldset className="grid gap-3 sm:grid-cols-2" disabled={save.isPending}>
        <legend className="sr-only">{who.title}</legend>
        <Choice
          id="who-all"
          kind="radio"
          name="who-can-ask"
          label={widest}
          hint={outside === 'allow' ? who.anyHint : who.verifiedHint(merchants.verified_count)}
          checked={!isOnlyListed}
          onChange={() => ask({ change: { only_listed: false }, subject: turningOff })}
        />
        <Choice
          id="who-listed"
          kind="radio"
          name="who-can-ask"
          label={who.listed}
          hint={who.listedHint(countListed(merchants))}
          checked={isOnlyListed}
          onChange={() => setAsking(true)}
        />
      </fieldset>
      <p className="max-w-prose text-muted">{(isOnlyListed ? who.outsideOfList : who.outside)[outside]}</p>
      {save.isError && !dialog.open ? <RequestFailure error={save.error} /> : null}
      {isOnlyListed ? <Unlisted unlisted={unlisted} agents={agents} /> : null}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={gate.confirm.title}
        confirmLabel={gate.confirm.button}
        busy={save.isPending}
        onConfirm={() => save.mutate({ only_listed: true })}
      >
        <Consequences merchants={merchants} />
      </ConfirmDialog>
      <RelaxDialog dialog={dialog} title={gate.off.title} from={gate.off.from} to={widest}>
        <p>{gate.off.body}</p>
      </RelaxDialog>
    </div>
  )
}

function countListed({ rules }: MerchantsView): number {
  const listed = rules.filter(({ verdict }) => verdict === 'allow')
  return new Set(listed.map(({ merchant_audience: audience }) => audience)).size
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
