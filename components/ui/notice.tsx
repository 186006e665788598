import { cva } from 'class-variance-authority'
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/components/lib/cn'

const tones = {
  info: { icon: Info, color: 'text-accent' },
  success: { icon: CircleCheck, color: 'text-success' },
  warning: { icon: TriangleAlert, color: 'text-warning' },
  danger: { icon: CircleAlert, color: 'text-danger' },
} as const

const noticeVariants = cva('flex gap-3 rounded-card p-4', {
  variants: {
    tone: {
      info: 'bg-accent-soft',
      success: 'bg-success-soft',
      warning: 'bg-warning-soft',
      danger: 'bg-danger-soft',
    },
  },
})

interface NoticeProps {
  readonly tone: keyof typeof tones
  readonly title?: ReactNode
  readonly children?: ReactNode
  readonly action?: ReactNode
  /** `alert` for what has just failed, `status` for news; left out for what was shown from the start. */
  readonly role?: 'alert' | 'status'
  readonly className?: string
}

export function Notice({ tone, title, children, action, role, className }: NoticeProps) {
  const { icon: Icon, color } = tones[tone]
  return (
    <div role={role} className={cn(noticeVariants({ tone }), className)}>
      <Icon aria-hidden className={cn('mt-0.5 size-5 shrink-0', color)} />
      <div className="grid min-w-0 flex-1 gap-1">
        {title === undefined ? null : <p className="font-semibold">{title}</p>}
        {children === undefined ? null : <div className="text-pretty">{children}</div>}
        {action === undefined ? null : <div className="mt-2 flex flex-wrap gap-3">{action}</div>}
      </div>
    </div>
  )
}
