import { FlaskConical } from 'lucide-react'
import { readText } from '@/components/i18n/read-text'
import type { SandboxMode } from '@/server/base/core/sandbox-mode'
import { layoutTexts } from './messages'

interface SandboxBannerProps {
  readonly mode: NonNullable<SandboxMode>
  /** The element; a section above a page that has its own header. */
  readonly as?: 'header' | 'section'
}

export async function SandboxBanner({ mode, as: Element = 'header' }: SandboxBannerProps) {
  const { sandbox } = await readText(layoutTexts)
  return (
    <Element
      aria-label={Element === 'section' ? sandbox[mode] : undefined}
      className="sticky top-0 z-30 flex h-9 tight:static tight:h-auto items-center justify-center gap-2 border-b border-line bg-warning-soft px-4 text-sm font-semibold text-warning"
    >
      <FlaskConical aria-hidden className="size-4 shrink-0" />
      {sandbox[mode]}
    </Element>
  )
}
