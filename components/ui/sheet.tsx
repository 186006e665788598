'use client'

import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { Button } from './button'
import { uiTexts } from './messages'

interface SheetProps {
  readonly title: string
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly children: ReactNode
}

/** A panel that rises from the lower edge, within reach of a thumb. */
export function Sheet({ title, open, onOpenChange, children }: SheetProps) {
  const uiText = useText(uiTexts)
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-backdrop transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup className="fixed inset-x-0 bottom-0 z-50 max-h-[85dvh] overflow-y-auto rounded-t-card border-t border-line bg-surface px-4 pb-[max(1rem,env(safe-area-inset-bottom))] text-ink shadow-overlay transition-transform duration-200 data-ending-style:translate-y-full data-starting-style:translate-y-full">
          <div className="sticky top-0 flex items-center justify-between bg-surface py-3">
            <Base.Title className="text-lg font-semibold tracking-tight">{title}</Base.Title>
            <Base.Close render={<Button variant="quiet" size="icon" aria-label={uiText.close} />}>
              <X aria-hidden />
            </Base.Close>
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
