'use client'

import type { ComponentProps } from 'react'
import { BareShell } from '@/components/layout/bare-shell'
import { PageError } from '@/components/layout/page-error'

export default function PortalError(props: ComponentProps<typeof PageError>) {
  return (
    <BareShell>
      <PageError {...props} />
    </BareShell>
  )
}
