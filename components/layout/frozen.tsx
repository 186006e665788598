'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { StepUpFailure } from '@/components/security/step-up-failure'
import { useStepUp } from '@/components/security/use-step-up'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { Moment } from '@/components/ui/moment'
import { Notice } from '@/components/ui/notice'
import { frozenTexts } from './frozen-messages'

interface FrozenProps {
  readonly since: string
  /** The button that was pressed is gone, so that this one is where the person goes on. */
  readonly takesFocus: boolean
}

/** Says that spending is frozen, and lets the person lift it. */
export function Frozen({ since, takesFocus }: FrozenProps) {
  const text = useText(frozenTexts)
  const trpc = useTRPC()
  const queries = useQueryClient()
  const stepUp = useStepUp()
  const [asking, setAsking] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (takesFocus) button.current?.focus()
  }, [takesFocus])
  const unfreeze = useMutation(
    trpc.limits.unfreeze.mutationOptions({
      onSuccess: () => setAsking(false),
      onSettled: () => queries.invalidateQueries(),
    }),
  )
  const confirm = () => {
    stepUp.prove({ purpose: 'security.relax', subject: { frozen: { from: true, to: false } } }).then(
      (proof) => unfreeze.mutate({ proof }),
      () => undefined,
    )
  }
  const turn = (open: boolean) => {
    setAsking(open)
    stepUp.reset()
    unfreeze.reset()
  }
  return (
    <>
      <Notice
        tone="warning"
        role="status"
        className="w-full"
        title={text.title}
        action={
          <Button ref={button} variant="secondary" size="sm" onClick={() => turn(true)}>
            {text.unfreeze}
          </Button>
        }
      >
        {text.body} {text.since} <Moment at={since} />.
      </Notice>
      <ConfirmDialog
        open={asking}
        onOpenChange={turn}
        title={text.question}
        confirmLabel={text.unfreeze}
        cancelLabel={text.keep}
        busy={stepUp.busy || unfreeze.isPending}
        onConfirm={confirm}
      >
        <p>{text.asBefore}</p>
        <StepUpFailure failure={unfreeze.error === null ? stepUp.failure : { error: unfreeze.error }} />
      </ConfirmDialog>
    </>
  )
}
