'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { RecoveryView } from '@/components/lib/api-types'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Moment } from '@/components/ui/moment'
import { RequestFailure } from '@/components/ui/request-failure'
import { securityTexts } from './messages'
import { StepUpFailure } from './step-up-failure'
import { StepUpError, useStepUp } from './use-step-up'

/** Creates recovery codes and shows them once. */
export function MakeRecoveryCodes({ recovery }: { readonly recovery: RecoveryView }) {
  const text = useText(securityTexts).recovery
  const trpc = useTRPC()
  const queries = useQueryClient()
  const stepUp = useStepUp()
  const { mutateAsync: send } = useMutation(trpc.security.makeRecoveryCodes.mutationOptions())
  const making = useMutation({
    mutationFn: async () => send({ proof: await stepUp.prove({ purpose: 'recovery.codes', subject: {} }) }),
    onSettled: () => queries.invalidateQueries(),
  })
  const make = () => making.mutate()
  return (
    <div data-focus-scope className="grid gap-4">
      <h3 className="font-semibold">{text.codes}</h3>
      <p className="max-w-prose text-muted">{text.codesBody}</p>
      {recovery === null ? null : (
        <p>
          {text.left(recovery.left)} · {text.made} <Moment at={recovery.made_at} style="date" />
        </p>
      )}
      {making.data === undefined ? null : <NewCodes codes={making.data.codes} onKept={making.reset} />}
      <StepUpFailure failure={stepUp.failure} onRetry={make} />
      {making.error === null || making.error instanceof StepUpError ? null : <RequestFailure error={making.error} />}
      {making.data === undefined ? (
        <Button data-focus-next variant="secondary" className="w-fit" busy={making.isPending} onClick={make}>
          {recovery === null ? text.make : text.makeNew}
        </Button>
      ) : null}
    </div>
  )
}

interface NewCodesProps {
  readonly codes: readonly string[]
  readonly onKept: () => void
}

function NewCodes({ codes, onKept }: NewCodesProps) {
  const text = useText(securityTexts).recovery
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section aria-labelledby="new-codes" className="grid gap-4">
      <h4 id="new-codes" ref={heading} tabIndex={-1} className="font-semibold outline-none">
        {text.keep}
      </h4>
      <ol aria-label={text.codes} className="grid list-decimal gap-2 ps-8 font-mono tabular-nums sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code} dir="ltr" translate="no">
            {code}
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-3">
        <CopyButton value={codes.join('\n')} what={text.codes} />
        <Button size="sm" onClick={onKept}>
          {text.kept}
        </Button>
      </div>
    </section>
  )
}
