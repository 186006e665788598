'use client'

import { AlertDialog as Base } from '@base-ui/react/alert-dialog'
import { useRef } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import type { ConfirmDialogProps } from './alert-dialog'
import { Button } from './button'
import { uiTexts } from './messages'
import { NoticesInPlace } from './notices'

/** The content of a ConfirmDialog. */
export function ConfirmDialogPopup({
  open,
  onOpenChange,
  title,
  children,
  destructive = false,
  busy = false,
  proving = false,
  ...props
}: ConfirmDialogProps) {
  const uiText = useText(uiTexts)
  const cancel = useRef<HTMLButtonElement>(null)
  const isSent = busy && !proving
  return (
    <Base.Root
      open={open}
      onOpenChange={(isOpen, change) => {
        if (isSent) change.cancel()
        else onOpenChange(isOpen)
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-backdrop transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Viewport className="fixed inset-0 z-50 grid items-end overflow-y-auto p-4 sm:items-center">
          <Base.Popup
            initialFocus={cancel}
            className="mx-auto grid w-full max-w-md gap-4 rounded-card border border-line bg-surface p-6 text-ink shadow-overlay transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            <Base.Title className="text-xl font-semibold tracking-tight">{title}</Base.Title>
            <Base.Description render={<div />} className="grid gap-3 text-muted">
              <NoticesInPlace>{children}</NoticesInPlace>
            </Base.Description>
            <div className="mt-2 grid gap-3 sm:grid-cols-2">
              <Base.Close render={<Button ref={cancel} variant="secondary" aria-disabled={isSent || undefined} />}>
                {props.cancelLabel ?? uiText.cancel}
              </Base.Close>
              <Button variant={destructive ? 'danger' : 'primary'} busy={busy} onClick={props.onConfirm}>
                {props.confirmLabel}
              </Button>
            </div>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}
