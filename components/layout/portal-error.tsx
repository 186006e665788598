'use client'

import type { ComponentProps } from 'react'
import { BareShell } from './bare-shell'
import { PageError } from './page-error'

/** Shows an error of a page outside the wallet. */
export function PortalErrorPage(props: ComponentProps<typeof PageError>) {
  return (
    <BareShell>
      <PageError {...props} />
    </BareShell>
  )
}
