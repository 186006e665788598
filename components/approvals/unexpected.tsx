'use client'

import { ChevronRight } from 'lucide-react'
import { type ComponentProps, lazy, useId, useState } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { LatePart } from '@/components/layout/late-part'
import { intoSight } from '@/components/lib/into-sight'
import { Button } from '@/components/ui/button'
import { decisionTexts } from './decision-messages'

export const loadPrecautions = () => import('./precautions')
/** Loaded apart, since few people need the precautions; the approve page fetches them beforehand. */
export const Precautions = lazy(() => loadPrecautions().then(({ Precautions: view }) => ({ default: view })))

/** The button that shows what helps against an unexpected approval or payment. */
export function Unexpected({ consent }: ComponentProps<typeof Precautions>) {
  const decisionText = useText(decisionTexts)
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] justify-items-start gap-2">
      <Button
        variant="quiet"
        className="-ms-3 px-3 text-start"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <ChevronRight
          aria-hidden
          className={open ? 'rotate-90 transition-transform' : 'transition-transform rtl:-scale-x-100'}
        />
        {decisionText.unexpected}
      </Button>
      <div id={id} className="w-full">
        {open ? (
          <LatePart>
            <div ref={intoSight}>
              <Precautions consent={consent} />
            </div>
          </LatePart>
        ) : null}
      </div>
    </div>
  )
}
