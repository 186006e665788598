'use client'

import { useMutation } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { UndoableChange } from '@/components/lib/api-types'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { RowList, Section } from '@/components/ui/card'
import { Moment } from '@/components/ui/moment'
import { securityActivityTexts } from './activity-messages'
import { HappenedRow } from './happened-row'
import { StepUpFailure } from './step-up-failure'
import { useConfirmedDialog } from './use-confirmed-dialog'

/** Lists the changes that can still be undone, each with its button. */
export function Undoable({ changes }: { readonly changes: readonly UndoableChange[] }) {
  const text = useText(securityActivityTexts).undo
  const [done, setDone] = useState(false)
  return (
    <>
      <p role="status" className="font-medium text-success empty:hidden">
        {done ? text.done : null}
      </p>
      {changes.length === 0 ? null : (
        <Section id="undoable" title={text.title} description={text.description}>
          <RowList aria-labelledby="undoable">
            {changes.map((change) => (
              <UndoRow key={change.id} change={change} onDone={() => setDone(true)} />
            ))}
          </RowList>
        </Section>
      )}
    </>
  )
}

interface UndoRowProps {
  readonly change: UndoableChange
  readonly onDone: () => void
}

function UndoRow({ change, onDone }: UndoRowProps) {
  const text = useText(securityActivityTexts).undo
  return (
    <HappenedRow
      icon={Undo2}
      title={text.what[change.purpose](change.about)}
      detail={change.way === 'link' ? text.onlyLink(change.mailed_to) : null}
      origin={
        <>
          <Moment at={change.changed_at} style="long" /> · {text.until} <Moment at={change.until} style="long" />
        </>
      }
      action={change.way === 'link' ? null : <UndoButton change={change} way={change.way} onDone={onDone} />}
    />
  )
}

interface UndoButtonProps extends UndoRowProps {
  readonly way: Exclude<UndoableChange['way'], 'link'>
}

function UndoButton({ change, way, onDone }: UndoButtonProps) {
  const text = useText(securityActivityTexts).undo
  const trpc = useTRPC()
  const { mutateAsync: undo } = useMutation(trpc.security.undo.mutationOptions())
  const { ask, dialog, failure } = useConfirmedDialog({
    action: { purpose: 'security.undo', subject: { change_id: change.id } },
    send: (proof) => undo({ change_id: change.id, proof }),
    onSuccess: onDone,
  })
  const name = change.purpose === 'undo_email' ? text.of.undo_email : text.of.undo_passkey(change.about)
  return (
    <>
      <Button variant="secondary" size="sm" aria-label={name} onClick={ask}>
        {text.button}
      </Button>
      <ConfirmDialog {...dialog} title={text.ask} confirmLabel={text.button} cancelLabel={text.keep} destructive>
        <p>{text.what[change.purpose](change.about)}</p>
        <p>{text.consequences[change.purpose]}</p>
        <p className="text-sm">{text.how[way]}</p>
        <StepUpFailure failure={failure} onRetry={dialog.onConfirm} />
      </ConfirmDialog>
    </>
  )
}
