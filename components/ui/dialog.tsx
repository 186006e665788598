'use client'

import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { Button } from './button'
import { uiTexts } from './messages'

interface DialogProps {
  readonly title: string
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  /** What has the focus first; the close button when left out. */
  readonly initialFocus?: RefObject<HTMLElement | null>
  readonly children: ReactNode
}

/** A panel over the page that asks nothing; Escape and a press beside it close it. */
export function Dialog({ title, open, onOpenChange, initialFocus, children }: DialogProps) {
  const uiText = useText(uiTexts)
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-backdrop transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Viewport className="fixed inset-0 z-50 grid content-start justify-items-center overflow-y-auto p-4 sm:pt-[12dvh]">
          <Base.Popup
            {...(initialFocus && { initialFocus })}
            className="grid w-full max-w-lg grid-cols-[minmax(0,1fr)] rounded-card border border-line bg-surface text-ink shadow-overlay transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            <div className="flex items-center justify-between gap-4 border-b border-line py-2 ps-5 pe-2">
              <Base.Title className="text-lg font-semibold tracking-tight">{title}</Base.Title>
              <Base.Close render={<Button variant="quiet" size="icon" aria-label={uiText.close} />}>
                <X aria-hidden />
              </Base.Close>
            </div>
            {children}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}
