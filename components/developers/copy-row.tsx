import { CopyButton } from '@/components/ui/copy-button'

interface CopyRowProps {
  readonly value: string
  /** What is copied; part of the button's name. */
  readonly what: string
  /** Where the value leads, for values that are addresses of pages. */
  readonly href?: string
}

/** A value to take along as it is. */
export function CopyRow({ value, what, href }: CopyRowProps) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <code className="min-w-0 break-all font-mono text-sm">
        {href === undefined ? (
          value
        ) : (
          <a href={href} className="text-accent underline underline-offset-4">
            {value}
          </a>
        )}
      </code>
      <CopyButton value={value} what={what} />
    </span>
  )
}
