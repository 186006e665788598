'use client'

import { Tabs as Base } from '@base-ui/react/tabs'
import { useSearchParams } from 'next/navigation'
import { type ReactNode, useId } from 'react'
import { goInAddress } from '@/components/lib/show-in-address'

interface TabItem {
  readonly value: string
  readonly label: string
  readonly count?: number
  readonly content: ReactNode
}

interface TabsProps {
  readonly label: string
  readonly items: readonly [TabItem, ...TabItem[]]
}

/**
 * Tabs whose choice is kept in the address as `?tab=`, so that each can be linked to. Their panels are rendered beside
 * the root of the tabs, not within it: the root's contexts change on hydration, and React would then discard the
 * server's markup below them and render it again.
 */
export function Tabs({ label, items }: TabsProps) {
  const id = useId()
  const chosen = useSearchParams().get('tab')
  const current = items.find((item) => item.value === chosen) ?? items[0]
  const panelId = `${id}-panel`
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Base.Root
        value={current.value}
        onValueChange={(next: unknown) => goInAddress('tab', next === items[0].value ? null : String(next))}
      >
        <Base.List aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
          {items.map((item) => (
            <Base.Tab
              key={item.value}
              id={`${id}-${item.value}`}
              value={item.value}
              aria-controls={item === current ? panelId : undefined}
              className="-mb-px min-h-11 min-w-11 shrink-0 whitespace-nowrap border-b-2 border-transparent px-2 font-medium text-muted max-sm:text-sm sm:px-3 -outline-offset-2 transition-colors hover:text-ink data-active:border-accent data-active:text-ink"
            >
              {item.label}
              {item.count === undefined || item.count === 0 ? null : (
                <>
                  {' '}
                  <span className="ms-0.5 rounded-full bg-accent-soft px-1.5 py-0.5 sm:ms-1 sm:px-2 text-sm text-accent tabular-nums">
                    {item.count}
                  </span>
                </>
              )}
            </Base.Tab>
          ))}
        </Base.List>
      </Base.Root>
      <div key={current.value} id={panelId} role="tabpanel" aria-labelledby={`${id}-${current.value}`}>
        {current.content}
      </div>
    </div>
  )
}
