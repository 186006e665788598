import { Download } from 'lucide-react'
import type { ReactNode } from 'react'

interface DownloadLinkProps {
  readonly href: string
  readonly children: ReactNode
}

/** Links to a file. It is not the router's link, which would prefetch the file and then try to show it as a page. */
export function DownloadLink({ href, children }: DownloadLinkProps) {
  return (
    <a
      href={href}
      download
      className="inline-flex min-h-11 items-center gap-2 rounded-control border border-control bg-surface px-4 py-2 font-medium text-ink hover:bg-sunken"
    >
      <Download aria-hidden className="size-[1.125em] shrink-0" />
      {children}
    </a>
  )
}
