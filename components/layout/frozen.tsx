'use client'

import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { StepUpFailure } from '@/components/security/step-up-failure'
import { useConfirmedDialog } from '@/components/security/use-confirmed-dialog'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { Moment } from '@/components/ui/moment'
import { Notice } from '@/components/ui/notice'
import { frozenTexts } from './frozen-messages'

const UNFREEZING = { purpose: 'security.relax', subject: { frozen: { from: true, to: false } } } as const

interface FrozenProps {
  readonly since: string
  /** The button that was pressed is gone, so that this one is where the person goes on. */
  readonly takesFocus: boolean
}

/** Says that spending is frozen, and lets the person lift it. */
export function Frozen({ since, takesFocus }: FrozenProps) {
  const text = useText(frozenTexts)
  const trpc = useTRPC()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (takesFocus) button.current?.focus()
  }, [takesFocus])
  const { mutateAsync: unfreeze } = useMutation(trpc.limits.unfreeze.mutationOptions())
  const { ask, dialog, failure } = useConfirmedDialog({
    action: UNFREEZING,
    send: (proof) => unfreeze({ proof }),
  })
  return (
    <>
      <Notice
        tone="warning"
        role="status"
        className="w-full"
        title={text.title}
        action={
          <Button ref={button} variant="secondary" size="sm" onClick={ask}>
            {text.unfreeze}
          </Button>
        }
      >
        {text.body} {text.since} <Moment at={since} />.
      </Notice>
      <ConfirmDialog {...dialog} title={text.question} confirmLabel={text.unfreeze} cancelLabel={text.keep}>
        <p>{text.asBefore}</p>
        <StepUpFailure failure={failure} onRetry={dialog.onConfirm} />
      </ConfirmDialog>
    </>
  )
}
