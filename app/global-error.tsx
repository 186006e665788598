'use client'

import type { ComponentProps } from 'react'
import { BareShell } from '@/components/layout/bare-shell'
import { layoutText } from '@/components/layout/messages'
import { PageError } from '@/components/layout/page-error'
import './globals.css'

export default function GlobalError(props: ComponentProps<typeof PageError>) {
  return (
    <html lang="en">
      <body>
        <title>{layoutText.error.title}</title>
        <BareShell>
          <PageError {...props} />
        </BareShell>
      </body>
    </html>
  )
}
