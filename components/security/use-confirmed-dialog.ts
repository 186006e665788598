'use client'

import { useState } from 'react'
import { useConfirmed } from './use-confirmed'

/**
 * The same, asked for in a dialog, which closes when the answer is there. What it is closed on before anything was sent
 * is not sent any more, and a failure is forgotten.
 */
export function useConfirmedDialog<T>({ onSuccess, ...options }: Parameters<typeof useConfirmed<T>>[0]) {
  const [open, setOpen] = useState(false)
  const { run, busy, proving, failure, reset } = useConfirmed({
    ...options,
    onSuccess: (answer) => {
      setOpen(false)
      onSuccess?.(answer)
    },
  })
  const onOpenChange = (isOpen: boolean) => {
    setOpen(isOpen)
    reset()
  }
  return { ask: () => onOpenChange(true), failure, dialog: { open, onOpenChange, busy, proving, onConfirm: run } }
}
