'use client'

import { useEffect, useRef } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { Button } from '@/components/ui/button'
import { failureTexts } from '@/components/ui/failure-messages'
import { Notice } from '@/components/ui/notice'
import { RequestId } from '@/components/ui/request-failure'

interface PageErrorProps {
  readonly error: Error & { readonly digest?: string }
  readonly reset: () => void
}

/** Shown in place of a page that failed. The digest identifies the error in the server's log. */
export function PageError({ error, reset }: PageErrorProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { page, retry, errorId } = useText(failureTexts)
  return (
    <div className="grid gap-6">
      <h1 ref={heading} tabIndex={-1} className="text-2xl font-semibold tracking-tight outline-none sm:text-3xl">
        {page.title}
      </h1>
      <Notice
        tone="danger"
        role="alert"
        action={
          <Button variant="secondary" onClick={reset}>
            {retry}
          </Button>
        }
      >
        <p>{page.body}</p>
        {error.digest === undefined ? null : <RequestId id={error.digest} label={errorId} />}
      </Notice>
    </div>
  )
}
