import { CopyButton } from '@/components/ui/copy-button'

interface CopyRowProps {
  readonly value: string
  /** What is copied; part of the button's name. */
  readonly what: string
  /** Where the value leads, for values that are addresses of pages. */
  readonly href?: string
  /** The value as it is shown where that reads better than what is copied. */
  readonly shown?: string
}

/** A value to take along as it is. */
export function CopyRow({ value, what, href, shown = value }: CopyRowProps) {
  return (
    <span className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3">
      <code className="min-w-0 break-all font-mono text-sm">
        {href === undefined ? (
          shown
        ) : (
          <a href={href} className="text-accent underline underline-offset-4">
            {shown}
          </a>
        )}
      </code>
      <CopyButton value={value} what={what} />
    </span>
  )
}
