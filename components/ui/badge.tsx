import { cva, type VariantProps } from 'class-variance-authority'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/components/lib/cn'

const badgeVariants = cva(
  'inline-flex w-fit items-center gap-1.5 rounded-full px-2.5 py-0.5 text-sm font-medium [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      tone: {
        neutral: 'bg-sunken text-muted',
        accent: 'bg-accent-soft text-accent',
        success: 'bg-success-soft text-success',
        warning: 'bg-warning-soft text-warning',
        danger: 'bg-danger-soft text-danger',
      },
      wraps: { true: 'whitespace-normal', false: 'whitespace-nowrap' },
    },
    defaultVariants: { tone: 'neutral', wraps: false },
  },
)

export type Tone = NonNullable<VariantProps<typeof badgeVariants>['tone']>

interface BadgeProps {
  readonly tone?: Tone
  readonly icon: LucideIcon
  /** Whether long words may take a second line. */
  readonly wraps?: boolean
  readonly children: ReactNode
  readonly className?: string
}

/** Shows a status. The icon is required, since colour alone must not convey it. */
export function Badge({ tone, icon: Icon, wraps, children, className }: BadgeProps) {
  return (
    <span className={cn(badgeVariants({ tone, wraps }), className)}>
      <Icon aria-hidden />
      {children}
    </span>
  )
}
