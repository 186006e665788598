'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { PortalConsent } from '@/components/lib/api-types'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { RequestFailure } from '@/components/ui/request-failure'
import { consentTexts } from './messages'
import { useDescribe } from './use-waiting'

interface DeclineAllProps {
  /** The agent's name. */
  readonly agent: string
  readonly consents: readonly PortalConsent[]
}

/** Declines all waiting approvals of one agent, once the person has seen the list. */
export function DeclineAll({ agent, consents }: DeclineAllProps) {
  const text = useText(consentTexts).list.declineAll
  const trpc = useTRPC()
  const queries = useQueryClient()
  // An approval that arrives while the dialog is open was not seen, so it is not declined with the others.
  const [asked, setAsked] = useState<readonly PortalConsent[]>([])
  const [open, setOpen] = useState(false)
  const decline = useMutation(
    trpc.approvals.declineAll.mutationOptions({
      onSuccess: () => setOpen(false),
      onSettled: () => queries.invalidateQueries(),
    }),
  )
  const ask = () => {
    decline.reset()
    setAsked(consents)
    setOpen(true)
  }
  return (
    <>
      <Button variant="secondary" aria-label={text.name(consents.length, agent)} onClick={ask}>
        {text.button(consents.length)}
      </Button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={text.question(asked.length)}
        confirmLabel={text.confirm(asked.length)}
        cancelLabel={text.keep(asked.length)}
        destructive
        busy={decline.isPending}
        onConfirm={() => decline.mutate({ authorization_ids: asked.map((consent) => consent.authorization_id) })}
      >
        <ul className="grid gap-1">
          {asked.map((consent) => (
            <AskedItem key={consent.authorization_id} consent={consent} />
          ))}
        </ul>
        {decline.isError ? <RequestFailure error={decline.error} /> : null}
      </ConfirmDialog>
    </>
  )
}

function AskedItem({ consent }: { readonly consent: PortalConsent }) {
  const { payTo } = useText(consentTexts)
  const { title, payee } = useDescribe()(consent)
  return (
    <li className="wrap-anywhere">
      <span className="font-medium tabular-nums">{title}</span>{' '}
      {payee === null ? null : (
        <>
          {payTo} <bdi>{payee}</bdi>
        </>
      )}
    </li>
  )
}
