'use client'

import { useText } from '@/components/i18n/locale-provider'
import { cn } from '@/components/lib/cn'
import { uiTexts } from './messages'

function Skeleton({ className }: { readonly className?: string }) {
  return <div aria-hidden className={cn('animate-pulse bg-sunken motion-reduce:animate-none', className)} />
}

/** Shown while a page is being fetched. */
export function PageSkeleton() {
  const uiText = useText(uiTexts)
  return (
    <div className="appear-late grid gap-6">
      <p role="status" className="sr-only">
        {uiText.loading}
      </p>
      <Skeleton className="h-9 w-48 rounded-control" />
      <Skeleton className="h-36 rounded-card" />
      <Skeleton className="h-36 rounded-card" />
    </div>
  )
}
