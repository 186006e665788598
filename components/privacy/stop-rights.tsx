'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { StepUpFailure } from '@/components/security/step-up-failure'
import { useConfirmedDialog } from '@/components/security/use-confirmed-dialog'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { RequestFailure } from '@/components/ui/request-failure'
import { privacyTexts } from './messages'
import { Done, PageLink, Right } from './right'

/** Restricts processing, and lifts the restriction, which is possible only here. */
export function RestrictRight({ restricted }: { readonly restricted: boolean }) {
  const text = useText(privacyTexts).restrict
  return (
    <Right id="restrict" title={text.title} body={text.body}>
      {restricted ? (
        <Notice tone="warning" title={text.on}>
          <Lift />
        </Notice>
      ) : (
        <Restrict />
      )}
    </Right>
  )
}

function Restrict() {
  const text = useText(privacyTexts).restrict
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [asking, setAsking] = useState(false)
  const restrict = useMutation(
    trpc.privacy.restrict.mutationOptions({
      onSuccess: () => setAsking(false),
      onSettled: () => queries.invalidateQueries(),
    }),
  )
  return (
    <>
      <Button variant="secondary" className="w-fit" onClick={() => setAsking(true)}>
        {text.button}
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={text.ask}
        confirmLabel={text.button}
        cancelLabel={text.keep}
        busy={restrict.isPending}
        onConfirm={() => restrict.mutate({})}
      >
        <p>{text.askBody}</p>
        {restrict.isError ? <RequestFailure error={restrict.error} /> : null}
      </ConfirmDialog>
    </>
  )
}

const LIFTING = {
  purpose: 'security.relax',
  subject: { processing_restricted: { from: true, to: false } },
} as const

function Lift() {
  const { restrict: text, confirm } = useText(privacyTexts)
  const trpc = useTRPC()
  const { mutateAsync: lift } = useMutation(trpc.privacy.lift.mutationOptions())
  const { ask, dialog, failure } = useConfirmedDialog({
    action: LIFTING,
    send: (proof) => lift({ proof }),
  })
  return (
    <>
      <Button variant="secondary" className="mt-2 w-fit" onClick={ask}>
        {text.lift}
      </Button>
      <ConfirmDialog {...dialog} title={text.liftAsk} confirmLabel={text.lift} cancelLabel={text.keepOn}>
        <p>{text.liftBody}</p>
        <p className="text-sm">{confirm}</p>
        <StepUpFailure failure={failure} onRetry={dialog.onConfirm} />
      </ConfirmDialog>
    </>
  )
}

/** Objects to marketing. */
export function ObjectRight({ objected }: { readonly objected: boolean }) {
  const text = useText(privacyTexts).object
  const trpc = useTRPC()
  const queries = useQueryClient()
  const object = useMutation(trpc.privacy.object.mutationOptions({ onSettled: () => queries.invalidateQueries() }))
  return (
    <Right id="object" title={text.title} body={text.body}>
      {object.isError ? <RequestFailure error={object.error} /> : null}
      {objected ? null : (
        <Button variant="secondary" className="w-fit" busy={object.isPending} onClick={() => object.mutate({})}>
          {text.button}
        </Button>
      )}
      <Done>{objected ? text.done : null}</Done>
      <PageLink href="/settings/notifications">{text.notifications}</PageLink>
    </Right>
  )
}
