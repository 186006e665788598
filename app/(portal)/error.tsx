'use client'

import type { ComponentProps } from 'react'
import { BareShell } from '@/components/layout/bare-shell'
import { LatePageError } from '@/components/layout/late-page-error'

export default function PortalError(props: ComponentProps<typeof LatePageError>) {
  return (
    <BareShell>
      <LatePageError {...props} />
    </BareShell>
  )
}
