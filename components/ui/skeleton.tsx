import { cn } from '@/components/lib/cn'

function Skeleton({ className }: { readonly className?: string }) {
  return (
    <div aria-hidden className={cn('animate-pulse rounded-control bg-sunken motion-reduce:animate-none', className)} />
  )
}

/** What a page shows while it is being fetched. */
export function PageSkeleton() {
  return (
    <div className="appear-late grid gap-6">
      <p role="status" className="sr-only">
        Loading
      </p>
      <Skeleton className="h-9 w-48" />
      <Skeleton className="h-36 rounded-card" />
      <Skeleton className="h-36 rounded-card" />
    </div>
  )
}
